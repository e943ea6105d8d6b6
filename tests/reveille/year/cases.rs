//! A year of one server in which each case of groups C and E of `bug_cases.md` has its day: clocks and players
//! (`clock`, `games`), ratings (`ratings`) and what they should come to (`glicko`).

mod clock;
mod games;
mod glicko;
mod ratings;

use std::fs;
use std::time::Duration;

use api::clock::Clock;
use chrono::{DateTime, Utc};
use tests::{Backend, Client, Timed, fixtures, on_both};

use crate::mail::Post;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// A scene of the year.
type Scene = fn(&mut Story);

/// The case, the day on which its scene begins, and the scene.
const SCENES: [(&str, &str, Scene); 28] = [
    ("E02", "2026-11-29T21:00:00Z", ratings::some_stop_playing),
    ("C01", "2026-12-01T09:00:00Z", clock::nobody_calls),
    ("C05", "2026-12-07T09:00:00Z", clock::a_late_move),
    ("C06", "2026-12-10T09:00:00Z", clock::after_the_end),
    ("C18", "2026-12-14T09:00:00Z", clock::before_the_first_move),
    ("C07", "2026-12-16T09:00:00Z", clock::never_begun),
    ("E02", "2027-01-20T09:00:00Z", ratings::one_period_later),
    ("C14", "2027-01-25T09:00:00Z", clock::who_loses_on_time),
    ("C17", "2027-02-08T09:00:00Z", clock::to_the_millisecond),
    ("C08", "2027-02-10T09:00:00Z", games::a_player_leaves),
    ("C10", "2027-02-12T09:00:00Z", games::once_more),
    ("C11", "2027-02-15T09:00:00Z", games::sent_twice),
    ("C12", "2027-02-16T09:00:00Z", games::two_tabs),
    ("C13", "2027-02-17T09:00:00Z", games::two_take_one_challenge),
    ("E02", "2027-02-20T09:00:00Z", ratings::two_periods_later),
    ("C15", "2027-03-01T09:00:00Z", games::the_last_act),
    ("C16", "2027-03-05T09:00:00Z", games::too_early),
    ("C04", "2027-03-26T10:59:00Z", clock::clocks_go_forward),
    ("E06", "2027-04-10T09:00:00Z", ratings::what_does_not_count),
    ("E07", "2027-05-01T09:00:00Z", ratings::ten_in_one_night),
    ("E08", "2027-06-01T09:00:00Z", ratings::one_is_annulled),
    ("E09", "2027-07-01T09:00:00Z", ratings::two_rule_sheets),
    ("E03", "2027-08-01T09:00:00Z", ratings::extremes),
    ("E04", "2027-08-15T09:00:00Z", ratings::the_paper),
    ("E05", "2027-09-01T09:00:00Z", ratings::only_each_other),
    ("C04", "2027-10-29T09:59:00Z", clock::clocks_go_back),
    ("E02", "2027-11-25T09:00:00Z", ratings::a_year_later),
    (
        "E02",
        "2027-11-26T09:00:00Z",
        ratings::never_beyond_a_newcomer,
    ),
];

/// The server, its mail, and who waits for a later scene.
struct Story {
    post: Post,
    /// Pairs of players who have stopped playing.
    idle: Vec<[Client; 2]>,
}

impl Story {
    fn timed(&self) -> &Timed {
        &self.post.timed
    }

    fn now(&self) -> DateTime<Utc> {
        self.timed().clock.now()
    }

    /// Goes on to an instant, day by day; all that is due on the way is done.
    fn on(&self, instant: &str) {
        self.until(at(instant));
    }

    /// As [`Self::on`].
    fn until(&self, instant: DateTime<Utc>) {
        assert!(
            self.now() <= instant,
            "back from {} to {instant}",
            self.now()
        );
        while self.now() + DAY < instant {
            self.timed().clock.advance(DAY);
            self.timed().keep_time();
            self.timed().sweep();
        }
        self.timed().clock.set(instant);
        self.timed().keep_time();
    }

    /// The server is away for a while.
    fn restart_after(&mut self, away: Duration) {
        self.post.timed.restart_after(away);
    }

    /// Players come back: they find the server, and log in.
    fn meet<'c>(&self, players: impl IntoIterator<Item = &'c mut Client>) {
        let base = self.timed().url();
        let players = players.into_iter().map(|player| {
            *player = player.at(&base);
            player
        });
        self.timed().advance(players, Duration::ZERO);
    }
}

fn at(instant: &str) -> DateTime<Utc> {
    instant.parse().expect("an instant")
}

/// Where the cases are at hand: none of both groups is left out.
fn assert_all_have_a_day() {
    let Some(file) = fixtures::folder().map(|folder| folder.join("bug_cases.md")) else {
        return;
    };
    let Ok(cases) = fs::read_to_string(&file) else {
        println!("{} is not there", file.display());
        return;
    };
    let cells = cases.lines().filter_map(|line| line.split('|').nth(1));
    let of_group = |cell: &&str| {
        let number = cell.strip_prefix(['C', 'E']);
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let asked: Vec<&str> = cells.map(str::trim).filter(of_group).collect();
    assert!(asked.len() > 20, "{asked:?}");
    for case in asked {
        assert!(SCENES.iter().any(|scene| scene.0 == case), "{case}");
    }
}

fn every_case_has_its_day(backend: Backend) {
    assert_all_have_a_day();
    let mut story = Story {
        post: Post::open(backend),
        idle: Vec::new(),
    };
    for (case, date, play) in SCENES {
        story.on(date);
        println!("{case} from {date}");
        play(&mut story);
    }
    story.on("2027-11-29T21:00:00Z");
}

on_both! {
    every_case_has_its_day,
}
