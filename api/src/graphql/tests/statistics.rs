//! Statistics as GraphQL gives them; that they are right is shown where they are made and over HTTP.

use chrono::{DateTime, SubsecRound, Utc};
use domain::{Color, Command, OfferId};
use serde_json::{Value, json};

use super::world::World;

/// Every figure there is.
const EVERYTHING: &str = "
    games asOf excluded { aborted unfinished }
    results { redWins blueWins draws byReason { reason games redWins blueWins draws } }
    gameLength(buckets: 3) { count mean p10 p50 p90 buckets { from to count share } }
    thinkTime { count mean p10 p50 p90 buckets { from to count share } }
    battleMatrix { attacker defender fought attackerWins defenderWins bothRemoved }
    reveals { rank pieces revealed byCause { cause count } plies { mean p10 p50 p90 } bits }
    survival(at: [0, 1000]) { rank points { ply pieces alive share } }
    exchange { rank captured lost scoutingDeaths }
    deployment(rank: FLAG) { square games share winRate ci95 { low high } }
    firstMoves { move games share winRate ci95 { low high } }
    information { ply games winners losers }
    bluffs { bluffs called believed ignored disguisedScouts bombMimicry }
    byPeriod(unit: MONTH) { period games redWins blueWins draws }
    playerSummary(username: \"red\") { games wins draws losses winRate scoreRate }
";

fn everything(filter: &str) -> String {
    format!("{{ stats{filter} {{ {EVERYTHING} }} }}")
}

/// F02, D23: no cases, no rate.
#[tokio::test]
async fn of_no_games_there_are_no_rates() {
    let mut world = World::new();
    world.player("red");
    for filter in [
        "",
        "(filter: {sources: [\"gravon\"]})",
        "(filter: {status: [SETUP]})",
    ] {
        let stats = world.data(None, &everything(filter)).await["stats"].take();
        assert_eq!(stats["games"], 0);
        assert_eq!(stats["excluded"], json!({"aborted": 0, "unfinished": 0}));
        for empty in [
            "battleMatrix",
            "deployment",
            "firstMoves",
            "information",
            "byPeriod",
        ] {
            assert_eq!(stats[empty], json!([]), "{empty}");
        }
        let length = json!({
            "count": 0, "mean": null, "p10": null, "p50": null, "p90": null, "buckets": [],
        });
        assert_eq!(stats["gameLength"], length);
        assert_eq!(stats["thinkTime"], length);
        assert_eq!(stats["reveals"][0]["bits"], Value::Null);
        assert_eq!(stats["survival"][0]["points"][0]["share"], Value::Null);
        let summary = json!({
            "games": 0, "wins": 0, "draws": 0, "losses": 0, "winRate": null, "scoreRate": null,
        });
        assert_eq!(stats["playerSummary"], summary);
    }
    let nobody = "{ stats { playerSummary(username: \"nobody\") { games } } }";
    assert_eq!(
        world.data(None, nobody).await["stats"]["playerSummary"],
        Value::Null
    );
}

#[tokio::test]
async fn figures_have_their_counts_beside_them() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 8);
    world.running(red, blue, 2);
    let private = world.game(red, blue, true);
    world.begin(private);
    let stats = world.data(None, &everything("")).await["stats"].take();
    let game = world.load(id);
    let winner = game.summary.outcome.unwrap().winner.unwrap();
    assert_eq!(stats["games"], 1);
    assert_eq!(stats["excluded"], json!({"aborted": 0, "unfinished": 1}));
    assert_eq!(stats["results"]["redWins"], u8::from(winner == Color::Red));
    assert_eq!(stats["results"]["byReason"][0]["games"], 1);
    assert_eq!(stats["gameLength"]["p50"], f64::from(game.summary.ply));
    assert_eq!(stats["thinkTime"]["count"], game.summary.ply);
    // A second between all that happens in this world.
    assert_eq!(stats["thinkTime"]["p50"], 1.0);
    let squares = stats["deployment"].as_array().unwrap();
    let shares: f64 = squares
        .iter()
        .map(|square| square["share"].as_f64().unwrap())
        .sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    for square in squares {
        let (rate, interval) = (square["winRate"].as_f64().unwrap(), &square["ci95"]);
        assert!(interval["low"].as_f64().unwrap() <= rate, "{square}");
        assert!(interval["high"].as_f64().unwrap() >= rate, "{square}");
    }
    let curve = stats["information"].as_array().unwrap();
    assert_eq!(curve.len(), usize::try_from(game.summary.ply).unwrap() + 1);
    assert_eq!(
        curve[0],
        json!({"ply": 0, "games": 1, "winners": 18.7911, "losers": 18.7911})
    );
    let won = winner == Color::Red;
    assert_eq!(stats["playerSummary"]["wins"], u8::from(won));
    assert_eq!(
        stats["playerSummary"]["scoreRate"],
        f64::from(u8::from(won))
    );
    assert_eq!(stats["byPeriod"].as_array().unwrap().len(), 1);
}

/// It is the time of the question, to the millisecond.
#[tokio::test]
async fn figures_say_when_they_were_so() {
    let world = World::new();
    let before = Utc::now().trunc_subsecs(3);
    let stats = world.data(None, "{ stats { asOf } }").await["stats"].take();
    let as_of: DateTime<Utc> = stats["asOf"].as_str().unwrap().parse().unwrap();
    assert!((before..=Utc::now()).contains(&as_of), "{as_of}");
}

/// F07: an instant has another day elsewhere.
#[tokio::test]
async fn a_day_is_that_of_its_zone() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    world.finished(red, blue, 2);
    // The world begins at 2026-03-27T10:00Z.
    for (tz, period) in [
        ("UTC", "2026-03-27"),
        ("Pacific/Kiritimati", "2026-03-28"),
        ("Pacific/Pago_Pago", "2026-03-26"),
    ] {
        let query = format!("{{ stats {{ byPeriod(unit: DAY, tz: {tz:?}) {{ period games }} }} }}");
        let periods = world.data(None, &query).await["stats"]["byPeriod"].take();
        assert_eq!(periods, json!([{"period": period, "games": 1}]));
    }
}

/// One section is read for all that is made of it, whatever it is called.
#[tokio::test]
async fn fields_in_fragments_and_under_other_names_are_read() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    world.finished(red, blue, 60);
    let query = "
        query($deep: Boolean!) {
            stats { ...all ... on Stats { lengths: gameLength { count } } }
            other: stats(filter: {maxPlies: 0}) { games @include(if: $deep) results { redWins } }
        }
        fragment all on Stats { count: games matrix: battleMatrix { fought } }";
    let mut answer = world.ask_with(None, query, json!({"deep": true})).await;
    let data = answer["data"].take();
    assert_eq!(data["stats"]["count"], 1);
    assert_eq!(data["stats"]["lengths"]["count"], 1);
    assert!(!data["stats"]["matrix"].as_array().unwrap().is_empty());
    assert_eq!(data["other"]["games"], 0);
}

const SUMMARY: &str = "{ stats { gameLength { mean } \
    playerSummary(username: \"red\") { games wins draws losses winRate scoreRate } } }";

/// F02: a draw is half of a point, and no win.
#[tokio::test]
async fn a_draw_is_half_of_a_point() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.running(red, blue, 2);
    world.act(id, Color::Red, &Command::OfferDraw(OfferId(1)));
    world.act(id, Color::Blue, &Command::AcceptOffer(OfferId(1)));
    let stats = world.data(None, SUMMARY).await["stats"].take();
    let summary = json!({
        "games": 1, "wins": 0, "draws": 1, "losses": 0, "winRate": 0.0, "scoreRate": 0.5,
    });
    assert_eq!(stats["playerSummary"], summary);
}

/// F03: whole numbers are not divided as such.
#[tokio::test]
async fn rates_and_means_are_not_whole_numbers() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    for (plies, gives_up) in [
        (3, Color::Blue),
        (4, Color::Red),
        (3, Color::Red),
        (4, Color::Red),
        (3, Color::Red),
    ] {
        let id = world.running(red, blue, plies);
        world.act(id, gives_up, &Command::Resign);
    }
    let stats = world.data(None, SUMMARY).await["stats"].take();
    assert_eq!(stats["playerSummary"]["winRate"], 0.2);
    assert_eq!(stats["gameLength"]["mean"], 3.4);
}
