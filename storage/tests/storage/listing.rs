//! Lists of games: the same on both databases, whatever is missing or equal in them.

use std::time::Duration;

use domain::{ByColor, Color, Command, EndReason, Ruleset, Status, Timestamp};
use storage::games::{self, GameCursor, GameFilter, GameOrder, GameSummary, NewGame};
use storage::{Page, PageRequest, PlayerId};

use crate::support::{DAY, TestDatabase, at, move_request, new_game, on_both, setup};

on_both!(
    missing_values_come_last,
    pages_hold_each_game_once_in_every_order,
    filters_choose_and_combine,
    private_games_are_for_their_players,
);

pub(crate) const ORDERS: [GameOrder; 5] = [
    GameOrder::UpdatedDescending,
    GameOrder::DeadlineAscending,
    GameOrder::FinishedDescending,
    GameOrder::FinishedAscending,
    GameOrder::PliesDescending,
];

fn list(
    db: &TestDatabase,
    filter: &GameFilter,
    order: GameOrder,
    page: PageRequest<GameCursor>,
) -> Page<GameSummary> {
    db.read(|conn| games::list(conn, filter, order, &page))
}

/// Games of many kinds, most of them equal in something.
struct Games {
    players: ByColor<PlayerId>,
    third: PlayerId,
    all: Vec<GameSummary>,
}

impl Games {
    fn new(db: &TestDatabase) -> Self {
        let players = db.pair();
        let third = db.player("third").id;
        let mut games = Self {
            players,
            third,
            all: Vec::new(),
        };
        // 0 to 2: in setup, due at the same time.
        for _ in 0..3 {
            games.add(db, 0, &[], at(1), |new| new);
        }
        // 3: without a limit, so never due.
        games.add(db, 1, &[], at(1), |mut new| {
            new.terms.time_control = domain::TimeControl::Unlimited;
            new
        });
        // 4, 5: running; Blue and Red to move.
        games.add(db, 1, &[], at(2), |new| new);
        games.add(db, 2, &[], at(2), |mut new| {
            (new.players.red, new.players.blue) = (players.blue, third);
            new
        });
        // 6 to 8: ended at the same time; 9 earlier; 10 aborted.
        for _ in 0..3 {
            games.add(db, 3, &[(Color::Red, Command::Resign)], at(3), |new| new);
        }
        games.add(
            db,
            2,
            &[(Color::Blue, Command::Resign)],
            at(2),
            |mut new| {
                new.rated = false;
                new
            },
        );
        games.add(db, 0, &[(Color::Red, Command::Abort)], at(4), |mut new| {
            new.terms.ruleset = Ruleset::OriginalForfeit;
            new.terms.options = Ruleset::OriginalForfeit.default_options();
            new
        });
        games
    }

    /// Plays so many moves at an instant, then what is said; no moves and no end leave it in setup.
    fn add(
        &mut self,
        db: &TestDatabase,
        moves: u32,
        end: &[(Color, Command)],
        now: Timestamp,
        change: impl Fn(NewGame) -> NewGame,
    ) {
        let now = now + Duration::from_secs(100);
        let new = change(new_game(self.players));
        let mut game = db.write(|conn| games::create(conn, &new));
        if moves > 0 || !end.is_empty() {
            for color in Color::ALL {
                game = db.play(&game, color, &Command::PlaceSetup(setup()), now);
            }
        }
        let path = [("a4", "a5"), ("j7", "j6"), ("e4", "e5")];
        for (ply, (from, to)) in (0..moves).zip(path) {
            let turn = game.game.turn().unwrap();
            game = db.play(&game, turn, &move_request(ply, from, to), now);
        }
        for (by, command) in end {
            game = db.play(&game, *by, command, now);
        }
        self.all.push(game.summary);
    }

    /// Which games of these a page holds, by their number.
    fn numbers(&self, page: &Page<GameSummary>) -> Vec<usize> {
        let number = |game: &GameSummary| self.all.iter().position(|other| other == game).unwrap();
        page.items.iter().map(number).collect()
    }

    fn expected(&self, order: GameOrder) -> Vec<GameSummary> {
        let mut all = self.all.clone();
        all.sort_by_key(|game| {
            let cursor = game.cursor(order);
            (cursor.key, cursor.id)
        });
        if !matches!(
            order,
            GameOrder::DeadlineAscending | GameOrder::FinishedAscending
        ) {
            all.reverse();
        }
        all
    }
}

/// D06: NULLs sort first on one database and last on the other.
fn missing_values_come_last(db: &TestDatabase) {
    let games = Games::new(db);
    let numbers = |order| {
        games.numbers(&list(
            db,
            &GameFilter::default(),
            order,
            PageRequest::first(100),
        ))
    };
    let sorted = |numbers: &[usize]| {
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        numbers
    };
    // Setup games are due first, then the running ones; the others are never due.
    let by_deadline = numbers(GameOrder::DeadlineAscending);
    assert_eq!(sorted(&by_deadline[..3]), [0, 1, 2]);
    assert_eq!(sorted(&by_deadline[3..5]), [4, 5]);
    assert_eq!(sorted(&by_deadline[5..]), [3, 6, 7, 8, 9, 10]);
    let latest_end = numbers(GameOrder::FinishedDescending);
    assert_eq!(latest_end[0], 10);
    assert_eq!(sorted(&latest_end[1..4]), [6, 7, 8]);
    assert_eq!(latest_end[4], 9);
    assert_eq!(sorted(&latest_end[5..]), [0, 1, 2, 3, 4, 5]);
    let earliest_end = numbers(GameOrder::FinishedAscending);
    assert_eq!(earliest_end[0], 9);
    assert_eq!(sorted(&earliest_end[1..4]), [6, 7, 8]);
    assert_eq!(earliest_end[4], 10);
    assert_eq!(sorted(&earliest_end[5..]), [0, 1, 2, 3, 4, 5]);
}

/// D27: forward and back, with pages of every size, among equal keys.
fn pages_hold_each_game_once_in_every_order(db: &TestDatabase) {
    let games = Games::new(db);
    let filter = GameFilter::default();
    for order in ORDERS {
        let expected = games.expected(order);
        for limit in [1, 2, 3, 10, 11, 12] {
            let forward = forward(db, &filter, order, limit);
            assert_eq!(forward, expected, "{order:?} by {limit}");
            let backward = backward(db, &filter, order, limit);
            assert_eq!(backward, expected, "{order:?} back by {limit}");
        }
    }
}

/// All pages from the first to the last.
pub(crate) fn forward(
    db: &TestDatabase,
    filter: &GameFilter,
    order: GameOrder,
    limit: u32,
) -> Vec<GameSummary> {
    let mut all: Vec<GameSummary> = Vec::new();
    for _ in 0..100 {
        let from = all.last().map(|game| game.cursor(order));
        let request = PageRequest {
            from,
            ..PageRequest::first(limit)
        };
        let page = list(db, filter, order, request);
        assert!(page.items.len() <= limit as usize);
        all.extend(page.items);
        if !page.has_more {
            return all;
        }
    }
    panic!("the pages have no end");
}

/// All pages from the last to the first.
pub(crate) fn backward(
    db: &TestDatabase,
    filter: &GameFilter,
    order: GameOrder,
    limit: u32,
) -> Vec<GameSummary> {
    let mut all: Vec<GameSummary> = Vec::new();
    for _ in 0..100 {
        let from = all.first().map(|game| game.cursor(order));
        let request = PageRequest {
            from,
            ..PageRequest::last(limit)
        };
        let page = list(db, filter, order, request);
        all.splice(..0, page.items);
        if !page.has_more {
            return all;
        }
    }
    panic!("the pages have no end");
}

fn filters_choose_and_combine(db: &TestDatabase) {
    let games = Games::new(db);
    let (red, blue, third) = (games.players.red, games.players.blue, games.third);
    let ended = at(103);
    let check = |expected: &[usize], narrow: &dyn Fn(&mut GameFilter)| {
        let mut filter = GameFilter::default();
        narrow(&mut filter);
        for order in ORDERS {
            let page = list(db, &filter, order, PageRequest::first(100));
            let mut numbers = games.numbers(&page);
            numbers.sort_unstable();
            assert_eq!(numbers, expected, "{filter:?}");
        }
    };
    let all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    check(&all, &|_| ());
    check(&[0, 1, 2], &|f| f.statuses = Some(vec![Status::Setup]));
    check(&[3, 4, 5, 10], &|f| {
        f.statuses = Some(vec![Status::Active, Status::Aborted]);
    });
    check(&[], &|f| f.statuses = Some(vec![]));
    check(&[10], &|f| {
        f.rulesets = Some(vec![Ruleset::OriginalForfeit]);
    });
    check(&[6, 7, 8, 9], &|f| {
        f.reasons = Some(vec![EndReason::Resignation]);
    });
    check(&[9], &|f| f.winner = Some(Color::Red));
    check(&[9], &|f| f.rated = Some(false));
    check(&[5], &|f| f.players = Some(vec![third]));
    check(&all, &|f| f.players = Some(vec![third, red]));
    check(&[3, 4, 5], &|f| f.turn_of = Some(blue));
    check(&[], &|f| f.turn_of = Some(red));
    check(&[6, 7, 8, 10], &|f| f.finished_from = Some(ended));
    check(&[9], &|f| f.finished_to = Some(ended));
    check(&[6, 7, 8], &|f| {
        f.finished_from = Some(ended);
        f.finished_to = Some(at(104));
    });
    check(&[5, 6, 7, 8, 9], &|f| f.min_plies = Some(2));
    check(&[5, 9], &|f| {
        (f.min_plies, f.max_plies) = (Some(2), Some(2));
    });
    check(&[], &|f| f.min_plies = Some(u32::MAX));
    check(&[6, 7, 8], &|f| {
        f.players = Some(vec![red]);
        f.statuses = Some(vec![Status::Finished]);
        f.winner = Some(Color::Blue);
        f.rated = Some(true);
        f.max_plies = Some(3);
    });
}

fn private_games_are_for_their_players(db: &TestDatabase) {
    let players = db.pair();
    let third = db.player("third").id;
    let private = NewGame {
        private: true,
        ..new_game(players)
    };
    let open = NewGame {
        created_at: at(1) + DAY,
        ..new_game(players)
    };
    for new in [private, open] {
        db.write(|conn| games::create(conn, &new));
    }
    let seen_by = |viewer| {
        let filter = GameFilter {
            viewer,
            players: Some(vec![players.red]),
            ..Default::default()
        };
        let page = list(
            db,
            &filter,
            GameOrder::UpdatedDescending,
            PageRequest::first(9),
        );
        page.items.iter().map(|game| game.id).collect::<Vec<_>>()
    };
    assert_eq!(seen_by(None), [open.id]);
    assert_eq!(seen_by(Some(third)), [open.id]);
    assert_eq!(seen_by(Some(players.red)), [open.id, private.id]);
    assert_eq!(seen_by(Some(players.blue)), [open.id, private.id]);
}
