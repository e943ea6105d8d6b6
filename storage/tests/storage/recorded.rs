//! Games that were played elsewhere.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use domain::facts::{Facts, Section};
use domain::gravon::parse_gsn;
use domain::{ByColor, Color, Command, EndReason, Game, Record, Timestamp, Viewpoint};
use storage::facts::{self, StatisticsFilter};
use storage::games::{self, GameFilter, Import, Recorded, RecordedGame};
use storage::imports::{self, ImportStatus};
use storage::{GameId, ImportId, StorageError, players, pseudonyms};

use crate::listing::{ORDERS, backward, forward};
use crate::support::{TestDatabase, add, at, on_both};

on_both!(
    a_game_is_stored_once,
    all_ways_to_read_a_game_agree,
    two_of_one_name_are_two,
    statistics_are_those_of_the_games,
    games_of_one_write_are_each_on_one_page,
    two_who_import_at_once_store_each_game_once,
    the_key_of_pseudonyms_stays,
    an_import_is_kept_for_its_owner_alone,
    imports_are_given_up_and_forgotten,
);

const FIELD: &str = "MBAAAAAAAKLAAACAAAAAEAADADAAAAAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAQAAAAAXAAAAAAAPAAAPANAAAAAAAAOY";

/// A game of barrage of so many of these moves.
fn record(moves: usize) -> Record {
    let moves = [
        "A3-A4", "F8-F7", "A4-A5", "F7-F6", "A5-A4", "F6-F7", "A4-A3", "F7-F8",
    ]
    .iter()
    .cycle()
    .take(moves)
    .fold(String::new(), |text, mv| text + mv + "\n");
    let text =
        format!("# Stratego-Notation v1\ntype 1\n{FIELD}\n{moves}END\na vs b result 11 winner 1\n");
    parse_gsn(&text).unwrap().into()
}

const DAY: Timestamp = Timestamp::from_micros(1_054_944_000_000_000);

pub(crate) fn ready(digest: u8, names: [&str; 2], moves: usize) -> (RecordedGame, Game) {
    let record = record(moves);
    let game = record.replay(DAY).unwrap();
    let kept = Recorded {
        source: "gravon",
        names: ByColor {
            red: names[0],
            blue: names[1],
        },
        digest: [digest; 32],
        other_digest: [digest ^ 0x80; 32],
        raw_ending: Some(11),
        times: None,
    };
    (
        RecordedGame::new(&record, &game, &kept, at(5)).unwrap(),
        game,
    )
}

pub(crate) fn import(db: &TestDatabase, games: &[RecordedGame]) -> Vec<Import> {
    db.write(|conn| games::import(conn, games))
}

#[track_caller]
fn new(import: Import) -> GameId {
    match import {
        Import::New(id) => id,
        Import::Known(id) => panic!("{id} was there"),
    }
}

/// By all that is recorded of it: in one batch, in another, and not when it was corrected.
fn a_game_is_stored_once(db: &TestDatabase) {
    let names = ["Ann", "Ben"];
    let games = [
        ready(1, names, 4).0,
        ready(2, names, 5).0,
        ready(1, names, 4).0,
    ];
    let [first, second, again] = import(db, &games)[..] else {
        panic!("not three");
    };
    let (first, second) = (new(first), new(second));
    assert_ne!(first, second);
    assert_eq!(again, Import::Known(first));
    let later = [ready(2, names, 5).0, ready(3, names, 6).0];
    let later = import(db, &later);
    assert_eq!(later[0], Import::Known(second));
    new(later[1]);
    assert_eq!(import(db, &[]), []);
    assert_eq!(db.count("games"), 3);
    assert_eq!(db.count("players"), 2);
}

fn all_ways_to_read_a_game_agree(db: &TestDatabase) {
    let (stored, played) = ready(1, ["J\u{f6}rg <b>", "?"], 16);
    let id = new(import(db, &[stored])[0]);
    let loaded = db.read(|conn| games::load(conn, id));
    let summary = db.read(|conn| games::summary(conn, id));
    assert_eq!(loaded.summary, summary);
    assert_eq!(
        (summary.source.as_str(), summary.raw_ending),
        ("gravon", Some(11))
    );
    assert_eq!(summary.finished_at, Some(DAY));
    assert_eq!(summary.started_at, None);
    assert_eq!(summary.players.red.username, "J\u{f6}rg <b>");
    let outcome = loaded.game.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Color::Blue), EndReason::Timeout)
    );
    assert_eq!(loaded.game.ply(), 16);
    let (one, other) = (loaded.game.view_for(None), played.view_for(None));
    assert_eq!(one.viewpoint(), Viewpoint::Omniscient);
    assert_eq!(Record::of(&one), Record::of(&other));
    for ply in 0..16 {
        let (one, other) = (one.move_at(ply).unwrap(), other.move_at(ply).unwrap());
        assert_eq!((one.mv, one.irregular), (other.mv, other.irregular));
        assert_eq!((one.played_at, other.played_at), (None, None));
    }
    // Who played is found by the game alone.
    assert!(matches!(
        db.database.read(|conn| players::by_username_key(conn, "?")),
        Err(StorageError::NotFound)
    ));
    let red = db.read(|conn| players::recorded(conn, "gravon", "J\u{f6}rg <b>"));
    assert_eq!(red.id, summary.players.red.id);
}

/// Of one game; in all games one name is one player.
fn two_of_one_name_are_two(db: &TestDatabase) {
    let games = [
        ready(1, ["?", "?"], 2).0,
        ready(2, ["?", "Ann"], 3).0,
        ready(3, ["Ann", "Ann"], 4).0,
    ];
    let ids = import(db, &games).into_iter().map(new);
    let players: Vec<_> = ids
        .map(|id| db.read(|conn| games::summary(conn, id)).players)
        .collect();
    for pair in &players {
        assert_ne!(pair.red.id, pair.blue.id);
    }
    assert_eq!(players[0].red.id, players[1].red.id);
    assert_eq!(players[1].blue.id, players[2].red.id);
    let all: BTreeSet<_> = players
        .iter()
        .flat_map(|pair| [pair.red.id, pair.blue.id])
        .collect();
    assert_eq!(all.len(), 4);
    assert_eq!(players[2].blue.username, "Ann");
}

/// Before they are folded, and after.
fn statistics_are_those_of_the_games(db: &TestDatabase) {
    let mut expected = Facts::default();
    let mut batch = Vec::new();
    for nth in 0..20 {
        let (stored, game) = ready(nth, ["Ann", "Ben"], usize::from(nth));
        let facts = Facts::of(&game).unwrap();
        add(&mut expected, &facts);
        batch.push(stored);
    }
    import(db, &batch);
    let filter = StatisticsFilter::new(GameFilter {
        sources: Some(vec!["gravon".to_owned()]),
        ..GameFilter::default()
    });
    let read = || {
        let until = Instant::now() + Duration::from_mins(1);
        let facts = db.read(|conn| facts::read(conn, &filter, &Section::ALL, until));
        assert_eq!(facts, expected);
    };
    read();
    assert_eq!(facts::fold(&db.database, 15).unwrap().games, 15);
    read();
    while facts::fold(&db.database, 15).unwrap().more {}
    assert_eq!(db.count("facts_to_fold"), 0);
    read();
}

/// Whoever comes second is told that it is there: by the database the first time, then by a look.
/// D27: all instants are equal, and a source is listed past the others.
fn games_of_one_write_are_each_on_one_page(db: &TestDatabase) {
    let names = ["Ann", "Ben"];
    let batch: Vec<_> = (0..11).map(|nth| ready(nth, names, 3).0).collect();
    let ids: BTreeSet<GameId> = import(db, &batch).into_iter().map(new).collect();
    let players = db.pair();
    for _ in 0..5 {
        let game = db.active_game(players);
        db.play(&game, Color::Red, &Command::Resign, at(30));
    }
    let filter = GameFilter {
        sources: Some(vec!["gravon".to_owned()]),
        ..GameFilter::default()
    };
    for order in ORDERS {
        for limit in [1, 2, 5, 10, 11, 12] {
            let all = forward(db, &filter, order, limit);
            assert_eq!(
                all,
                backward(db, &filter, order, limit),
                "{order:?} by {limit}"
            );
            let found: Vec<GameId> = all.iter().map(|game| game.id).collect();
            assert_eq!(found.len(), ids.len(), "{order:?} by {limit}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), ids);
        }
    }
}

fn two_who_import_at_once_store_each_game_once(db: &TestDatabase) {
    let batch: Vec<_> = (0..50)
        .map(|nth| ready(nth, ["Ann", "Ben"], usize::from(nth)).0)
        .collect();
    let one = || {
        let mut attempt = 0;
        let done = loop {
            attempt += 1;
            match db.database.write(|conn| games::import(conn, &batch)) {
                Err(StorageError::Duplicate(_)) if attempt < 3 => {}
                done => break done.unwrap(),
            }
        };
        let is_new = |import: &&Import| matches!(import, Import::New(_));
        done.iter().filter(is_new).count()
    };
    let new: usize = thread::scope(|scope| {
        let both = [scope.spawn(one), scope.spawn(one)];
        both.into_iter()
            .map(|importer| importer.join().unwrap())
            .sum()
    });
    assert_eq!(new, 50);
    assert_eq!((db.count("games"), db.count("players")), (50, 2));
}

fn the_key_of_pseudonyms_stays(db: &TestDatabase) {
    let key = |byte| db.write(|conn| pseudonyms::key(conn, &[byte; pseudonyms::KEY_BYTES]));
    let keys = thread::scope(|scope| {
        let all = [1, 2, 3, 4].map(|byte| scope.spawn(move || key(byte)));
        all.map(|one| one.join().unwrap())
    });
    assert!(keys.iter().all(|key| *key == keys[0]));
    assert_eq!(key(9), keys[0]);
}

fn begun(second: i64) -> imports::Import {
    imports::Import {
        id: ImportId::generate(at(second)),
        status: ImportStatus::Running,
        imported: 0,
        duplicates: 0,
        rejected: 0,
        report: "[]".to_owned(),
        created_at: at(second),
        finished_at: None,
    }
}

fn an_import_is_kept_for_its_owner_alone(db: &TestDatabase) {
    let pair = db.pair();
    let import = begun(1);
    db.write(|conn| imports::create(conn, pair.red, &import));
    assert_eq!(
        db.read(|conn| imports::load(conn, pair.red, import.id)),
        import
    );
    let others = db
        .database
        .read(|conn| imports::load(conn, pair.blue, import.id));
    assert!(matches!(others, Err(StorageError::NotFound)));
    let ended = imports::Import {
        status: ImportStatus::Done,
        imported: 3,
        duplicates: 2,
        rejected: 1,
        report: "[1]".to_owned(),
        finished_at: Some(at(9)),
        ..import.clone()
    };
    db.write(|conn| imports::update(conn, pair.blue, &ended));
    assert_eq!(
        db.read(|conn| imports::load(conn, pair.red, import.id)),
        import
    );
    db.write(|conn| imports::update(conn, pair.red, &ended));
    assert_eq!(
        db.read(|conn| imports::load(conn, pair.red, import.id)),
        ended
    );
}

fn imports_are_given_up_and_forgotten(db: &TestDatabase) {
    let owner = db.player("ann").id;
    let [old, done, young] = [1, 2, 50].map(begun);
    for import in [&old, &done, &young] {
        db.write(|conn| imports::create(conn, owner, import));
    }
    let done = imports::Import {
        status: ImportStatus::Done,
        finished_at: Some(at(3)),
        ..done
    };
    db.write(|conn| imports::update(conn, owner, &done));
    // What somebody works on is not given up, and what was counted stays.
    let far = imports::Import {
        imported: 7,
        ..old.clone()
    };
    db.write(|conn| imports::advance(conn, owner, &far, at(51)));
    let late = imports::Import {
        status: ImportStatus::Running,
        finished_at: None,
        ..done.clone()
    };
    db.write(|conn| imports::advance(conn, owner, &late, at(51)));
    assert_eq!(db.write(|conn| imports::give_up(conn, at(50), at(60))), 0);
    assert_eq!(
        db.read(|conn| imports::list(conn, owner)),
        [far.clone(), done.clone(), young.clone()]
    );
    db.write(|conn| imports::advance(conn, owner, &young, at(52)));
    assert_eq!(db.write(|conn| imports::give_up(conn, at(52), at(60))), 1);
    let load = |id| db.read(|conn| imports::load(conn, owner, id));
    let lost = imports::Import {
        status: ImportStatus::Failed,
        finished_at: Some(at(60)),
        ..far
    };
    assert_eq!(load(old.id), lost);
    assert_eq!(load(done.id), done);
    assert_eq!(load(young.id), young);
    assert_eq!(db.write(|conn| imports::forget_old(conn, at(50), 1)), 1);
    assert_eq!(db.write(|conn| imports::forget_old(conn, at(50), 9)), 1);
    assert_eq!(db.write(|conn| imports::forget_old(conn, at(50), 9)), 0);
    assert_eq!(load(young.id), young);
}
