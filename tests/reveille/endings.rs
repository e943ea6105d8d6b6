//! Endings over HTTP: without a mobile piece or a legal move, between equals, after plies without an attack.

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::{Backend, Client, Game, Side, TestServer, Timed, assert_problem, on_both};

use crate::lines::{
    BLUE_HAS_NOTHING_LEFT_TO_MOVE, BLUE_IS_WALLED_IN, BOTH_ARE_WALLED_IN, ENDINGS, EVEN, Line,
};
use crate::moves::{after, after_with};
use crate::ratings::{history, points, rated, ratings};

/// A15: a side whose last mobile piece wins its attack plays on.
fn the_last_mobile_piece_may_win_and_play_on(server: &TestServer) {
    let mut game = after(
        server,
        "barrage",
        "Ma4 9b4 Se4 3f4 2i4 2j4 Fa1 Bb1",
        "2a7 Mb7 3e7 9f7 Bi7 2j7 Sa9 Fa10",
        "i4xi7 b7-b8 j4xj7 b8-b7 e4-e5 e7-e6 e5xe6 b7-b8 f4-f5 f7-f6 f5xf6 b8-b7 b4-b5 b7-b6 b5xb6 a7-a6 a4-a5 e6-e5",
    );
    let won = game.line("a5xa6");
    assert_eq!(won["move"]["attack"]["outcome"], "attacker_wins");
    assert_eq!(
        (&won["game"]["status"], &won["game"]["turn"]),
        (&json!("active"), &json!("blue"))
    );
}

/// A01: the end comes at once, not when a clock runs out.
fn a_side_without_a_mobile_piece_has_lost_at_once(server: &TestServer) {
    let game = BLUE_HAS_NOTHING_LEFT_TO_MOVE.play(server);
    let view = game.view(&game.blue);
    assert_eq!(
        view["outcome"],
        json!({"winner": "red", "reason": "no_mobile_pieces"})
    );
    assert_eq!(
        (&view["status"], &view["turn"], &view["deadline"]),
        (&json!("finished"), &Value::Null, &Value::Null)
    );
    assert_problem(&game.attempt("a10-a9"), 409, "game_over");
}

/// A02: what counts is whether the side to move can move.
fn a_walled_in_side_has_lost(server: &TestServer) {
    let blue = BLUE_IS_WALLED_IN.play(server);
    assert_eq!(
        blue.view(&blue.red)["outcome"],
        json!({"winner": "red", "reason": "no_legal_move"})
    );
    let both = BOTH_ARE_WALLED_IN.play(server);
    assert_eq!(
        both.view(&both.red)["outcome"],
        json!({"winner": null, "reason": "both_immobile"})
    );
}

/// F08: the winner is the winner in every view and list, whoever ended it.
fn every_ending_names_its_winner_everywhere(server: &TestServer) {
    for line in ENDINGS {
        let game = line.play(server);
        let outcome = json!({"winner": line.winner_json(), "reason": line.reason});
        for viewer in [&game.red, &game.blue, &server.client()] {
            assert_eq!(game.view(viewer)["outcome"], outcome);
        }
        let page = game
            .red
            .get(&format!("/v1/games?player={}", game.red.name))
            .ok(200);
        assert_eq!(page["items"][0]["outcome"], outcome);
        assert_eq!(game.replay(&game.red, "")["game"]["outcome"], outcome);
        let seen = game.red.query(
            "query($id: UUID!) { game(id: $id) { outcome { winner reason } } }",
            &json!({"id": game.id}),
        );
        let winner = line
            .winner
            .map_or(Value::Null, |side| json!(side.name().to_uppercase()));
        assert_eq!(
            seen["game"]["outcome"],
            json!({"winner": winner, "reason": line.reason.to_uppercase()})
        );
    }
}

/// How a game ends, and who wins.
struct Ending {
    line: Line,
    moves: &'static str,
    /// What is done after the moves.
    act: fn(&Timed, &mut Game),
    winner: Option<Side>,
    reason: &'static str,
}

fn time_goes_by(timed: &Timed, game: &mut Game) {
    timed.advance([&mut game.red, &mut game.blue], Duration::from_hours(72));
    timed.keep_time();
}

/// Each ending for each side that can bring it about.
fn endings() -> Vec<Ending> {
    const RESIGN: [fn(&Timed, &mut Game); 2] = [
        |_, game| drop(game.resign(Side::Red).ok(200)),
        |_, game| drop(game.resign(Side::Blue).ok(200)),
    ];
    let even = |moves, act, winner, reason| Ending {
        line: EVEN,
        moves,
        act,
        winner,
        reason,
    };
    let mut endings = vec![
        even("a4-a5 a7-a6", RESIGN[0], Some(Side::Blue), "resignation"),
        even("a4-a5 a7-a6", RESIGN[1], Some(Side::Red), "resignation"),
        even("a4-a5 a7-a6", time_goes_by, Some(Side::Blue), "timeout"),
        even(
            "a4-a5 a7-a6 b4-b5",
            time_goes_by,
            Some(Side::Red),
            "timeout",
        ),
        even(
            "a4-a5 a7-a6",
            |_, game| {
                let offer = game
                    .blue
                    .post(&game.path("/offers"), &json!({"kind": "draw"}));
                let accept = format!("/offers/{}/accept", text(&offer.ok(201)["id"]));
                game.red.post(&game.path(&accept), &json!({})).ok(200);
            },
            None,
            "draw_agreed",
        ),
    ];
    endings.extend(ENDINGS.map(|line| Ending {
        line,
        moves: line.moves,
        act: |_, _| {},
        winner: line.winner,
        reason: line.reason,
    }));
    endings
}

/// F08: the winner is the winner in statistics, ratings and files as well.
fn every_ending_counts_for_its_winner(backend: Backend) {
    let timed = Timed::start(backend);
    for ending in endings() {
        let (red, blue) = (timed.register("red"), timed.register("blue"));
        let mut game = rated(&red, &blue, &ending.line, ending.moves, &Value::Null);
        (ending.act)(&timed, &mut game);
        let place = format!("{} {:?}", ending.reason, ending.winner);
        let count = |winner: Option<Side>| u8::from(ending.winner == winner);
        let (red_wins, blue_wins) = (count(Some(Side::Red)), count(Some(Side::Blue)));
        let query =
            "query($red: String!, $blue: String!) { stats(filter: {players: [$red]}) { games
            results { redWins blueWins draws byReason { reason games redWins blueWins draws } }
            red: playerSummary(username: $red) { wins draws losses }
            blue: playerSummary(username: $blue) { wins draws losses } } }";
        let names = json!({"red": red.name, "blue": blue.name});
        let stats = game.red.query(query, &names)["stats"].take();
        let draws = count(None);
        let results = json!({
            "redWins": red_wins, "blueWins": blue_wins, "draws": draws,
            "byReason": [{"reason": ending.reason.to_uppercase(), "games": 1,
                "redWins": red_wins, "blueWins": blue_wins, "draws": draws}],
        });
        let summary = |wins, losses| json!({"wins": wins, "draws": draws, "losses": losses});
        let expected = json!({"games": 1, "results": results,
            "red": summary(red_wins, blue_wins), "blue": summary(blue_wins, red_wins)});
        assert_eq!(stats, expected, "{place}");
        let rating = |of: &Client| points(&ratings(of)[0]["rating"]);
        let [red_points, blue_points] = [rating(&game.red), rating(&game.blue)];
        match ending.winner {
            Some(Side::Red) => assert!(red_points > 1_500.0 && blue_points < 1_500.0, "{place}"),
            Some(Side::Blue) => assert!(red_points < 1_500.0 && blue_points > 1_500.0, "{place}"),
            None => assert!((red_points - blue_points).abs() < 1e-6, "{place}"),
        }
        let winner = ending.winner.map_or(Value::Null, |side| json!(side.name()));
        let outcome = json!({"winner": winner, "reason": ending.reason, "raw_ending": null});
        let file = game.blue.get(&game.path("/export")).ok(200);
        assert_eq!(file["outcome"], outcome, "{place}");
        // As the archive of Gravon counts: 1 Red, 2 Blue, 3 nobody.
        let number = ending
            .winner
            .map_or(3, |side| if side == Side::Red { 1 } else { 2 });
        let file = game.blue.get(&game.path("/export?format=gravon"));
        let winner = format!("winner=\"{number}\"");
        assert!(file.text().contains(&winner), "{place}: {}", file.text());
    }
}

/// F08: a game that was called off counts for nobody.
fn a_game_that_is_called_off_counts_for_nobody(backend: Backend) {
    let timed = Timed::start(backend);
    let acts: [fn(&Timed, &mut Game); 3] = [
        |_, game| drop(game.red.post(&game.path("/abort"), &json!({})).ok(200)),
        |_, game| drop(game.blue.post(&game.path("/abort"), &json!({})).ok(200)),
        time_goes_by,
    ];
    for act in acts {
        let (red, blue) = (timed.register("red"), timed.register("blue"));
        let mut game = rated(&red, &blue, &EVEN, "", &Value::Null);
        act(&timed, &mut game);
        assert_eq!(game.view(&game.red)["status"], "aborted");
        let query = "query($red: String!) { stats(filter: {players: [$red]}) { games
            excluded { aborted unfinished } playerSummary(username: $red) { games } } }";
        let stats = game.red.query(query, &json!({"red": red.name}))["stats"].take();
        let expected = json!({"games": 0, "excluded": {"aborted": 1, "unfinished": 0},
            "playerSummary": {"games": 0}});
        assert_eq!(stats, expected);
        for player in [&game.red, &game.blue] {
            assert_eq!(history(player, player), Vec::<Value>::new());
        }
        let refused = game.red.get(&game.path("/export"));
        assert_problem(&refused, 409, "game_not_active");
    }
}

fn plies_without_an_attack_end_in_a_draw_where_that_was_agreed(server: &TestServer) {
    let round = "a4-a5 a7-a8 b4-b5 b7-b8 a5-a4 a8-a7 b5-b4 b8-b7";
    let moves: Vec<&str> = round.split(' ').cycle().take(49).collect();
    let mut game = after_with(
        server,
        "barrage",
        &json!({"no_progress_plies": 50}),
        (EVEN.red, EVEN.blue),
        &moves.join(" "),
    );
    assert_eq!(game.view(&game.red)["status"], "active");
    let last = game.line("b7-b8");
    assert_eq!(
        last["game"]["outcome"],
        json!({"winner": null, "reason": "no_progress"})
    );
}

fn the_aggressor_wins_between_equals_where_that_was_agreed(server: &TestServer) {
    let mut game = after_with(
        server,
        "barrage",
        &json!({"aggressor_advantage": true}),
        (EVEN.red, EVEN.blue),
        "",
    );
    assert_eq!(
        game.line("i4xi7")["move"]["attack"]["outcome"],
        "attacker_wins"
    );
}

on_both! {
    every_ending_counts_for_its_winner,
    a_game_that_is_called_off_counts_for_nobody,
    the_last_mobile_piece_may_win_and_play_on,
    a_side_without_a_mobile_piece_has_lost_at_once,
    a_walled_in_side_has_lost,
    every_ending_names_its_winner_everywhere,
    plies_without_an_attack_end_in_a_draw_where_that_was_agreed,
    the_aggressor_wins_between_equals_where_that_was_agreed,
}
