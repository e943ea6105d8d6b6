//! What happened: ranks that became known, battles, the end.

use std::collections::BTreeMap;

use domain::{BattleView, ByColor, Cause, Color, Reveal, Timeline, WeighedReveal};
use svg::node::element::{Circle, Element, Group, Path, Rectangle};

use super::{BOTTOM, LANE, Plane, TOP, bits};
use crate::pictures::sheet::{class_of, titled};
use crate::pictures::words;

/// A mark on its side's line for each ply with which ranks became known in play. Blue's, which are
/// larger, come first: where two fall on one point, both are seen.
pub(super) fn reveals(plane: &Plane, timeline: &Timeline) -> Vec<Group> {
    let mut told: ByColor<BTreeMap<u32, Vec<&WeighedReveal>>> = ByColor::default();
    let in_play = timeline.reveals.iter();
    for weighed in in_play.filter(|weighed| weighed.reveal.cause != Cause::GameOver) {
        let Reveal { ply, piece, .. } = weighed.reveal;
        told[piece.owner()].entry(ply).or_default().push(weighed);
    }
    let of_side = |owner: Color| {
        let told = told[owner].iter();
        told.filter_map(move |(ply, reveals)| mark(plane, timeline, owner, (*ply, reveals)))
    };
    [Color::Blue, Color::Red]
        .into_iter()
        .flat_map(of_side)
        .collect()
}

fn mark(
    plane: &Plane,
    timeline: &Timeline,
    owner: Color,
    (ply, reveals): (u32, &[&WeighedReveal]),
) -> Option<Group> {
    let point = timeline.information.get(usize::try_from(ply).ok()?)?;
    let at = plane.at(ply, point.hidden_bits[owner]);
    let title: Vec<_> = reveals.iter().map(|weighed| sentence(weighed)).collect();
    let deduced = reveals
        .iter()
        .all(|weighed| weighed.reveal.cause == Cause::Deduced);
    let class = class(owner, deduced);
    Some(titled(&class, at, title.join(" ")).add(sign(owner)))
}

/// A mark below the lines.
pub(super) fn battle(plane: &Plane, battle: &BattleView) -> Group {
    let attack = battle.attack;
    let title = format!(
        "Ply {}: {}'s {} attacked {}, on {}; {}.",
        battle.ply,
        words::side(battle.attacker_color),
        words::rank(Some(attack.attacker)),
        words::piece(attack.defender_id, attack.defender),
        battle.square,
        words::outcome(attack.outcome),
    );
    let at = (plane.at(battle.ply, 0.0).0, BOTTOM + LANE / 2.0);
    titled("battle", at, title).add(stroke())
}

/// A line at the last ply of a game that is over.
pub(super) fn end(plane: &Plane, ply: u32, reveals: &[WeighedReveal]) -> Group {
    let disclosed = |side| {
        let of_side = reveals.iter().filter(|weighed| {
            weighed.reveal.cause == Cause::GameOver && weighed.reveal.piece.owner() == side
        });
        of_side.count()
    };
    let title = format!(
        "Ply {ply}: the game ended and disclosed {} of Red and {} of Blue.",
        words::count(disclosed(Color::Red), "rank", "ranks"),
        words::count(disclosed(Color::Blue), "rank", "ranks"),
    );
    let height = BOTTOM + LANE - TOP;
    let line = Path::new().set("d", format!("M0 0v{height}"));
    titled("end", (plane.at(ply, 0.0).0, TOP), title).add(line)
}

/// The class of a mark.
pub(super) fn class(owner: Color, deduced: bool) -> String {
    let kind = if deduced { "deduced" } else { "told" };
    format!("reveal {} {kind}", class_of(owner))
}

/// A side's mark, about its middle: round for Red, square and larger for Blue.
pub(super) fn sign(owner: Color) -> Element {
    match owner {
        Color::Red => Circle::new().set("r", 3.1).into(),
        Color::Blue => Rectangle::new()
            .set("x", -4.1)
            .set("y", -4.1)
            .set("width", 8.2)
            .set("height", 8.2)
            .into(),
    }
}

/// The mark of a battle, about its middle.
pub(super) fn stroke() -> Path {
    Path::new().set("d", "M0-5v10")
}

fn sentence(weighed: &WeighedReveal) -> String {
    let WeighedReveal {
        reveal,
        bits: weight,
    } = weighed;
    let how = match reveal.cause {
        Cause::Attacked => "attacked",
        Cause::WasAttacked => "was attacked",
        Cause::ScoutMove => "moved as only a scout may",
        Cause::Deduced => "could be nothing else",
        Cause::Rescue => "was brought back",
        Cause::GameOver => "was disclosed by the end",
    };
    let piece = words::piece(reveal.piece, Some(reveal.rank));
    let (ply, square) = (reveal.ply, reveal.square);
    let weight = bits(*weight);
    format!("Ply {ply}: {piece}, {how}, on {square}; {weight} bits.")
}
