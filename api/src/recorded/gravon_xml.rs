//! The XML of the archive of Gravon (`rules.md` 8).

use domain::gravon::ruleset_of_kind;
use domain::gravon::{Ending, FieldFault, GravonGame, UnknownKind, parse_square, read_field};
use domain::{ByColor, Move};
use roxmltree::{Document, Node, ParsingOptions};

/// How many nodes a text may have: more than the longest one has with nothing but games in it.
const MAX_NODES: u32 = 1_000_000;

/// How many characters of an attribute a fault shows.
const SHOWN: usize = 8;

/// Why a text, or one of the games in it, cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum XmlFault {
    /// It is no XML, or has a document type: entities are not expanded, and nothing is fetched.
    #[error("expected XML without a document type: {0}")]
    Xml(#[from] roxmltree::Error),
    /// There is no game in it.
    #[error("expected <stratego> with a <game>")]
    NoGame,
    /// A kind that is not played here.
    #[error(transparent)]
    Kind(#[from] UnknownKind),
    /// There is no field.
    #[error("expected <field content=…> with both armies")]
    NoField,
    /// The field cannot be read.
    #[error(transparent)]
    Field(#[from] FieldFault),
    /// A move without squares, or not the next.
    #[error("expected <move id={expected:?} source=… target=…>, got {found}")]
    Move {
        /// Which move it would have been, from 0.
        ply: u32,
        /// The identifier that it should have.
        expected: String,
        /// What came.
        found: String,
    },
    /// It does not say how it ended.
    #[error("expected <result type=… winner=…> with winner 1, 2 or 3")]
    Result,
}

impl XmlFault {
    /// The ply at which it was found, where it is about a move.
    pub(super) const fn ply(&self) -> Option<u32> {
        match self {
            Self::Move { ply, .. } => Some(*ply),
            _ => None,
        }
    }
}

/// The games of a text, or what is wrong with each.
///
/// # Errors
/// When the text as a whole cannot be read.
pub(super) fn games(text: &str) -> Result<Vec<Result<GravonGame, XmlFault>>, XmlFault> {
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text.trim_start(), options)?;
    let root = document.root_element();
    let is_game = |node: &Node<'_, '_>| node.has_tag_name("game");
    let games: Vec<_> = root.children().filter(is_game).map(game).collect();
    if !root.has_tag_name("stratego") || games.is_empty() {
        return Err(XmlFault::NoGame);
    }
    Ok(games)
}

fn game(node: Node<'_, '_>) -> Result<GravonGame, XmlFault> {
    let ruleset = ruleset_of_kind(node.attribute("type").unwrap_or_default())?;
    let field = child(node, "field").and_then(|field| field.attribute("content"));
    let setups = read_field(ruleset, field.ok_or(XmlFault::NoField)?)?;
    let moves = node.children().filter(|node| node.has_tag_name("move"));
    let moves: Vec<Move> = (0..).zip(moves).map(read_move).collect::<Result<_, _>>()?;
    let player = |id: &str| {
        let of_side =
            |node: &Node<'_, '_>| node.has_tag_name("player") && node.attribute("id") == Some(id);
        let name = node
            .children()
            .find(of_side)
            .and_then(|player| player.text());
        name.unwrap_or_default().trim().to_owned()
    };
    Ok(GravonGame {
        ruleset,
        setups,
        moves,
        players: ByColor {
            red: player("1"),
            blue: player("2"),
        },
        ending: ending(node).ok_or(XmlFault::Result)?,
    })
}

fn read_move((ply, node): (u32, Node<'_, '_>)) -> Result<Move, XmlFault> {
    let squares = || {
        // Where moves are counted, they are in order.
        let id = node.attribute("id");
        if id.is_some_and(|id| id.parse() != Ok(ply + 1)) {
            return None;
        }
        Some(Move {
            from: parse_square(node.attribute("source")?)?,
            to: parse_square(node.attribute("target")?)?,
        })
    };
    squares().ok_or_else(|| {
        let shown = node.attributes().take(4).map(|one| {
            let value: String = one.value().chars().take(SHOWN).collect();
            format!("{}={value:?}", one.name())
        });
        XmlFault::Move {
            ply,
            expected: (ply + 1).to_string(),
            found: shown.collect::<Vec<_>>().join(" "),
        }
    })
}

fn ending(game: Node<'_, '_>) -> Option<Ending> {
    let result = child(game, "result")?;
    let number = |name| result.attribute(name)?.parse().ok();
    Ending::of_xml(number("type")?, number("winner")?)
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.has_tag_name(name))
}

#[cfg(test)]
mod tests {
    use domain::{Color, Ruleset};

    use super::*;

    const FIELD: &str = "MBAAAAAAAKLAAACAAAAAEAADADAAAAAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAQAAAAAXAAAAAAAPAAAPANAAAAAAAAOY";

    fn one(inner: &str) -> Result<GravonGame, XmlFault> {
        let mut games = games(&format!(
            "<?xml version=\"1.0\"?>\n<stratego>{inner}</stratego>"
        ))?;
        games.remove(0)
    }

    fn barrage(moves: &str, result: &str) -> String {
        format!(
            "<game type=\"barrage\"><field content=\"{FIELD}\"/>{moves}<player id=\"1\">Jörg &amp; Co</player>\
             <player id=\"2\">b</player>{result}</game>"
        )
    }

    const MOVE: &str = "<move id=\"1\" source=\"A3\" target=\"A4\"/>";
    const RESULT: &str = "<result type=\"11\" winner=\"2\"/>";

    #[test]
    fn a_game_is_read_whole() {
        let game = one(&barrage(MOVE, RESULT)).unwrap();
        assert_eq!(game.ruleset, Ruleset::Barrage);
        assert_eq!(game.moves.len(), 1);
        assert_eq!(game.players.red, "Jörg & Co");
        let ending = Ending {
            code: 11,
            winner: Some(Color::Blue),
        };
        assert_eq!(game.ending, ending);
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (text, says) in [
            (String::new(), "a <game>"),
            (barrage("", ""), "<result"),
            (barrage("", "<result type=\"1\" winner=\"0\"/>"), "<result"),
            (barrage(MOVE, RESULT).replace("barrage", "free"), "`free`"),
            (barrage(MOVE, RESULT).replace("field", "fields"), "<field"),
            (barrage(MOVE, RESULT).replace(FIELD, "A"), "100 letters"),
            (
                barrage("<move id=\"1\" source=\"A3\"/>", RESULT),
                "id=\"1\"",
            ),
            (barrage(&MOVE.repeat(2), RESULT), "id=\"2\""),
        ] {
            let fault = one(&text).unwrap_err();
            assert!(fault.to_string().contains(says), "{fault}");
        }
        assert_eq!(
            one(&barrage(&MOVE.repeat(2), RESULT)).unwrap_err().ply(),
            Some(1)
        );
    }

    /// G12: neither entities nor files of others.
    #[test]
    fn a_document_type_is_refused() {
        for entity in ["\"aaaa\"", "SYSTEM \"file:///etc/passwd\""] {
            let text = format!(
                "<!DOCTYPE stratego [<!ENTITY a {entity}>]><stratego><game type=\"&a;\"/></stratego>"
            );
            assert!(matches!(games(&text), Err(XmlFault::Xml(_))));
        }
    }
}
