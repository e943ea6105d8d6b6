//! A game as the XML of the archive of Gravon (`rules.md` 8).

use std::fmt::{self, Write as _};

use domain::gravon::{Ending, kind_of_ruleset, square_name, write_field};
use domain::{Color, EndReason, Record, RecordEnd, Timestamp};

use super::exported::{ExportFault, Sheet};

/// Writes a game that the archive could have.
pub(super) fn write(sheet: &Sheet<'_>) -> Result<String, ExportFault> {
    let kind = kind_of_ruleset(sheet.ruleset).ok_or(ExportFault::Ruleset(sheet.ruleset))?;
    let others = sheet.ruleset.options_beyond(sheet.options);
    if !others.is_empty() {
        return Err(ExportFault::Options(others));
    }
    let ending = ending(sheet)?;
    let mut text = String::with_capacity(400 + 50 * sheet.moves.len());
    // Writing to a text cannot fail.
    let _ = fill(&mut text, sheet, kind, ending);
    Ok(text)
}

/// The code of the ending, by which the same reason is read again.
fn ending(sheet: &Sheet<'_>) -> Result<Ending, ExportFault> {
    match sheet.record.end {
        RecordEnd::Gravon(ending) => Ok(ending),
        RecordEnd::Outcome(outcome) => {
            let ending = Ending::of_outcome(outcome);
            let again = Record {
                end: RecordEnd::Gravon(ending),
                ..sheet.record.clone()
            };
            let again = again.replay(Timestamp::from_micros(0)).ok();
            let is_read = again.is_some_and(|again| again.outcome() == Some(outcome));
            // Of `other` the code would be made up.
            if is_read && outcome.reason != EndReason::Other {
                Ok(ending)
            } else {
                Err(ExportFault::Ending(outcome.reason.name()))
            }
        }
    }
}

fn fill(text: &mut String, sheet: &Sheet<'_>, kind: &str, ending: Ending) -> fmt::Result {
    text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<stratego>\n");
    writeln!(text, "<game type=\"{kind}\">")?;
    let field = write_field(&sheet.record.setups);
    writeln!(text, "<field content=\"{field}\"/>")?;
    for (id, (mv, _)) in (1_u32..).zip(&sheet.record.moves) {
        let ([a, b], [c, d]) = (square_name(mv.from), square_name(mv.to));
        writeln!(
            text,
            "<move id=\"{id}\" source=\"{a}{b}\" target=\"{c}{d}\"/>"
        )?;
    }
    for (id, side) in [(1, Color::Red), (2, Color::Blue)] {
        let name = Escaped(sheet.game.players[side]);
        writeln!(text, "<player id=\"{id}\">{name}</player>")?;
    }
    let (code, winner) = (ending.code, ending.xml_winner());
    writeln!(text, "<result type=\"{code}\" winner=\"{winner}\"/>")?;
    text.push_str("</game>\n</stratego>\n");
    Ok(())
}

/// Text between elements; what XML has no place for shows as `�`.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|ch| match ch {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            ch if ch.is_control() || matches!(ch, '\u{fffe}' | '\u{ffff}') => {
                f.write_char('\u{fffd}')
            }
            ch => f.write_char(ch),
        })
    }
}
