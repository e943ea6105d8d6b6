use domain::{Color, EndReason, Outcome, Timestamp};

use super::{FIELD, gsn, one, xml};
use crate::recorded::{Code, replay};

/// An instant of a day.
fn day(text: &str) -> Option<Timestamp> {
    crate::recorded::instant::of_day(text)
}

/// G02, G03: what real files have in them. Moves behind an `END` belong to the game: that is a mistake of the
/// program that wrote it.
#[test]
fn gsn_is_read_whatever_stands_around_it() {
    let plain = one("x.gsn", gsn(1)).unwrap();
    for text in [
        gsn(1).replace("END\n", "END\nEND\n"),
        gsn(1).replace("F8-F7\nEND\n", "END\nF8-F7\n"),
        format!("\u{feff}{}", gsn(1)),
        gsn(1).replace("v1", "v2"),
        gsn(1).replace("F8-F7", "# of Blue\nF8-F7\n# over"),
        gsn(1).replace('\n', "\r\n"),
    ] {
        assert_eq!(one("x.gsn", text.clone()), Ok(plain.clone()), "{text}");
    }
    // A `:` as third character is a rescue, of a game that is not played here.
    let fault = one("x.gsn", gsn(1).replace("F8-F7", "F8:F7")).unwrap_err();
    assert_eq!((fault.code, fault.ply), (Code::BadMove, Some(1)));
    for (right, wrong) in [("END\n", ""), ("result 3 winner 0", "")] {
        assert!(one("x.gsn", gsn(1).replace(right, wrong)).is_err());
    }
}

/// G03: XML with a byte-order mark too.
#[test]
fn xml_is_read_behind_a_mark() {
    let plain = one("x.xml", xml(1)).unwrap();
    let marked = one("x.xml", format!("\u{feff}{}", xml(1))).unwrap();
    assert_eq!(plain, marked);
}

/// G04: the month 0 is December, and no day is invented.
#[test]
fn the_day_is_in_the_name_of_the_file() {
    for (label, date) in [
        ("classic-2005.0-12.xml", "2004-12-01"),
        ("a.zip/classic-2006.3-9.xml", "2006-03-01"),
        ("classic.2003.06.07.9.gsn", "2003-06-07"),
        ("classic.2003.06.07.9.gsn.gz", "2003-06-07"),
    ] {
        assert_eq!(
            one(label, xml(1)).unwrap().finished_at,
            day(date),
            "{label}"
        );
    }
    for label in ["classic.2003.02.31.9.gsn", "classic-2005.13-1.xml", "x.xml"] {
        assert_eq!(one(label, xml(1)).unwrap().finished_at, None, "{label}");
    }
}

/// G05: the codes of both notations.
#[test]
fn results_are_never_off_by_one() {
    let red = Outcome::win(Color::Red, EndReason::Resignation);
    let blue = Outcome::win(Color::Blue, EndReason::NoLegalMove);
    for (code, winner, outcome) in [
        (3, 1, red),
        (0, 2, blue),
        (2, 3, Outcome::no_winner(EndReason::BothImmobile)),
        (1, 1, Outcome::win(Color::Red, EndReason::FlagCaptured)),
        (7, 2, Outcome::win(Color::Blue, EndReason::Other)),
        (13, 2, Outcome::win(Color::Blue, EndReason::Timeout)),
    ] {
        let result = format!("type=\"{code}\" winner=\"{winner}\"");
        let by_xml = xml(1).replace("type=\"3\" winner=\"1\"", &result);
        let by_gsn = gsn(1).replace(
            "result 3 winner 0",
            &format!("result {code} winner {}", winner - 1),
        );
        for text in [by_xml, by_gsn] {
            let recording = one("x", text).unwrap();
            assert_eq!(recording.raw_ending(), Some(code));
            assert_eq!(replay(&recording).unwrap().outcome(), Some(outcome));
        }
    }
}

/// G07: the letters of the field.
#[test]
fn fields_are_read_exactly_or_not_at_all() {
    let field = |text: String| one("x", text).unwrap_err().code;
    let lower = FIELD.to_lowercase();
    let moved_lake = FIELD.replacen("AA__AA", "A__AAA", 1);
    let short = &FIELD[1..];
    for wrong in [short, &lower, &moved_lake, ""] {
        assert_eq!(
            field(xml(1).replace(FIELD, wrong)),
            Code::BadSetup,
            "{wrong}"
        );
        assert_eq!(
            field(gsn(1).replace(FIELD, wrong)),
            Code::BadSetup,
            "{wrong}"
        );
    }
    let without = xml(1).replace(&format!("<field content=\"{FIELD}\"/>"), "");
    assert_eq!(field(without), Code::BadSetup);
    for kind in ["free", "ultimate"] {
        let other = xml(1).replace("\"barrage\"", &format!("{kind:?}"));
        assert_eq!(field(other), Code::UnsupportedKind);
    }
    for kind in ["type 2", "type 3"] {
        assert_eq!(field(gsn(1).replace("type 1", kind)), Code::UnsupportedKind);
    }
    // A classic game has more pieces.
    let classic = xml(1).replace("barrage", "classic");
    assert_eq!(field(classic), Code::BadSetup);
}

/// G08: names keep their letters.
#[test]
fn names_are_read_in_their_encoding() {
    let named = xml(1).replace("Ann 1", "J\u{f6}rg \u{e4}");
    let latin: Vec<u8> = named.chars().map(|ch| u8::try_from(ch).unwrap()).collect();
    let declared = String::from_utf8_lossy(&latin).into_owned();
    assert!(declared.contains('\u{fffd}'));
    let says = |encoding: &str| {
        let head = format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>");
        let rest = &latin["<?xml version=\"1.0\"?>".len()..];
        [head.as_bytes(), rest].concat()
    };
    let utf_16: Vec<u8> = format!("\u{feff}{named}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for bytes in [
        named.clone().into_bytes(),
        latin.clone(),
        says("ISO-8859-1"),
        utf_16,
    ] {
        let recording = one("x.xml", bytes).unwrap();
        assert_eq!(recording.players.red, "J\u{f6}rg \u{e4}");
    }
    assert_eq!(
        one("x.xml", says("UTF-8")).unwrap_err().code,
        Code::BadEncoding
    );
    assert_eq!(
        one("x.xml", says("klingon")).unwrap_err().code,
        Code::BadEncoding
    );
}

/// G10: one game, in whatever form; and a corrected one is another.
#[test]
fn both_notations_are_one_game() {
    let name = |name: &str| name.to_lowercase();
    let digest = |label: &str, text: String| one(label, text).unwrap().digest(name);
    let first = digest("barrage.2003.06.01.1.gsn", gsn(1));
    assert_eq!(digest("barrage-2003.6-1.xml", xml(1)), first);
    assert_eq!(
        digest("b/barrage-2003.6-8.xml", xml(1).replace("Ann", "ANN")),
        first
    );
    assert_ne!(digest("barrage-2003.7-1.xml", xml(1)), first);
    let corrected = xml(1).replace("target=\"F7\"", "target=\"E8\"");
    assert_ne!(digest("barrage-2003.6-1.xml", corrected), first);
    let timed_out = xml(1).replace("type=\"3\"", "type=\"11\"");
    assert_ne!(digest("barrage-2003.6-1.xml", timed_out), first);
}

/// G12: nothing is expanded, and nothing is fetched.
#[test]
fn a_document_type_is_refused_before_all_else() {
    let bomb = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
    let file = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>";
    for head in [bomb, file, "<!DOCTYPE a>"] {
        let text = xml(1).replace("<stratego>", &format!("{head}<stratego>"));
        assert_eq!(one("x.xml", text).unwrap_err().code, Code::DocumentType);
    }
    let entity = xml(1).replace("Ann", "&x;");
    assert_eq!(one("x.xml", entity).unwrap_err().code, Code::BadXml);
    // Nor does depth bring it down.
    let deep = "<stratego>".repeat(200_000);
    assert_eq!(one("x.xml", deep).unwrap_err().code, Code::BadXml);
    let wide = format!("<stratego>{}</stratego>", "<a/>".repeat(1_000_001));
    assert_eq!(one("x.xml", wide).unwrap_err().code, Code::TooLarge);
}

/// G13: names are data.
#[test]
fn names_may_be_anything_that_can_be_shown() {
    let strange = "a/b?c#d%&amp;&lt;\"🙂\u{200f}";
    let recording = one("x.xml", xml(1).replace("Ann 1", strange)).unwrap();
    assert_eq!(recording.players.red, "a/b?c#d%&<\"🙂\u{200f}");
    let long = xml(1).replace("Ann 1", &"x".repeat(201));
    assert_eq!(one("x.xml", long).unwrap_err().code, Code::BadName);
    let none = xml(1).replace("Ann 1", " ");
    assert_eq!(one("x.xml", none).unwrap().players.red, "?");
}

/// What no rule allows rejects that game with its ply; of several in a file the others stand.
#[test]
fn an_impossible_move_rejects_its_game_alone() {
    let bomb = xml(2).replace("source=\"F8\" target=\"F7\"", "source=\"J9\" target=\"J8\"");
    let inner = |text: &str| {
        let start = text.find("<game").unwrap();
        let end = text.find("</stratego>").unwrap();
        text[start..end].to_owned()
    };
    let games: String = [xml(1), bomb, xml(3)]
        .iter()
        .map(|text| inner(text))
        .collect();
    let text = format!("<stratego>{games}</stratego>");
    let documents = crate::recorded::Documents::of_reader("x.xml", std::io::Cursor::new(text));
    let read = super::read_all(documents);
    assert_eq!(read.len(), 3);
    let fault = read[1].as_ref().unwrap_err();
    assert_eq!((fault.game, fault.ply), (2, Some(1)));
    assert_eq!(fault.code, Code::IllegalMove);
    assert_eq!(read[2].as_ref().unwrap().game, 3);
}

#[test]
fn what_is_no_game_is_said_to_be_none() {
    for (bytes, code) in [
        (&b""[..], Code::UnknownFormat),
        (b"  \n", Code::UnknownFormat),
        (b"\x89PNG\r\n\x1a\n", Code::UnknownFormat),
        (b"# a heading\n", Code::UnknownFormat),
        (b"<html></html>", Code::NoGame),
        (b"<html>", Code::BadXml),
        (b"{}", Code::UnknownFormat),
        (b"[{}]", Code::UnknownFormat),
        (b"{\"format\":", Code::BadJson),
    ] {
        let fault = one("x", bytes).unwrap_err();
        assert_eq!(fault.code, code, "{fault}");
    }
}
