//! What each side still hid after every ply, with what was disclosed and fought.

mod axes;
mod legend;
mod lines;
mod marks;

use super::scale::Scale;
use super::sheet::{Headings, Picture, Sheet, text};
use super::{Caption, words};
use crate::wire::bits::Bits;
use domain::{ByColor, Cause, Color, InformationPoint, Timeline, View};

const STYLE: &str = include_str!("style.css");
const WIDTH: u32 = 440;
const HEIGHT: u32 = 366;
const LEFT: f64 = 38.0;
const RIGHT: f64 = 344.0;
const TOP: f64 = 98.0;
const BOTTOM: f64 = 262.0;
/// Below the lines, where battles are marked.
const LANE: f64 = 16.0;

/// What the lines show, in so many words.
const UNDER_HEAD: &str = "How much each side still hides from the other; 0 = all known";

/// The plane of plies and bits.
struct Plane {
    plies: Scale,
    bits: Scale,
}

/// The hidden bits of both sides after every ply; `None` for a game that has not begun.
///
/// Nothing is thinned out: an army's pieces and what is left for each of them to be only become fewer,
/// so that lines and marks stay under some thousand points in a game of any length.
pub fn timeline(view: &View<'_>, caption: &Caption<'_>) -> Option<Picture> {
    let timeline = view.timeline();
    let (first, last) = (timeline.information.first()?, timeline.information.last()?);
    let battles = view.battles();
    let eyes = words::eyes(view.viewpoint());
    let players = words::players(caption.names);
    let plies = words::plies(last.ply);
    let mut sheet = Sheet::new(
        WIDTH,
        HEIGHT,
        &Headings {
            kind: "timeline",
            stem: &caption.stem("timeline", last.ply, view.viewpoint()),
            title: &format!("What {players} hid from each other over {plies}, {eyes}"),
            description: &description(&timeline, (first, last), battles.len()),
            style: STYLE,
        },
    );
    let plane = Plane::of(&timeline.information, last.ply);
    sheet.add(text("head", (12.0, 22.0), "Hidden bits after each ply"));
    sheet.add(text("word", (12.0, 41.0), UNDER_HEAD));
    sheet.add(text("word", (12.0, 60.0), who(caption.names, eyes)));
    for part in axes::draw(&plane, last.ply) {
        sheet.add(part);
    }
    if view.game().is_open() {
        sheet.add(marks::end(&plane, last.ply, &timeline.reveals));
    }
    for battle in &battles {
        sheet.add(marks::battle(&plane, battle));
    }
    for part in lines::draw(&plane, &timeline.information) {
        sheet.add(part);
    }
    for mark in marks::reveals(&plane, &timeline) {
        sheet.add(mark);
    }
    for part in lines::labels(&plane, last) {
        sheet.add(part);
    }
    let is_over = view.game().is_open();
    for part in legend::draw(&timeline.reveals, !battles.is_empty(), is_over) {
        sheet.add(part);
    }
    Some(sheet.done())
}

impl Plane {
    fn of(information: &[InformationPoint], plies: u32) -> Self {
        let all = information.iter().map(|point| point.hidden_bits);
        let most = all.fold(0.0, |most: f64, bits| most.max(bits.red).max(bits.blue));
        Self {
            plies: Scale::exact(LEFT, RIGHT, f64::from(plies)),
            bits: Scale::round(BOTTOM, TOP, most),
        }
    }

    fn at(&self, ply: u32, bits: f64) -> (f64, f64) {
        (self.plies.at(f64::from(ply)), self.bits.at(bits))
    }
}

fn who(names: ByColor<&str>, eyes: &str) -> String {
    let ByColor { red, blue } = names.map(words::short);
    let line = format!("{red} and {blue}, {eyes}");
    if line.chars().count() <= 60 {
        line
    } else {
        format!("{red} and {blue}")
    }
}

fn description(
    timeline: &Timeline,
    (first, last): (&InformationPoint, &InformationPoint),
    battles: usize,
) -> String {
    let mut sentences: Vec<String> = Color::ALL.map(|side| hid(side, first, last)).into();
    let at_the_end = timeline.reveals.iter();
    let at_the_end = at_the_end.filter(|weighed| weighed.reveal.cause == Cause::GameOver);
    let at_the_end = at_the_end.count();
    let in_play = timeline.reveals.len() - at_the_end;
    let ranks = words::count(in_play, "rank", "ranks");
    let fought = words::count(battles, "battle", "battles");
    sentences.push(format!("{ranks} became known in play, in {fought}."));
    if at_the_end > 0 {
        let more = words::count(at_the_end, "more rank", "more ranks");
        sentences.push(format!("The end disclosed {more}."));
    }
    sentences.join(" ")
}

fn hid(side: Color, first: &InformationPoint, last: &InformationPoint) -> String {
    let (start, rest) = (bits(first.hidden_bits[side]), bits(last.hidden_bits[side]));
    let side = words::side(side);
    let plies = words::plies(last.ply);
    format!("{side} hid {start} bits at the start and {rest} after {plies}.")
}

/// Bits to a tenth.
fn bits(value: f64) -> String {
    format!("{:.1}", Bits(value).rounded())
}
