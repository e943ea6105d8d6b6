//! What the clock decides: deadlines, who loses by them, and what is shown of them.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tests::duration::seconds;
use tests::{Client, Game, Side, assert_problem};

use super::{DAY, HOUR, Story, at};
use crate::clock::{advance, per_move};
use crate::lines::{BLUE_HAS_NOTHING_LEFT_TO_MOVE, EVEN};
use crate::mail;
use crate::pauses::{begin, in_setup, instant, told};
use crate::ratings::{history, rated, ratings};

const DAY_SECONDS: u64 = 86_400;

/// The games of a player that have come to this status, as anyone finds them on a list.
fn listed(player: &Client, status: &str) -> Value {
    let path = format!("/v1/games?player={}&status={status}", player.name);
    player.with_token(None).get(&path).ok(200)["items"].clone()
}

/// How often a player was told of something in a game.
fn count(told: &[(String, Value)], kind: &str, game: &Game) -> usize {
    let id = json!(game.id);
    let of_game = |(name, data): &&(String, Value)| {
        name == kind && (data["game_id"] == id || data["game"]["id"] == id)
    };
    told.iter().filter(of_game).count()
}

/// C01: nobody calls, and the game ends at its deadline; a list is the first that is read.
pub(super) fn nobody_calls(story: &mut Story) {
    let mut game = begin(story.timed(), &json!({}));
    let deadline = game.view(&game.red)["deadline"].clone();
    assert_eq!(deadline, "2026-12-02T09:00:00.000Z");
    story.on("2026-12-05T09:00:00Z");
    let outcome = json!({"winner": "blue", "reason": "timeout"});
    let of_blue = &listed(&game.blue, "finished")[0];
    assert_eq!(of_blue["outcome"], outcome);
    assert_eq!(of_blue["finished_at"], deadline);
    assert_eq!(listed(&game.red, "active"), json!([]));
    let anyone = game.red.with_token(None);
    for player in [&game.red, &game.blue] {
        let rows = history(&anyone, player);
        assert_eq!(rows.len(), 1, "rated once");
        assert_eq!(rows[0]["at"], deadline);
        assert_eq!(ratings(&player.with_token(None))[0]["games"], 1);
        let query = "query($name: String!) { games(filter: {players: [$name], reasons: [TIMEOUT]}, first: 9)
            { edges { node { uuid finishedAt outcome { winner } } } } }";
        let found = anyone.query(query, &json!({"name": player.name}))["games"]["edges"].clone();
        assert_eq!(found[0]["node"]["uuid"], json!(game.id));
        assert_eq!(found[0]["node"]["outcome"], json!({"winner": "BLUE"}));
        assert_eq!(found[1], Value::Null);
    }
    assert_eq!(game.view(&anyone)["outcome"], outcome);
    story.meet([&mut game.red, &mut game.blue]);
    for player in [&game.red, &game.blue] {
        let told = told(player, "/v1/me/events");
        assert_eq!(count(&told, "game.finished", &game), 1);
    }
}

/// C04, in spring: noon in Berlin is eleven in UTC, and ten from the 28th of March on.
pub(super) fn clocks_go_forward(story: &mut Story) {
    let digests = [
        "2027-03-27T07:00:00Z",
        "2027-03-28T06:00:00Z",
        "2027-03-29T06:00:00Z",
    ];
    three_days_in_berlin(story, "2027-03-26T11:00:00.000Z", digests);
}

/// C04, in autumn: noon in Berlin is ten in UTC, and eleven from the 31st of October on.
pub(super) fn clocks_go_back(story: &mut Story) {
    let digests = [
        "2027-10-30T06:00:00Z",
        "2027-10-31T07:00:00Z",
        "2027-11-01T07:00:00Z",
    ];
    three_days_in_berlin(story, "2027-10-29T10:00:00.000Z", digests);
}

/// Three days are 259,200 seconds, and a digest comes once on each of them, at eight o'clock. (Where the server
/// itself is in another zone: `instants_do_not_move_with_time_zones`.)
fn three_days_in_berlin(story: &mut Story, noon: &str, digests: [&str; 3]) {
    let (mut reader, _) = story.post.receiver("reader", &["digest"]);
    let zone = json!({"preferences": {"tz": "Europe/Berlin"}});
    reader.patch("/v1/me", &zone).ok(200);
    let other = story.timed().register("other");
    mail::game(&reader, &other, &mail::unlimited());
    story.on(noon);
    let game = begin(story.timed(), &json!({"time_control": per_move("P3D")}));
    let anyone = game.red.with_token(None);
    let view = game.view(&anyone);
    assert_eq!(view["last_move"]["played_at"], noon);
    let deadline = at(noon) + TimeDelta::seconds(259_200);
    let written = format!("{}Z", deadline.format("%Y-%m-%dT%H:%M:%S%.3f"));
    assert_eq!(view["deadline"], json!(written));
    let came = digests_until(story, deadline - TimeDelta::hours(1));
    assert_eq!(came, digests.map(at));
    story.until(deadline - TimeDelta::seconds(1));
    assert_eq!(game.view(&anyone)["status"], "active");
    story.until(deadline);
    let view = game.view(&anyone);
    assert_eq!(view["outcome"]["reason"], "timeout");
    assert_eq!(view["finished_at"], json!(written));
    story.meet([&mut reader]);
    reader.delete("/v1/me").ok(204);
}

/// Goes on hour by hour; when the mail of that time was sent.
fn digests_until(story: &Story, until: DateTime<Utc>) -> Vec<DateTime<Utc>> {
    let mut came = Vec::new();
    while story.now() < until {
        story.timed().clock.advance(HOUR);
        story.timed().keep_time();
        story.timed().send_mail();
        for mail in story.post.mailbox.take() {
            assert_eq!(mail.subject(), "Your games");
            let date = mail.header("date").expect("a date");
            let date = DateTime::parse_from_rfc2822(&date).expect("a date");
            came.push(date.with_timezone(&Utc));
        }
    }
    came
}

/// C05: whoever uses 23 h 55 min of a day has a whole one again, and the other's runs from the move.
pub(super) fn a_late_move(story: &mut Story) {
    let mut game = begin(story.timed(), &json!({}));
    advance(story.timed(), &mut game, Duration::from_mins(24 * 60 - 5));
    let moved = game.line("b4-b5")["game"].clone();
    assert_eq!(
        seconds(&moved["last_move"]["think_time"]),
        DAY_SECONDS - 300
    );
    assert_eq!(instant(&moved["last_move"]["played_at"]), story.now());
    assert_eq!(
        instant(&moved["deadline"]),
        story.now() + TimeDelta::days(1)
    );
    for side in ["red", "blue"] {
        assert_eq!(seconds(&moved[side]["time_left"]), DAY_SECONDS, "{side}");
    }
    for _ in 0..2 {
        for viewer in [&game.red, &game.blue] {
            let again = game.view(viewer);
            assert_eq!(again["deadline"], moved["deadline"]);
            assert_eq!(again["red"]["time_left"], moved["red"]["time_left"]);
        }
        advance(story.timed(), &mut game, HOUR);
    }
}

/// C06: the clocks of a finished game stand, and nothing comes of a deadline that it had.
pub(super) fn after_the_end(story: &mut Story) {
    let mut game = begin(story.timed(), &json!({}));
    advance(story.timed(), &mut game, 5 * HOUR);
    let ended = game.resign(Side::Blue).ok(200);
    advance(story.timed(), &mut game, HOUR);
    let an_hour_later = game.view(&game.red);
    story.on("2026-12-13T09:00:00Z");
    story.meet([&mut game.red, &mut game.blue]);
    for later in [an_hour_later, game.view(&game.red)] {
        for side in ["red", "blue"] {
            assert_eq!(later[side]["time_left"], ended[side]["time_left"], "{side}");
        }
        for field in ["deadline", "outcome", "finished_at", "updated_at", "turn"] {
            assert_eq!(later[field], ended[field], "{field}");
        }
    }
    assert_eq!(ended["outcome"]["reason"], "resignation");
    let told = told(&game.red, "/v1/me/events");
    assert_eq!(count(&told, "game.finished", &game), 1);
    assert_eq!(count(&told, "deadline.near", &game), 0);
}

/// C18: there is a deadline from the first moment, and looking at it does not move it.
pub(super) fn before_the_first_move(story: &mut Story) {
    let mut game = in_setup(story.timed(), &json!({}));
    assert_deadline_stays(story, &mut game, "2026-12-15T09:00:00.000Z");
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    assert_eq!(game.view(&game.red)["ply"], 0);
    assert_deadline_stays(story, &mut game, "2026-12-15T11:00:00.000Z");
    let unlimited = json!({"time_control": mail::unlimited()});
    let game = begin(story.timed(), &unlimited);
    let view = game.view(&game.red);
    assert_eq!(view["deadline"], Value::Null);
    assert_eq!(view["red"]["time_left"], Value::Null);
    assert_eq!(view["time_control"]["kind"], "unlimited", "the reason");
}

/// Two looks, an hour after each.
fn assert_deadline_stays(story: &Story, game: &mut Game, deadline: &str) {
    for _ in 0..2 {
        for viewer in [&game.red, &game.blue, &game.red.with_token(None)] {
            let view = game.view(viewer);
            assert_eq!(view["deadline"], deadline);
            for side in ["red", "blue"] {
                assert!(seconds(&view[side]["time_left"]) > 0, "{view}");
            }
        }
        advance(story.timed(), game, HOUR);
    }
}

/// C07: an army and a first move have the whole time of a move, and a game without them is called off.
pub(super) fn never_begun(story: &mut Story) {
    let week = json!({"time_control": per_move("P7D")});
    let one_army = in_setup(story.timed(), &week);
    let no_move = in_setup(story.timed(), &week);
    let unlimited = in_setup(story.timed(), &json!({"time_control": mail::unlimited()}));
    let (red, blue) = EVEN.setups();
    one_army.place(Side::Red, &red).ok(200);
    no_move.place(Side::Red, &red).ok(200);
    no_move.place(Side::Blue, &blue).ok(200);
    let anyone = no_move.red.with_token(None);
    let (in_a_week, in_four) = ("2026-12-23T09:00:00.000Z", "2027-01-13T09:00:00.000Z");
    story.until(at(in_a_week) - TimeDelta::seconds(1));
    for (game, status) in [(&one_army, "setup"), (&no_move, "active")] {
        let view = game.view(&anyone);
        assert_eq!(
            (&view["status"], &view["deadline"]),
            (&json!(status), &json!(in_a_week))
        );
    }
    story.on(in_a_week);
    assert_called_off(&one_army, in_a_week, "setup_timeout");
    assert_called_off(&no_move, in_a_week, "timeout");
    assert_eq!(unlimited.view(&anyone)["deadline"], in_four);
    story.on(in_four);
    assert_called_off(&unlimited, in_four, "setup_timeout");
}

/// Both players have it on their lists with the reason, and neither was rated.
fn assert_called_off(game: &Game, deadline: &str, reason: &str) {
    for player in [&game.red, &game.blue] {
        let of_player = &listed(player, "aborted")[0];
        let outcome = json!({"winner": null, "reason": reason});
        assert_eq!(of_player["outcome"], outcome);
        assert_eq!(of_player["finished_at"], deadline);
        assert_eq!(of_player["red"]["rating_change"], Value::Null);
        assert_eq!(ratings(&player.with_token(None)), json!([]));
    }
}

/// C14: exactly the side to move loses, whatever it has taken, and after an outage as well.
pub(super) fn who_loses_on_time(story: &mut Story) {
    let line = &BLUE_HAS_NOTHING_LEFT_TO_MOVE;
    let day = json!({"time_control": per_move("P1D")});
    // Red's marshal takes the general.
    let of_red = "a4-a5 a7-a6 a5xa6 b7-b6";
    let of_blue = "a4-a5 a7-a6 a5xa6";
    let mut games = [of_red, of_blue].map(|moves| {
        let (red, blue) = (
            story.timed().register("red"),
            story.timed().register("blue"),
        );
        rated(&red, &blue, line, moves, &day)
    });
    for game in &games {
        assert_eq!(game.view(&game.red)["captured"][0]["owner"], "blue");
    }
    // Both would be late by far.
    story.restart_after(10 * DAY);
    for game in &mut games {
        story.meet([&mut game.red, &mut game.blue]);
        let view = game.view(&game.red);
        assert_eq!(view["status"], "active");
        assert_eq!(view["deadline"], "2027-02-05T09:00:00.000Z");
    }
    story.on("2027-02-05T09:00:00Z");
    for (game, [loser, winner]) in games.iter().zip([["red", "blue"], ["blue", "red"]]) {
        let view = game.view(&game.red.with_token(None));
        let outcome = json!({"winner": winner, "reason": "timeout"});
        assert_eq!(view["outcome"], outcome);
        assert_eq!(seconds(&view[loser]["time_left"]), 0);
        assert_eq!(seconds(&view[winner]["time_left"]), DAY_SECONDS);
    }
}

/// C17: a move counts when it comes before the deadline; at it time decides, before a resignation too.
pub(super) fn to_the_millisecond(story: &mut Story) {
    let hour = json!({"time_control": per_move("PT1H")});
    let outcome = json!({"winner": "blue", "reason": "timeout"});
    for (passed, counts) in [
        (Duration::from_millis(3_599_999), true),
        (HOUR, false),
        (Duration::from_millis(3_600_001), false),
    ] {
        let mut game = begin(story.timed(), &hour);
        let deadline = game.view(&game.red)["deadline"].clone();
        advance(story.timed(), &mut game, passed);
        let answer = game.attempt("b4-b5");
        if counts {
            answer.ok(201);
            continue;
        }
        assert_problem(&answer, 409, "game_over");
        let view = game.view(&game.blue);
        assert_eq!(view["outcome"], outcome);
        assert_eq!(view["finished_at"], deadline);
    }
    // Red is out of time, and Blue gives up.
    let mut game = begin(story.timed(), &hour);
    advance(story.timed(), &mut game, HOUR);
    assert_problem(&game.resign(Side::Blue), 409, "game_over");
    assert_eq!(game.view(&game.blue)["outcome"], outcome);
}
