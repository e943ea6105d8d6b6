use serde_json::{Value, json};

use super::*;

const COMMITTED: [&str; 2] = [
    "bd707537ace2035e4dd2503517f3b2e18d349c29f5d2c5d5396cd6466761823a",
    "b5dc5fffa2605b6cd0b7535f95696e75f491e4afdc452211941ed6b6b311f4e9",
];

/// An answer made apart from this program: the same army on both sides, with salts whose bytes count
/// from 0 to 250 and again.
fn answer() -> Value {
    serde_json::from_str(include_str!("tests/proofs.json")).unwrap()
}

fn verdict(answer: &Value) -> Verdict {
    check(answer.to_string().as_bytes(), ByColor::default()).unwrap()
}

fn faults(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut answer = answer();
    change(&mut answer);
    verdict(&answer).faults
}

#[test]
fn an_answer_made_elsewhere_is_opened() {
    let Verdict { opened, faults } = verdict(&answer());
    let [red, blue] = COMMITTED;
    let lines = [
        format!("red: 40 leaves open {red}"),
        format!("blue: 40 leaves open {blue}"),
    ];
    assert_eq!((opened, faults), (lines.to_vec(), Vec::new()));
}

#[test]
fn a_commitment_is_compared_with_the_one_that_was_noted() {
    let bytes = answer().to_string().into_bytes();
    let [red, blue] = COMMITTED.map(|text| text.parse::<Commitment>().unwrap());
    let noted = |red, blue| check(&bytes, ByColor { red, blue }).unwrap();
    assert_eq!(noted(Some(red), Some(blue)).faults, Vec::<String>::new());
    let Verdict { opened, faults } = noted(Some(red), Some(red));
    assert_eq!(opened, [format!("red: 40 leaves open {red}")]);
    let fault = format!("blue commitment: {blue} is not {red}, which was noted");
    assert_eq!(faults, [fault]);
}

#[test]
fn each_side_stands_for_itself() {
    let mut answer = answer();
    answer["blue"]["commitment"] = json!(COMMITTED[0]);
    let Verdict { opened, faults } = verdict(&answer);
    assert_eq!(opened, [format!("red: 40 leaves open {}", COMMITTED[0])]);
    let fault = format!(
        "blue commitment: none of the 40 leaves opens {}",
        COMMITTED[0]
    );
    assert_eq!(faults, [fault]);
}

#[test]
fn a_leaf_that_cannot_be_read_is_named_once() {
    let leaf = |change: fn(&mut Value)| faults(|answer| change(&mut answer["blue"]["leaves"][9]));
    for (change, fault) in [
        (
            (|leaf| leaf["piece"] = json!("X")) as fn(&mut Value),
            "its piece is none of F B S 2 3 4 5 6 7 8 9 M, nor `.` for an empty square",
        ),
        (
            |leaf| leaf["piece"] = json!(""),
            "its piece is none of F B S 2 3 4 5 6 7 8 9 M, nor `.` for an empty square",
        ),
        (
            |leaf| leaf["piece"] = json!("66"),
            "its piece is none of F B S 2 3 4 5 6 7 8 9 M, nor `.` for an empty square",
        ),
        (
            |leaf| leaf["salt"] = json!("00"),
            "its salt is not 64 hexadecimal digits",
        ),
        (
            |leaf| leaf["path"][5] = json!("é".repeat(32)),
            "node 6 of its path is not 64 hexadecimal digits",
        ),
        (
            |leaf| leaf["path"] = json!([]),
            "its path has 0 nodes, not 6",
        ),
        (
            |leaf| {
                let path = leaf["path"].as_array_mut().unwrap();
                path.push(path[0].clone());
            },
            "its path has 7 nodes, not 6",
        ),
    ] {
        assert_eq!(leaf(change), [format!("blue j7: {fault}")]);
    }
    assert_eq!(
        leaf(|leaf| leaf["square"] = json!("j11")),
        [
            "blue leaf 10: its square is none from a1 to j10",
            "blue j7: the leaf is missing"
        ]
    );
    let commitment = faults(|answer| answer["red"]["commitment"] = json!("none"));
    assert_eq!(
        commitment,
        ["red commitment: expected 64 hexadecimal digits"]
    );
}

#[test]
fn the_army_is_that_of_the_ruleset() {
    let faults = faults(|answer| answer["ruleset"] = json!("classic"));
    assert!(
        faults.contains(&"red setup: the army has 6 of `2`, this setup has 8".to_owned()),
        "{faults:?}"
    );
}

#[test]
fn what_is_no_answer_is_said_to_be_none() {
    let whole = answer().to_string();
    let changed = |change: fn(&mut Value)| {
        let mut answer = answer();
        change(&mut answer);
        answer.to_string()
    };
    for (text, says) in [
        (String::new(), "EOF"),
        ("{".to_owned(), "EOF"),
        ("\u{1b}[31mproofs".to_owned(), "expected value"),
        (
            "{\"code\": \"forbidden\"}".to_owned(),
            "unknown field `code`",
        ),
        (
            "{\"code\": \"forbidden\", \"detail\": \"it \\u001b[2Jruns\", \"status\": 403}"
                .to_owned(),
            "no proofs: it  [2Jruns",
        ),
        (whole[..whole.len() - 9].to_owned(), "EOF"),
        (format!("{whole} {whole}"), "more in it than one answer"),
        (
            changed(|answer| answer["blue"]["leaves"][9]["rank"] = json!("M")),
            "blue.leaves[9].rank: unknown field `rank`",
        ),
        (
            changed(|answer| answer["red"]["leaves"][0]["salt"] = json!(7)),
            "red.leaves[0].salt: invalid type",
        ),
        (
            changed(|answer| {
                answer.as_object_mut().unwrap().remove("ruleset");
            }),
            "missing field `ruleset`",
        ),
        (
            changed(|answer| answer["ruleset"] = json!("chess")),
            "ruleset: unknown variant `chess`",
        ),
    ] {
        let refused = check(text.as_bytes(), ByColor::default()).unwrap_err();
        assert!(refused.to_string().contains(says), "{says}: {refused}");
    }
    let deep = "[".repeat(100_000);
    assert!(check(deep.as_bytes(), ByColor::default()).is_err());
    assert!(check(b"{\"game_id\": \"\xff\"}", ByColor::default()).is_err());
}

#[test]
fn files_are_read_as_far_as_they_may_be_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proofs.json");
    for unreadable in [&*file, folder.path()] {
        let said = read(unreadable).unwrap_err().to_string();
        let named = format!("cannot read {}: ", unreadable.display());
        assert!(said.starts_with(&named), "{said}");
    }
    let most = usize::try_from(MAX_BYTES).unwrap();
    std::fs::write(&file, vec![b' '; most]).unwrap();
    assert_eq!(read(&file).unwrap().len(), most);
    std::fs::write(&file, vec![b' '; most + 1]).unwrap();
    assert!(matches!(read(&file), Err(VerifyError::TooLarge)));
}
