use std::path::Path;

use crate::graphql::sdl;

#[test]
fn the_schema_is_the_one_that_is_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi/schema.graphql");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == sdl(),
        "openapi/schema.graphql is not what `reveille graphql-schema` prints: write it anew"
    );
}

#[test]
fn what_nobody_may_ask_is_not_there() {
    let sdl = sdl();
    for word in ["Mutation", "email", "password", "preferences"] {
        let fields = sdl
            .lines()
            .filter(|line| !line.trim_start().starts_with('"'));
        let prose = sdl.contains("\"\"\"");
        assert!(prose, "descriptions are there");
        for line in fields.filter(|line| line.contains(": ") || line.contains('{')) {
            assert!(!line.contains(word), "{word}: {line}");
        }
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one entry for each part")]
fn every_type_field_and_argument_of_the_contract_is_there() {
    let sdl: String = sdl().split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "scalar DateTime",
        "scalar Duration",
        "scalar UUID",
        "scalar Square",
        "type Game implements Node {",
        "type Player implements Node {",
        "interface Node {",
        "input GameFilter {",
        "type GameConnection {",
        "type MoveConnection {",
        "type FrameConnection {",
        "type PlayerConnection {",
        "type PageInfo {",
        "game(",
        "games(",
        "player(",
        "players(",
        "node(",
        "hasNextPage: Boolean!",
        "hasPreviousPage: Boolean!",
        "startCursor: String",
        "endCursor: String",
        "edges: [GameEdge!]!",
        "edges: [MoveEdge!]!",
        "cursor: String!",
        "node: Game!",
        "node: Move!",
        "uuid: UUID!",
        "ruleset: String!",
        "options: Options!",
        "status: GameStatus!",
        "source: String!",
        "red: Seat!",
        "blue: Seat!",
        "outcome: Outcome",
        "plies: Int!",
        "startedAt: DateTime",
        "finishedAt: DateTime",
        "viewpoint: Viewpoint ): Replay!",
        "viewpoint: Viewpoint!",
        "ply: Int! ): Frame!",
        "): FrameConnection!",
        "causes: [Cause!] ): [Reveal!]!",
        "battles: [Battle!]!",
        "pieces: [PieceView!]!",
        "pieceId: String!",
        "owner: Color!",
        "square: Square",
        "rank: Rank",
        "moved: Boolean!",
        "revealedPly: Int",
        "cause: Cause!",
        "to: Color",
        "attacker: Rank!",
        "defender: Rank",
        "attackerColor: Color!",
        "outcome: BattleOutcome!",
        "color: Color!",
        "from: Square!",
        "to: Square!",
        "distance: Int!",
        "battle: Battle",
        "rescue: Rank",
        "playedAt: DateTime",
        "thinkTime: Duration",
        "type GameEvent {",
        "gameEvents(",
        "): GameEvent!",
        "kind: String!",
        "move: Move",
        "game: Game!",
        "forfeited: Boolean!",
        "username: String!",
        "createdAt: DateTime",
        "player: Player!",
        "winner: Color",
        "reason: EndReason!",
        "aggressorAdvantage: Boolean!",
        "silentDefense: Boolean!",
        "moreSquares: Boolean!",
        "twoSquares: String!",
        "twoSquaresLimit: Int!",
        "noProgressPlies: Int",
        "rulesets: [String!]",
        "sources: [String!]",
        "players: [String!]",
        "status: [GameStatus!]",
        "reasons: [EndReason!]",
        "rated: Boolean",
        "finishedFrom: DateTime",
        "finishedTo: DateTime",
        "minPlies: Int",
        "maxPlies: Int",
        "minRating: Float",
        "maxRating: Float",
        "rawEnding: Int",
        "orderBy: GameOrder",
        "stats(",
        "): Stats!",
        "type Stats {",
        "games: Int!",
        "excluded: Exclusions!",
        "asOf: DateTime!",
        "results: Results!",
        "buckets: Int ): Histogram!",
        "battleMatrix: [BattleCell!]!",
        "by: Color ): [RevealStat!]!",
        "at: [Int!] ): [SurvivalCurve!]!",
        "exchange: [ExchangeCell!]!",
        "rank: Rank!,",
        "normalise: Boolean ): [SquareStat!]!",
        "first: Int ): [FirstMoveStat!]!",
        "information: [InformationCurve!]!",
        "bluffs: BluffStats!",
        "unit: PeriodUnit!,",
        "tz: String ): [PeriodStat!]!",
        "username: String! ): PlayerSummary",
        "aborted: Int!",
        "unfinished: Int!",
        "byReason: [ReasonCount!]!",
        "share: Float",
        "buckets: [Bucket!]!",
        "fought: Int!",
        "attackerWins: Int!",
        "bothRemoved: Int!",
        "byCause: [CauseCount!]!",
        "plies: Spread!",
        "points: [SurvivalPoint!]!",
        "scoutingDeaths: Int!",
        "ci95: Interval",
        "winRate: Float",
        "scoreRate: Float",
        "winners: Float",
        "losers: Float",
        "disguisedScouts: Int!",
        "bombMimicry: Int!",
        "period: String!",
        "losses: Int!",
    ] {
        assert!(sdl.contains(part), "{part}");
    }
}
