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
fn what_later_issues_bring_is_not_there() {
    let sdl = sdl();
    for word in [
        "Stats",
        "Mutation",
        "irregular",
        "rawEnding",
        "email",
        "password",
        "preferences",
    ] {
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
        "orderBy: GameOrder",
    ] {
        assert!(sdl.contains(part), "{part}");
    }
}
