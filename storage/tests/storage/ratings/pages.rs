use domain::{Color, Ruleset};
use storage::ratings::{self, HistoryCursor, Leader, RankCursor};
use storage::{Page, PageRequest, PlayerId, StorageError, players};

use super::{begun, between, lost};
use crate::support::{TestDatabase, at, on_both};

on_both!(
    equal_ratings_stand_on_one_page_each,
    the_leaderboard_has_the_established_alone,
    a_history_is_read_from_both_ends,
    a_private_game_is_hidden_from_others,
);

/// Gives a player a rating, in points.
fn rated(db: &TestDatabase, name: &str, rating: u32, deviation: u32) -> PlayerId {
    let player = db.player(name).id;
    let id: String = player.as_uuid().simple().to_string();
    let id = if db.is_sqlite() {
        format!("x'{id}'")
    } else {
        format!("'\\x{id}'")
    };
    db.execute(&format!(
        "INSERT INTO ratings (player_id, ruleset, rating, deviation, volatility, games, changes)
         VALUES ({id}, 'barrage', {rating}000000, {deviation}000000, 60000000, 1, 1)"
    ))
    .unwrap();
    player
}

fn page(db: &TestDatabase, page: PageRequest<RankCursor>) -> Page<Leader> {
    db.read(|conn| ratings::leaderboard(conn, Ruleset::Barrage, &page))
}

/// D27.
fn equal_ratings_stand_on_one_page_each(db: &TestDatabase) {
    let mut expected: Vec<PlayerId> = (0..25)
        .map(|number| rated(db, &format!("player{number}"), 1500, 60))
        .collect();
    expected.sort_unstable();
    let mut request = PageRequest::first(10);
    let (mut seen, mut lengths) = (Vec::new(), Vec::new());
    loop {
        let Page { items, has_more } = page(db, request);
        lengths.push(items.len());
        seen.extend(items.iter().map(|leader| leader.player.id));
        request = PageRequest::after(10, items.last().unwrap().cursor);
        if !has_more {
            break;
        }
    }
    assert_eq!(lengths, [10, 10, 5]);
    assert_eq!(seen, expected);
    let back = page(db, PageRequest::last(10));
    assert!(back.has_more);
    let ids: Vec<_> = back.items.iter().map(|leader| leader.player.id).collect();
    assert_eq!(ids, expected[15..]);
}

fn the_leaderboard_has_the_established_alone(db: &TestDatabase) {
    let low = rated(db, "low", 1400, 109);
    rated(db, "provisional", 1900, 110);
    let gone = rated(db, "gone", 1800, 60);
    let high = rated(db, "high", 1700, 45);
    db.write(|conn| players::erase(conn, gone, "deleted-1", "deleted-1", at(50)).map(drop));
    let leaders = page(db, PageRequest::first(10)).items;
    let ids: Vec<_> = leaders.iter().map(|leader| leader.player.id).collect();
    assert_eq!(ids, [high, low]);
    let others = db.read(|conn| {
        let page = PageRequest::first(10);
        ratings::leaderboard(conn, Ruleset::Original, &page)
    });
    assert_eq!(others.items, []);
    // Erased accounts keep what they have.
    assert_eq!(db.count("ratings"), 4);
}

fn a_history_is_read_from_both_ends(db: &TestDatabase) {
    let players = db.pair();
    let games: Vec<_> = (0..5)
        .map(|number| lost(db, players, Color::Red, 20 + number).summary.id)
        .collect();
    let read = |page: PageRequest<HistoryCursor>| {
        db.read(|conn| ratings::history(conn, players.red, None, None, &page))
    };
    let first = read(PageRequest::first(2));
    let second = read(PageRequest::after(10, first.items[1].cursor));
    let ids: Vec<_> = first
        .items
        .iter()
        .chain(&second.items)
        .map(|row| row.game)
        .collect();
    assert_eq!(ids, games);
    assert!(first.has_more && !second.has_more);
    let back = read(PageRequest::before(10, second.items[2].cursor));
    let ids: Vec<_> = back.items.iter().map(|row| row.game).collect();
    assert_eq!(ids, games[..4]);
    let none = HistoryCursor {
        ruleset: Ruleset::Duel,
        number: 1,
    };
    let unknown = db.database.read(|conn| {
        let page = PageRequest::after(10, none);
        ratings::history(conn, players.red, None, None, &page)
    });
    assert!(matches!(unknown, Err(StorageError::NotFound)));
}

fn a_private_game_is_hidden_from_others(db: &TestDatabase) {
    let players = db.pair();
    let third = db.player("third").id;
    let mut private = between(players);
    private.private = true;
    let game = begun(db, &private, 20);
    db.play(&game, Color::Red, &domain::Command::Resign, at(30));
    for (viewer, hidden) in [
        (None, true),
        (Some(third), true),
        (Some(players.red), false),
        (Some(players.blue), false),
    ] {
        let page = PageRequest::first(10);
        let rows = db.read(|conn| ratings::history(conn, players.red, None, viewer, &page));
        assert_eq!(rows.items.len(), 1);
        assert_eq!(rows.items[0].is_hidden, hidden, "{viewer:?}");
    }
}
