//! A game, kept move by move, is the game that was played.

use domain::{
    Color, Command, EndReason, Game, MoveBuffer, MoveRequest, Outcome, Rank, RescueRequest,
    Ruleset, Status, View, Viewpoint,
};
use storage::games::{self, GameEventKind, StoredGame};
use storage::{StorageError, generate_offer_id};

use crate::support::{
    TestDatabase, at, move_request, new_game, on_both, other_setup, setup, terms,
};

on_both!(
    a_whole_game_comes_back_as_it_was_played,
    rescues_are_kept_as_they_were_sent,
    setups_come_back_for_each_side,
    offers_come_back_in_their_order,
    the_outbox_tells_what_both_may_know,
    many_games_are_loaded_at_once,
    a_damaged_game_is_not_served,
);

fn reload(db: &TestDatabase, game: &StoredGame) -> StoredGame {
    db.read(|conn| games::load(conn, game.summary.id))
}

fn assert_same(loaded: &StoredGame, played: &StoredGame) {
    assert_eq!(loaded.summary, played.summary);
    assert!(loaded.game.offers().eq(played.game.offers()));
    for player in [None, Some(Color::Red), Some(Color::Blue)] {
        let [loaded, played] = [loaded, played].map(|game| game.game.view_for(player));
        assert_eq!(loaded.pieces(), played.pieces());
        assert_eq!(loaded.captured(), played.captured());
        assert_eq!(loaded.reveals(), played.reveals());
        let moves = |view: View<'_>| view.moves_from(0).collect::<Vec<_>>();
        assert_eq!(moves(loaded), moves(played));
    }
    for color in Color::ALL {
        assert_eq!(loaded.game.time_left(color), played.game.time_left(color));
    }
}

/// The command of a move that may be made, chosen by a number.
fn some_move(game: &Game, number: usize) -> Command {
    let mut moves = MoveBuffer::new();
    game.legal_moves(&mut moves);
    let attacks: Vec<_> = moves
        .iter()
        .copied()
        .filter(|mv| game.is_attack(*mv))
        .collect();
    let choice = if attacks.is_empty() {
        &moves[..]
    } else {
        &attacks[..]
    };
    let mv = choice[number % choice.len()];
    let (from, to) = (Some(mv.from), Some(mv.to));
    Command::Move(MoveRequest {
        ply: game.ply(),
        from,
        to,
        rescue: None,
    })
}

fn a_whole_game_comes_back_as_it_was_played(db: &TestDatabase) {
    let mut new = new_game(db.pair());
    new.terms.options.no_progress_plies = Some(50);
    let mut game = db.write(|conn| games::create(conn, &new));
    assert_same(&reload(db, &game), &game);
    for color in Color::ALL {
        game = db.play(&game, color, &Command::PlaceSetup(setup()), at(10));
        assert_same(&reload(db, &game), &game);
    }
    let mut number = 0;
    while let Some(turn) = game.game.turn() {
        number = (number * 31 + 7) % 1009;
        let command = some_move(&game.game, number);
        let now = at(20 + i64::from(game.summary.ply));
        game = db.play(&game, turn, &command, now);
        if game.summary.ply.is_multiple_of(16) {
            assert_same(&reload(db, &game), &game);
        }
    }
    assert!(game.summary.ply >= 50 && game.summary.outcome.is_some());
    assert_same(&reload(db, &game), &game);
    assert_eq!(db.count("moves"), i64::from(game.summary.ply));
    let summary = db.read(|conn| games::summary(conn, game.summary.id));
    assert_eq!(summary, game.summary);
}

/// A rescue belongs to the move whether or not the move took it up.
fn rescues_are_kept_as_they_were_sent(db: &TestDatabase) {
    let mut new = new_game(db.pair());
    new.terms.ruleset = Ruleset::Barrage;
    new.terms.options.rescue = true;
    let place =
        |text: &str| Command::PlaceSetup(domain::Setup::parse(Ruleset::Barrage, text).unwrap());
    let mut game = db.write(|conn| games::create(conn, &new));
    // Red's scout falls to the marshal on b7, and the general walks up column a to take it back.
    let red = place("92...............2..F..3..M..........B.S");
    let blue = place("........M.22........B...F3........S9....");
    game = db.play(&game, Color::Red, &red, at(10));
    game = db.play(&game, Color::Blue, &blue, at(11));
    let moves = [
        "b4-b7", "j8-j7", "a4-a5", "i8-i7", "a5-a6", "j7-j8", "a6-a7", "i7-i8", "a7-a8", "j8-j7",
        "a8-a9", "i8-i7",
    ];
    for (ply, text) in (0..).zip(moves) {
        let (from, to) = text.split_once('-').unwrap();
        let turn = game.game.turn().unwrap();
        let now = at(20 + i64::from(ply));
        game = db.play(&game, turn, &move_request(ply, from, to), now);
    }
    let command = Command::Move(MoveRequest {
        ply: game.summary.ply,
        from: "a9".parse().ok(),
        to: "a10".parse().ok(),
        rescue: Some(RescueRequest {
            rank: Rank::Scout,
            square: "c4".parse().ok(),
        }),
    });
    game = db.play(&game, Color::Red, &command, at(80));
    assert_eq!(
        db.count("moves WHERE rescue_rank = '2' AND rescue_square = 32"),
        1
    );
    assert_eq!(db.count("moves WHERE rescue_rank IS NULL"), 12);
    let loaded = reload(db, &game);
    assert_same(&loaded, &game);
    let last = loaded.game.view_for(Some(Color::Red)).last_move().unwrap();
    assert!(last.rescue.is_some());
}

fn setups_come_back_for_each_side(db: &TestDatabase) {
    let game = db.game(db.pair());
    let first = db.play(&game, Color::Blue, &Command::PlaceSetup(setup()), at(5));
    let placed = reload(db, &first).summary;
    assert_eq!(
        (placed.setup_placed.red, placed.setup_placed.blue),
        (false, true)
    );
    assert_eq!((placed.updated_at, placed.version), (at(5), 1));

    // That he thought again is his secret.
    let again = db.play(
        &first,
        Color::Blue,
        &Command::PlaceSetup(other_setup()),
        at(7),
    );
    let loaded = reload(db, &again);
    assert_eq!(
        (loaded.summary.updated_at, loaded.summary.version),
        (at(5), 2)
    );
    assert_same(&loaded, &again);
    assert_eq!(db.count("events"), 1);
    assert_eq!(db.count("setups"), 1);

    let stale = db.try_play(&first, Color::Red, &Command::PlaceSetup(setup()), at(8));
    assert!(matches!(stale, Err(StorageError::Conflict)));
    let started = db.play(&again, Color::Red, &Command::PlaceSetup(setup()), at(9));
    assert_same(&reload(db, &started), &started);
    assert_eq!(started.summary.status, Status::Active);
    assert_eq!(started.summary.started_at, Some(at(9)));
    let blue = started
        .game
        .view(Some(Color::Blue), Viewpoint::Blue)
        .unwrap()
        .pieces();
    let corner = blue
        .iter()
        .find(|piece| piece.square.to_string() == "j7")
        .unwrap();
    assert_eq!(corner.rank, Some(Rank::Lieutenant));
}

fn offers_come_back_in_their_order(db: &TestDatabase) {
    let mut game = db.active_game(db.pair());
    let offers: Vec<_> = (0..4).map(|n| generate_offer_id(at(n))).collect();
    let steps = [
        (Color::Red, Command::OfferDraw(offers[0])),
        // Declined, made again, and let lapse by a move; all at one instant.
        (Color::Blue, Command::DeclineOffer(offers[0])),
        (Color::Blue, Command::OfferDraw(offers[1])),
        (Color::Red, move_request(0, "a4", "a5")),
        (Color::Red, Command::OfferDraw(offers[2])),
        (Color::Blue, move_request(1, "j7", "j6")),
        (Color::Blue, Command::OfferDraw(offers[3])),
        (Color::Red, Command::AcceptOffer(offers[3])),
    ];
    for (by, command) in steps {
        game = db.play(&game, by, &command, at(50));
        assert_same(&reload(db, &game), &game);
    }
    assert_eq!(
        game.summary.outcome,
        Some(Outcome::no_winner(EndReason::DrawAgreed))
    );
    for (closing, count) in [
        ("accepted", 1),
        ("declined", 1),
        ("lapsed", 2),
        ("game_over", 0),
    ] {
        assert_eq!(
            db.count(&format!("offers WHERE closing = '{closing}'")),
            count,
            "{closing}"
        );
    }
}

fn the_outbox_tells_what_both_may_know(db: &TestDatabase) {
    let mut game = db.active_game(db.pair());
    let offer = generate_offer_id(at(20));
    for (by, command) in [
        (Color::Red, move_request(0, "a4", "a5")),
        (Color::Red, Command::OfferDraw(offer)),
        (Color::Blue, move_request(1, "j7", "j6")),
        (Color::Red, Command::Resign),
    ] {
        game = db.play(&game, by, &command, at(20));
    }
    let id = game.summary.id;
    let announced = db.read(|conn| games::events(conn, id, 0, 100));
    let kinds: Vec<_> = announced.iter().map(|event| event.kind).collect();
    assert_eq!(
        kinds,
        [
            GameEventKind::SetupPlaced(Color::Red),
            GameEventKind::SetupPlaced(Color::Blue),
            GameEventKind::Started,
            GameEventKind::Move { ply: 0 },
            GameEventKind::Offer(Color::Red, offer),
            GameEventKind::Move { ply: 1 },
            GameEventKind::OfferClosed(offer),
            GameEventKind::Finished,
        ]
    );
    assert_eq!((announced[2].at, announced[3].at), (at(10), at(20)));
    assert!(announced.iter().map(|event| event.number).eq(1..=8));
    let public: Vec<_> = announced.iter().map(|event| event.public_number).collect();
    let (one, two) = ([1, 2, 3, 4].map(Some), [Some(5), None, Some(6)]);
    assert_eq!(public, [one.as_slice(), &[None], &two].concat());
    for after in 0..10 {
        for limit in 1..10 {
            let page = db.read(|conn| games::events(conn, id, after, limit));
            let rest = announced.iter().skip(usize::try_from(after).unwrap());
            assert!(page.iter().eq(rest.take(usize::try_from(limit).unwrap())));
        }
    }
    for number in 0..9 {
        let found = db.read(|conn| games::number_of_public(conn, id, number));
        let event = announced
            .iter()
            .find(|event| event.public_number == Some(number));
        assert_eq!(found, event.map(|event| event.number), "{number}");
    }
}

fn many_games_are_loaded_at_once(db: &TestDatabase) {
    let players = db.pair();
    let mut all = vec![
        db.game(players),
        db.active_game(players),
        db.active_game(players),
    ];
    all[2] = db.play(&all[2], Color::Red, &move_request(0, "a4", "a5"), at(20));
    let mut ids: Vec<_> = all.iter().map(|game| game.summary.id).collect();
    ids.push(new_game(players).id);
    let loaded = db.read(|conn| games::load_many(conn, &ids));
    assert_eq!(loaded.len(), 3);
    for game in &all {
        let found = loaded
            .iter()
            .find(|other| other.summary.id == game.summary.id)
            .unwrap();
        assert_same(found, game);
    }
    assert_eq!(db.read(|conn| games::load_many(conn, &[])).len(), 0);
    let missing = db.database.read(|conn| games::load(conn, ids[3]));
    assert!(matches!(missing, Err(StorageError::NotFound)));
}

fn a_damaged_game_is_not_served(db: &TestDatabase) {
    let game = db.active_game(db.pair());
    let game = db.play(&game, Color::Red, &move_request(0, "a4", "a5"), at(20));
    let id = game.summary.id;
    for (damage, repair) in [
        ("UPDATE games SET ply = 2", "UPDATE games SET ply = 1"),
        (
            "UPDATE games SET turn = 'red'",
            "UPDATE games SET turn = 'blue'",
        ),
        ("UPDATE moves SET ply = 1", "UPDATE moves SET ply = 0"),
        (
            "UPDATE moves SET to_square = 99",
            "UPDATE moves SET to_square = 40",
        ),
        (
            "UPDATE setups SET setup = '........................................'",
            "UPDATE setups SET setup = '6527M3538B36228B74462B245622795FB43S3B2B'",
        ),
    ] {
        assert!(db.execute(damage).unwrap() > 0);
        let damaged = db.database.read(|conn| games::load(conn, id));
        let Err(StorageError::Corrupt(_)) = damaged else {
            panic!("served after {damage}");
        };
        db.execute(repair).unwrap();
        assert_same(&reload(db, &game), &game);
    }
    assert_eq!(terms(), game.summary.terms);
}
