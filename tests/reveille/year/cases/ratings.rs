//! What ratings come to, in the figures of the cases.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Double;
use domain::{ByColor, Color, Rating, rate};
use serde_json::{Value, json};
use tests::setup::ORIGINAL;
use tests::{Client, Game, Side};

use super::Story;
use super::glicko::{Player, new_volatility};
use crate::games::abort;
use crate::lines::EVEN;
use crate::pauses::in_setup;
use crate::ratings::{history, near, points, rated, ratings};

const MILLION: f64 = 1e6;
const BILLION: f64 = 1e9;

#[derive(QueryableByName)]
struct Figure {
    #[diesel(sql_type = Double)]
    figure: f64,
}

/// The one figure that a statement gives, read behind the server's back.
fn figure(story: &Story, select: &str) -> f64 {
    let url = story.timed().database().url();
    let query = diesel::sql_query(format!(
        "SELECT CAST(({select}) AS DOUBLE PRECISION) AS figure"
    ));
    let found: QueryResult<Figure> = if let Some(file) = url.strip_prefix("sqlite://") {
        let mut connection = SqliteConnection::establish(file).expect("a database");
        let patience = connection.batch_execute("PRAGMA busy_timeout = 30000");
        patience.and_then(|()| query.get_result(&mut connection))
    } else {
        let mut connection = PgConnection::establish(url).expect("a database");
        query.get_result(&mut connection)
    };
    let found = found.unwrap_or_else(|error| panic!("{select}: {error}"));
    found.figure
}

/// The condition that a row is of this player.
fn is_of(player: &Client) -> String {
    format!(
        "player_id = (SELECT id FROM players WHERE username = '{}')",
        player.name
    )
}

/// How a player stands, to the last figure.
fn standing(story: &Story, player: &Client) -> Player {
    let of = is_of(player);
    let column = |name: &str| figure(story, &format!("SELECT {name} FROM ratings WHERE {of}"));
    Player {
        rating: column("rating") / MILLION,
        deviation: column("deviation") / MILLION,
        volatility: column("volatility") / BILLION,
    }
}

/// Makes a player stand so, behind the server's back.
fn set(story: &Story, player: &Client, stands: Player) {
    let Player {
        rating,
        deviation,
        volatility,
    } = stands;
    let figures = [rating * MILLION, deviation * MILLION, volatility * BILLION]
        .map(|figure| format!("{figure:.0}"))
        .join(", ");
    story.timed().database().run(&format!(
        "INSERT INTO ratings (player_id, ruleset, rating, deviation, volatility, games, changes)
         SELECT id, 'barrage', {figures}, 0, 0 FROM players WHERE username = '{}'
         ON CONFLICT (player_id, ruleset) DO UPDATE SET rating = excluded.rating,
         deviation = excluded.deviation, volatility = excluded.volatility",
        player.name
    ));
}

fn two_players(story: &Story) -> [Client; 2] {
    ["red", "blue"].map(|name| story.timed().register(name))
}

/// A rated game that one side gives up after a move of each.
fn lost_by(side: Side, [red, blue]: [&Client; 2]) -> Game {
    let game = rated(red, blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
    game.resign(side).ok(200);
    game
}

#[track_caller]
fn close(value: f64, expected: f64, within: f64) {
    assert!(
        (value - expected).abs() <= within,
        "{value} is not {expected}"
    );
}

/// E02: four pairs of players, of whom much is known or next to nothing, stop playing.
pub(super) fn some_stop_playing(story: &mut Story) {
    for deviation in [50.0, 50.0, 50.0, 349.0] {
        let pair = two_players(story);
        lost_by(Side::Blue, pair.each_ref());
        for player in &pair {
            set(story, player, Player::new(1500.0, deviation, 0.06));
        }
        story.idle.push(pair);
    }
}

/// E02.
pub(super) fn one_period_later(story: &mut Story) {
    plays_again(story, 1, 51.07);
}

/// E02: 83 days are two periods.
pub(super) fn two_periods_later(story: &mut Story) {
    plays_again(story, 2, 52.13);
}

/// E02.
pub(super) fn a_year_later(story: &mut Story) {
    plays_again(story, 12, 61.67);
}

/// E02.
pub(super) fn never_beyond_a_newcomer(story: &mut Story) {
    plays_again(story, 12, 350.0);
}

/// Looking at idle players changes nothing; the first pair of them plays again, and its deviations have
/// grown to this, once.
fn plays_again(story: &mut Story, periods: u32, grown: f64) {
    for pair in &story.idle {
        for player in pair {
            assert_looks_change_nothing(story, player);
        }
    }
    let mut pair = story.idle.remove(0);
    story.meet(&mut pair);
    let before = standing(story, &pair[0]);
    lost_by(Side::Blue, pair.each_ref());
    let known = Rating {
        rating: before.rating,
        deviation: before.deviation,
        volatility: before.volatility,
    };
    let known = known.after_idling(Rating::IDLE_PERIOD * periods);
    close(known.deviation, grown, 0.005);
    let both = ByColor {
        red: known,
        blue: known,
    };
    let after = rate(both, Some(Color::Red));
    for (player, side) in pair.iter().zip(Color::ALL) {
        close(deviation_before(story, player, 2), grown, 0.005);
        let row = &history(player, player)[1];
        near(&row["rating"], after[side].rating.rating);
        near(&row["deviation"], after[side].rating.deviation);
    }
    lost_by(Side::Red, pair.each_ref());
    for player in &pair {
        let second = format!(
            "SELECT deviation FROM rating_history WHERE number = 2 AND {}",
            is_of(player)
        );
        let after_second = figure(story, &second) / MILLION;
        close(deviation_before(story, player, 3), after_second, 0.0);
    }
}

fn deviation_before(story: &Story, player: &Client, number: u32) -> f64 {
    let of = is_of(player);
    let select =
        format!("SELECT deviation_before FROM rating_history WHERE number = {number} AND {of}");
    figure(story, &select) / MILLION
}

fn assert_looks_change_nothing(story: &Story, player: &Client) {
    let anyone = player.at(&story.timed().url()).with_token(None);
    let before = standing(story, player);
    let shown = &ratings(&anyone)[0];
    near(&shown["deviation"], before.deviation);
    anyone.get(&format!("/v1/players/{}", player.name)).ok(200);
    let query = "query($name: String!) { player(username: $name) { ratings { deviation } } }";
    let seen = anyone.query(query, &json!({"name": player.name}));
    assert_eq!(
        seen["player"]["ratings"][0]["deviation"],
        shown["deviation"]
    );
    assert_eq!(history(&anyone, player).len(), 1);
    close(standing(story, player).deviation, before.deviation, 0.0);
    let rows = format!(
        "SELECT COUNT(*) FROM rating_history WHERE {}",
        is_of(player)
    );
    close(figure(story, &rows), 1.0, 0.0);
}

/// E03: the input for which an older method never ended comes to 1.1229 in five steps. The server keeps
/// such figures within its bounds, and rates the greatest upset at once, as the paper says. (What the
/// program makes of the input itself: `a_volatility_that_once_never_converged_does` in the domain.)
pub(super) fn extremes(story: &mut Story) {
    let (volatility, steps) = new_volatility(1.612_077_0, 1.090_210_2, 19.070_260_5, 25.990_744_8);
    close(volatility, 1.1229, 0.00005);
    assert_eq!(steps, 5);
    for [winner, loser] in [
        // 3,000 points below, and both as sure as can be.
        [
            Player::new(500.0, 30.0, 0.06),
            Player::new(3500.0, 30.0, 0.06),
        ],
        [
            Player::new(879.057_4, 280.046_5, 1.090_210_2),
            Player::new(1_462.083_2, 247.692_1, 0.06),
        ],
        [
            Player::new(100.0, 350.0, 0.1),
            Player::new(4000.0, 45.0, 0.02),
        ],
    ] {
        let pair = two_players(story);
        set(story, &pair[0], winner);
        set(story, &pair[1], loser);
        let game = rated(&pair[0], &pair[1], &EVEN, "a4-a5 a7-a6", &Value::Null);
        let began = Instant::now();
        game.resign(Side::Blue).ok(200);
        // A second is asked for; a machine that runs other tests as well may take a few.
        assert!(began.elapsed() < Duration::from_secs(10));
        assert_stands(story, &pair[0], winner.after_game(loser, 1.0));
        assert_stands(story, &pair[1], loser.after_game(winner, 0.0));
    }
}

/// A player stands as the paper says, to what is kept of it.
#[track_caller]
fn assert_stands(story: &Story, player: &Client, expected: Player) {
    let found = standing(story, player);
    close(found.rating, expected.rating, 0.001);
    close(found.deviation, expected.deviation, 0.001);
    close(found.volatility, expected.volatility, 0.000_001);
    near(&ratings(player)[0]["rating"], expected.rating);
}

/// E04: the example of the paper, as printed there; the server rates its three games one by one, and each
/// as the same steps do. (What the program makes of them in one period: `the_example_of_the_paper` in the
/// domain.)
pub(super) fn the_paper(story: &mut Story) {
    let games = [
        (Player::new(1400.0, 30.0, 0.06), 1.0),
        (Player::new(1550.0, 100.0, 0.06), 0.0),
        (Player::new(1700.0, 300.0, 0.06), 0.0),
    ];
    let mut stands = Player::new(1500.0, 200.0, 0.06);
    let after = stands.after_period(&games);
    close(after.rating, 1464.05, 0.01);
    close(after.deviation, 151.52, 0.01);
    close(after.volatility, 0.05999, 0.00001);
    let player = story.timed().register("paper");
    set(story, &player, stands);
    for (opponent, score) in games {
        let other = story.timed().register("other");
        set(story, &other, opponent);
        let loser = if score > 0.5 { Side::Blue } else { Side::Red };
        lost_by(loser, [&player, &other]);
        assert_stands(story, &other, opponent.after_game(stands, 1.0 - score));
        stands = stands.after_game(opponent, score);
        assert_stands(story, &player, stands);
    }
}

/// E05: two who only play each other, and win in turn, stay where they were, and neither grows ever more
/// sure: 200,000 games as the program rates them, and the first of them on the server.
pub(super) fn only_each_other(story: &mut Story) {
    let pair = two_players(story);
    let mut both = ByColor {
        red: Rating::START,
        blue: Rating::START,
    };
    for game in 0..200_000 {
        let winner = Color::ALL[game % 2];
        both = rate(both, Some(winner)).map(|rated| rated.rating);
        if game < 10 {
            let loser = [Side::Blue, Side::Red][game % 2];
            lost_by(loser, pair.each_ref());
            for (player, side) in pair.iter().zip(Color::ALL) {
                close(standing(story, player).rating, both[side].rating, 0.001);
            }
        }
    }
    let sum = both.red.rating + both.blue.rating;
    close(sum, 3000.0, 1.0);
    for (player, side) in pair.iter().zip(Color::ALL) {
        close(both[side].rating, 1500.0, 25.0);
        assert!((45.0..350.0).contains(&both[side].deviation), "{both:?}");
        set(story, player, Player::new(1500.0, 45.0, 0.02));
    }
    lost_by(Side::Red, pair.each_ref());
    for player in &pair {
        close(standing(story, player).deviation, 45.0, 0.0);
    }
}

/// E06: neither what ends before both have moved, in whatever way, nor a server that comes again.
pub(super) fn what_does_not_count(story: &mut Story) {
    let [mut red, mut blue] = two_players(story);
    let mut kept = rated(&red, &blue, &EVEN, "a4-a5", &Value::Null);
    let by_resignation = rated(&red, &blue, &EVEN, "", &Value::Null);
    by_resignation.resign(Side::Red).ok(200);
    let by_agreement = rated(&red, &blue, &EVEN, "a4-a5", &Value::Null);
    abort(&by_agreement, Side::Blue).ok(200);
    let day = json!({"time_control": {"kind": "per_move", "per_move": "P1D"}});
    let by_timeout = rated(&red, &blue, &EVEN, "a4-a5", &day);
    story.restart_after(Duration::ZERO);
    story.on("2027-04-11T09:00:00Z");
    story.meet([&mut red, &mut blue]);
    for (game, reason) in [
        (&by_resignation, "resignation"),
        (&by_agreement, "aborted"),
        (&by_timeout, "timeout"),
    ] {
        let view = red.get(&game.path("")).ok(200);
        assert_eq!(view["status"], "aborted");
        assert_eq!(view["outcome"], json!({"winner": null, "reason": reason}));
        for side in ["red", "blue"] {
            assert_eq!(view[side]["rating_change"], Value::Null);
        }
    }
    let listed = red
        .get(&format!("/v1/games?player={}&status=aborted", red.name))
        .ok(200);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(3));
    assert_eq!((ratings(&red), ratings(&blue)), (json!([]), json!([])));
    // The server came again: that ends nothing, and the game counts in the end.
    (kept.red, kept.blue) = (red, blue);
    kept.line("a7-a6");
    kept.resign(Side::Blue).ok(200);
    assert_eq!(history(&kept.red, &kept.red).len(), 1);
}

/// E07: ten games that run out in one night are ten losses, as documented.
pub(super) fn ten_in_one_night(story: &mut Story) {
    let late = story.timed().register("late");
    let day = json!({"time_control": {"kind": "per_move", "per_move": "P1D"}});
    let games: Vec<Game> = (0..10)
        .map(|_| {
            let other = story.timed().register("other");
            rated(&late, &other, &EVEN, "a4-a5 a7-a6", &day)
        })
        .collect();
    story.on("2027-05-03T09:00:00Z");
    let anyone = late.with_token(None);
    let mut lost = 0.0;
    for game in &games {
        let view = game.view(&anyone);
        assert_eq!(
            view["outcome"],
            json!({"winner": "blue", "reason": "timeout"})
        );
        assert_eq!(view["rated"], true);
        lost += points(&view["red"]["rating_change"]);
        let gained = points(&view["blue"]["rating_change"]);
        assert!(gained > 0.0);
        near(
            &ratings(&game.blue.with_token(None))[0]["rating"],
            1500.0 + gained,
        );
    }
    let (shown, rows) = (&ratings(&anyone)[0], history(&anyone, &late));
    assert_eq!((&shown["games"], rows.len()), (&json!(10), 10));
    assert_eq!(rows[9]["rating"], shown["rating"]);
    close(points(&shown["rating"]), 1500.0 + lost, 0.06);
    let falls = rows
        .windows(2)
        .all(|two| points(&two[1]["rating"]) < points(&two[0]["rating"]));
    assert!(falls, "{rows:?}");
}

/// E08: a pool without an annulled game is as if it had not been, and nothing goes with a player who leaves.
pub(super) fn one_is_annulled(story: &mut Story) {
    let (pair, twins) = (two_players(story), two_players(story));
    let [first, second, third] =
        [Side::Blue, Side::Blue, Side::Red].map(|loser| lost_by(loser, pair.each_ref()));
    for loser in [Side::Blue, Side::Red] {
        lost_by(loser, twins.each_ref());
    }
    let before = standing(story, &pair[0]).rating;
    annul(story, &second);
    assert!(
        standing(story, &pair[0]).rating < before,
        "a game that was won is gone"
    );
    for (player, twin) in pair.iter().zip(&twins) {
        assert_stands(story, player, standing(story, twin));
        assert_eq!(ratings(player)[0], ratings(twin)[0]);
    }
    let view = second.view(&pair[1]);
    assert_eq!(
        (&view["rated"], &view["status"]),
        (&json!(false), &json!("finished"))
    );
    assert_eq!(view["annulled"]["reason"], "played by a program");
    assert_eq!(view["red"]["rating_change"], Value::Null);
    pair[1].delete("/v1/me").ok(204);
    let rows = history(&pair[0], &pair[0]);
    let of: Vec<&Value> = rows.iter().map(|row| &row["game_id"]).collect();
    assert_eq!(of, [&json!(first.id), &json!(second.id), &json!(third.id)]);
    let marked: Vec<&Value> = rows.iter().map(|row| &row["annulled"]).collect();
    assert_eq!(marked, [false, true, false]);
    assert_eq!(rows[2]["rating"], ratings(&pair[0])[0]["rating"]);
    let orphans = "SELECT COUNT(*) FROM rating_history h WHERE NOT EXISTS (SELECT 1 FROM ratings r
        WHERE r.player_id = h.player_id AND r.ruleset = h.ruleset)";
    close(figure(story, orphans), 0.0, 0.0);
}

/// An administrator takes a game out.
fn annul(story: &Story, game: &Game) {
    let mut admin = story.timed().register("admin");
    story.timed().database().run(&format!(
        "UPDATE players SET is_admin = (1 = 1) WHERE username = '{}'",
        admin.name
    ));
    story.meet([&mut admin]);
    let path = format!("/v1/admin/games/{}/annul", game.id);
    let reason = json!({"reason": "played by a program"});
    admin.post(&path, &reason).ok(204);
}

/// E09: a classic game, which is our `original`, and a barrage game of one day are in pools of their own, and what each changed adds up.
pub(super) fn two_rule_sheets(story: &mut Story) {
    let mut original = in_setup(story.timed(), &json!({"ruleset": "original"}));
    for side in [Side::Red, Side::Blue] {
        original.place(side, ORIGINAL).ok(200);
    }
    original.line("a4-a5 a7-a6");
    original.resign(Side::Blue).ok(200);
    let pair = [&original.red, &original.blue];
    let barrage = lost_by(Side::Red, pair);
    let again = lost_by(Side::Red, pair);
    for (player, side) in pair.into_iter().zip(["red", "blue"]) {
        let shown = ratings(player);
        assert_eq!(shown.as_array().map(Vec::len), Some(2));
        for (nth, ruleset, games) in [
            (0, "original", vec![&original]),
            (1, "barrage", vec![&barrage, &again]),
        ] {
            let pool = &shown[nth];
            assert_eq!(
                (&pool["ruleset"], &pool["games"]),
                (&json!(ruleset), &json!(games.len()))
            );
            let gained = |game: &&Game| points(&game.view(player)[side]["rating_change"]);
            let sum: f64 = games.iter().map(gained).sum();
            close(points(&pool["rating"]), 1500.0 + sum, 0.02);
            let path = format!(
                "/v1/players/{}/rating-history?ruleset={ruleset}",
                player.name
            );
            let rows = player.get(&path).ok(200)["items"].clone();
            assert_eq!(rows.as_array().map(Vec::len), Some(games.len()));
            assert_eq!(rows[games.len() - 1]["rating"], pool["rating"]);
        }
        let query = "query($name: String!) { player(username: $name) { ratings { ruleset rating games }
            original: games(filter: {rulesets: [\"original\"]}, first: 9) { edges { node { uuid } } } } }";
        let seen = player.query(query, &json!({"name": player.name}))["player"].clone();
        for nth in [0, 1] {
            for field in ["ruleset", "rating", "games"] {
                assert_eq!(seen["ratings"][nth][field], shown[nth][field], "{field}");
            }
        }
        assert_eq!(
            seen["original"]["edges"],
            json!([{"node": {"uuid": original.id}}])
        );
    }
}
