//! What the viewer does and is refused, and what he does that is taken.

use domain::{Color, Move, MoveRequest, Rank, RescueRequest, Square};
use serde_json::{Value, json};
use tests::dice::Dice;
use tests::worlds::Played;

use super::ask::{Ask, Who};
use super::players::{free_square, in_keeping, legal, request, standing};
use super::table::{Table, move_json};

fn square(index: usize) -> Option<Square> {
    u8::try_from(index).ok().and_then(Square::new)
}

/// Requests of all callers that are refused, whatever stands where: `most` moves and as many others.
pub(super) fn refused(table: &Table, other: &Played, most: usize, dice: &mut Dice) -> Vec<Ask> {
    let path = table.path("/moves");
    let viewer = table.viewer();
    let mut asks: Vec<Ask> = Vec::new();
    let attempts = attempts(table, other, dice);
    let rescues = rescues(table, other, dice);
    for request in dice.some(attempts, most).into_iter().chain(rescues) {
        let verdicts = [&table.played, other].map(|world| world.after(viewer, &request).err());
        // Before both armies stand every move is refused, whatever it is.
        let alike = !table.begun || verdicts[0] == verdicts[1];
        assert!(alike, "the rules tell {request:?} apart: {verdicts:?}");
        if verdicts[0].is_some() || !table.begun {
            asks.push(Ask::post(Who::Viewer, &path, &move_json(&request)));
        }
    }
    let strange = strangers(table, dice)
        .into_iter()
        .chain(malformed(table, dice));
    asks.extend(dice.some(strange.collect(), most));
    asks
}

/// Moves as they might be tried, most of them against the rules.
fn attempts(table: &Table, other: &Played, dice: &mut Dice) -> Vec<MoveRequest> {
    let differing = table.played.world().differing(other.world(), table.secret);
    let enemies = standing(&table.played, table.secret);
    let own = standing(&table.played, table.viewer());
    let (differ, alike): (Vec<_>, Vec<_>) = enemies
        .iter()
        .partition(|(piece, _)| differing.contains(piece));
    let ply = table.ply();
    let mut requests = Vec::new();
    let mut attempt = |from: Option<Square>, to: Option<Square>, ply: u32| {
        requests.push(MoveRequest {
            ply,
            from,
            to,
            rescue: None,
        });
    };
    // With the enemy's pieces, those first that are not the same in both worlds.
    for (_, from) in dice.some(differ, 5).into_iter().chain(dice.some(alike, 1)) {
        let to = beside(from, dice);
        attempt(Some(from), to, ply);
        attempt(Some(from), square(dice.below(100)), ply);
    }
    // With his own, onto anything.
    for (_, from) in dice.some(own.clone(), 2) {
        let (_, enemy) = *dice.pick(&enemies);
        let (_, friend) = *dice.pick(&own);
        for to in [
            Some(enemy),
            Some(friend),
            square(dice.below(100)),
            None,
            Some(from),
        ] {
            attempt(Some(from), to, ply);
        }
        attempt(
            Some(from),
            square(*dice.pick(&[42, 43, 46, 47, 52, 53, 56, 57])),
            ply,
        );
        attempt(Some(from), beside(from, dice), ply + 1);
        attempt(Some(from), beside(from, dice), ply.saturating_sub(1));
        attempt(None, Some(from), ply);
    }
    attempt(square(45), square(55), ply);
    requests
}

/// Moves with a rescue that most often no rule allows: whether it is refused may rest on nothing that
/// its owner does not know.
fn rescues(table: &Table, other: &Played, dice: &mut Dice) -> Vec<MoveRequest> {
    let mut requests = Vec::new();
    let telling = telling(&table.played, other, table.viewer());
    let others = with_back_row_first(table, dice);
    for mv in telling.into_iter().chain(others) {
        for _ in 0..3 {
            let rank = *dice.pick(&Rank::ALL);
            let square = square(dice.below(101));
            let rescue = RescueRequest { rank, square };
            requests.push(request(&table.played, mv, Some(rescue)));
        }
    }
    requests
}

/// The attacks that the viewer may make on pieces of the enemy's back row, where a rescue could be sent
/// with them: whether it is refused must not depend on what stands there.
pub(super) fn probes(played: &Played, viewer: Color) -> Vec<Move> {
    let game = played.game();
    if game.turn() != Some(viewer) || !game.terms().options.rescue {
        return Vec::new();
    }
    let far = if viewer == Color::Red { 9 } else { 0 };
    let probe = |mv: &Move| mv.to.row().index() == far && game.is_attack(*mv);
    legal(played).into_iter().filter(probe).collect()
}

/// Those of them that end otherwise in another world.
pub(super) fn telling(played: &Played, other: &Played, viewer: Color) -> Vec<Move> {
    let outcome = |played: &Played, mv| {
        let next = played.after(viewer, &request(played, mv, None)).ok()?;
        next.game()
            .view_for(None)
            .last_move()?
            .attack
            .map(|attack| attack.outcome)
    };
    let probes = probes(played, viewer).into_iter();
    probes
        .filter(|mv| outcome(played, *mv) != outcome(other, *mv))
        .collect()
}

/// The square of a step in some direction, if it is on the board.
fn beside(from: Square, dice: &mut Dice) -> Option<Square> {
    let index = usize::from(from.index());
    let steps = [
        index + 10,
        index.wrapping_sub(10),
        index + 1,
        index.wrapping_sub(1),
    ];
    square(*dice.pick(&steps))
}

/// Some legal moves of the side to move, those onto the far row before others.
fn with_back_row_first(table: &Table, dice: &mut Dice) -> Vec<Move> {
    let far = |mv: &Move| [0, 9].contains(&mv.to.row().index());
    let (far, near): (Vec<Move>, Vec<Move>) = legal(&table.played).into_iter().partition(far);
    let (far, near) = (dice.some(far, 4), dice.some(near, 2));
    far.into_iter().chain(near).collect()
}

/// Those who do not play.
fn strangers(table: &Table, dice: &mut Dice) -> Vec<Ask> {
    let path = table.path("/moves");
    let (_, from) = *dice.pick(&standing(&table.played, table.secret));
    let body = json!({"ply": table.ply(), "from": from.to_string(), "to": "e5"});
    let mut asks = Vec::new();
    for who in [Who::Third, Who::Nobody] {
        asks.push(Ask::post(who, &path, &body));
        for rest in ["/resign", "/abort", "/rematch"] {
            asks.push(Ask::post(who, table.path(rest), &json!({})));
        }
        asks.push(Ask::post(
            who,
            table.path("/offers"),
            &json!({"kind": "draw"}),
        ));
        let army = json!({"setup": table.setups[table.secret].to_string()});
        asks.push(Ask::new(who, "PUT", table.path("/setup")).json(&army));
        let prepared = table.path("/conditional-moves");
        asks.push(Ask::new(who, "PUT", &prepared).json(&json!({"lines": []})));
        asks.push(Ask::new(who, "DELETE", prepared));
    }
    asks
}

/// What cannot be read, or is asked at the wrong time.
fn malformed(table: &Table, dice: &mut Dice) -> Vec<Ask> {
    let path = table.path("/moves");
    let (_, from) = *dice.pick(&standing(&table.played, table.secret));
    let (ply, from) = (table.ply(), from.to_string());
    let post = |body: &Value| Ask::post(Who::Viewer, &path, body);
    let mut asks = vec![
        post(&json!({"ply": ply, "from": from, "to": "a1", "rank": "M"})),
        post(&json!({"ply": ply, "from": from})),
        post(&json!({"ply": -1, "from": from, "to": from})),
        post(&json!({"ply": ply, "from": 7, "to": from})),
        post(
            &json!({"ply": ply, "from": from, "to": from, "rescue": {"piece": "X", "square": "a1"}}),
        ),
        post(&json!({"ply": ply, "from": from, "to": from, "rescue": "M"})),
        post(&json!([])),
        Ask::new(Who::Viewer, "POST", &path),
        Ask::new(Who::Viewer, "POST", &path).header("content-type", "text/plain"),
        Ask {
            body: Some("{\"ply\":".to_owned()),
            ..post(&json!({}))
        },
        post(&json!({"ply": ply, "from": from, "to": from})).header("accept", "image/png"),
    ];
    let prepare = |lines: Value| {
        let ask = Ask::new(Who::Viewer, "PUT", table.path("/conditional-moves"));
        ask.json(&json!({"lines": lines}))
    };
    let line = |to: &str| json!({"if": {"opponent": {"from": from, "to": to}}, "then": {"from": from, "to": "a1"}});
    asks.extend([
        prepare(json!(7)),
        prepare(json!([{"if": {}}])),
        prepare(json!([line("k0")])),
        prepare(json!([line("e5"), line("e5")])),
    ]);
    if table.begun {
        // In setup a viewer's army would be taken; then it is the subject of a test of its own.
        let own = json!({"setup": table.setups[table.viewer()].to_string()});
        asks.push(Ask::new(Who::Viewer, "PUT", table.path("/setup")).json(&own));
        asks.push(Ask::new(Who::Viewer, "PUT", table.path("/setup")).json(&json!({"setup": "F"})));
    }
    asks.push(Ask::post(Who::Viewer, table.path("/rematch"), &json!({})));
    if ply >= 2 {
        asks.push(Ask::post(Who::Viewer, table.path("/abort"), &json!({})));
    }
    asks
}

/// What the viewer may do now without an answer that all who watch could tell apart.
pub(super) fn taken(table: &Table, other: &Played, dice: &mut Dice) -> Vec<MoveRequest> {
    let viewer = table.viewer();
    if table.played.game().turn() != Some(viewer) {
        return Vec::new();
    }
    let is_attack = |mv: &Move| table.played.game().is_attack(*mv);
    let (attacks, steps): (Vec<Move>, Vec<Move>) =
        legal(&table.played).into_iter().partition(is_attack);
    let mut requests = Vec::new();
    for mv in dice.some(attacks, 6).into_iter().chain(dice.some(steps, 2)) {
        requests.push(request(&table.played, mv, None));
        let own = in_keeping(&table.played, viewer);
        if Square::is_own_half(mv.to, viewer) || own.is_empty() {
            continue;
        }
        let square = free_square(&table.played, viewer, dice);
        let rank = *dice.pick(&own);
        requests.push(request(
            &table.played,
            mv,
            Some(RescueRequest { rank, square }),
        ));
    }
    requests.retain(|request| same_for_all(table, other, viewer, request));
    requests
}

/// Whether a move is taken in both worlds and all who watch see the same come of it. Once a game is
/// over everything is disclosed, so the last move is not asked for.
fn same_for_all(table: &Table, other: &Played, viewer: Color, request: &MoveRequest) -> bool {
    let after = [&table.played, other].map(|world| world.after(viewer, request).ok());
    match after {
        [Some(one), Some(two)] => one.game().turn().is_some() && one.story() == two.story(),
        _ => false,
    }
}
