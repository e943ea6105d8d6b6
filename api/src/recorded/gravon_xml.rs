//! The XML of the archive of Gravon (`rules.md` 8).

use domain::gravon::ruleset_of_kind;
use domain::gravon::{Ending, FieldFault, GravonGame, UnknownKind, parse_square, read_field};
use domain::{ByColor, Move};
use roxmltree::{Document, Node, ParsingOptions};

/// How many nodes a text may have: more than the longest one has with nothing but games in it.
const MAX_NODES: u32 = 1_000_000;

/// How many times `<` and `=` may be in a text; so many nodes have no more, and room is made for each.
const MAX_MARKS: usize = 2_000_000;

/// How many attributes an element may have. The parser compares each with all others.
const MAX_ATTRIBUTES: usize = 32;

/// How many games a text may have.
const MAX_GAMES: usize = 20_000;

/// How many characters of an attribute a fault shows.
const SHOWN: usize = 8;

/// Why a text, or one of the games in it, cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum XmlFault {
    /// It is no XML, or has a document type: entities are not expanded, and nothing is fetched.
    #[error("expected XML without a document type: {0}")]
    Xml(#[from] roxmltree::Error),
    /// More elements or attributes than there may be.
    #[error("expected XML with at most {MAX_NODES} nodes")]
    TooLarge,
    /// A namespace, of which nothing is known here: the parser hands each on to all elements within.
    #[error("expected XML without namespaces (`xmlns`)")]
    Namespace,
    /// Too many attributes.
    #[error("expected elements with at most {MAX_ATTRIBUTES} attributes")]
    Attributes,
    /// Too many games.
    #[error("expected at most {MAX_GAMES} games in a document: what follows is not read")]
    TooMany,
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
    check_tags(text)?;
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text.trim_start(), options)?;
    let root = document.root_element();
    let is_game = |node: &Node<'_, '_>| node.has_tag_name("game");
    let mut nodes = root.children().filter(is_game);
    let mut games: Vec<_> = nodes.by_ref().take(MAX_GAMES).map(game).collect();
    if !root.has_tag_name("stratego") || games.is_empty() {
        return Err(XmlFault::NoGame);
    }
    games.extend(nodes.next().map(|_| Err(XmlFault::TooMany)));
    Ok(games)
}

/// Refuses in one pass what costs the parser more than its length. A tag ends before the next `<`: none of its
/// values has one.
fn check_tags(text: &str) -> Result<(), XmlFault> {
    let count = |mark: u8| text.bytes().filter(|byte| *byte == mark).count();
    if count(b'<') > MAX_MARKS || count(b'=') > MAX_MARKS {
        return Err(XmlFault::TooLarge);
    }
    // Nearly all tags are too short to be looked at closely.
    let has_namespaces = text.contains("xmlns");
    let is_long = |tag: &str| {
        let quotes = tag.bytes().filter(|byte| matches!(byte, b'"' | b'\''));
        quotes.count() > MAX_ATTRIBUTES
    };
    let tags = text.split('<').skip(1);
    tags.filter(|tag| has_namespaces || is_long(tag))
        .filter(|tag| !tag.starts_with(['!', '?', '/']))
        .try_for_each(check_tag)
}

fn check_tag(mut rest: &str) -> Result<(), XmlFault> {
    let mut attributes = 0;
    while let Some(at) = rest.find(['"', '\'', '>']) {
        let (names, value) = rest.split_at(at);
        if names.contains("xmlns") {
            return Err(XmlFault::Namespace);
        }
        let mut letters = value.chars();
        let quote = letters.next().filter(|mark| *mark != '>');
        let Some((_, behind)) = quote.and_then(|quote| letters.as_str().split_once(quote)) else {
            break;
        };
        attributes += 1;
        if attributes > MAX_ATTRIBUTES {
            return Err(XmlFault::Attributes);
        }
        rest = behind;
    }
    Ok(())
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

    /// What is refused before it is parsed, and what only looks like it.
    #[test]
    fn no_text_costs_more_than_its_length() {
        let repeated = |count, text: &dyn Fn(usize) -> String| {
            let parts: Vec<String> = (0..count).map(text).collect();
            parts.concat()
        };
        let nested = repeated(60_000, &|n| format!("<a xmlns:p{n}='u'>"));
        let attributes = |count| {
            let many = repeated(count, &|n| format!(" a{n}='>'"));
            format!("<a{many}/>")
        };
        let games = "<game/>".repeat(MAX_GAMES + 9);
        for (text, says) in [
            (nested, "xmlns"),
            ("<a b='>' xmlns = 'u'/>".to_owned(), "xmlns"),
            (attributes(33), "32 attributes"),
            (attributes(500_000), "32 attributes"),
            (format!("<a>{}</a>", "=".repeat(MAX_MARKS + 1)), "nodes"),
            ("<".repeat(MAX_MARKS + 1), "nodes"),
        ] {
            let fault = one(&text).unwrap_err().to_string();
            assert!(fault.contains(says), "{fault}");
        }
        let harmless = "<!-- xmlns='u' -->a='b' xmlns=".to_owned() + &attributes(32);
        assert!(one(&(harmless + &barrage(MOVE, RESULT))).is_ok());
        let games = super::games(&format!("<stratego>{games}</stratego>")).unwrap();
        assert_eq!(games.len(), MAX_GAMES + 1);
        assert!(matches!(games.last(), Some(Err(XmlFault::TooMany))));
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
