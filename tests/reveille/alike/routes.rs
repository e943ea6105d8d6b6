//! Every route of the document that is read, with every value of every parameter. One that this does not
//! know fails the test.

use serde_json::Value;
use tests::EventStream;

use super::{Reader, Story};

/// What is read otherwise, or is no reading of the database. All filters of exports and statistics
/// together would be thousands; `exports` and `stats` try them one by one, on both.
const EXEMPT: &[&str] = &[
    "/v1/exports",
    "/v1/stats/battles.svg",
    "/v1/stats/deployment.svg",
    "/v1/stats/information.svg",
    "/v1/stats/reveals.svg",
    "/graphql",
    "/graphql/ws",
    "/openapi.json",
    "/docs",
    "/problems/{code}",
];
/// A piece of each side, and one that is none.
const PIECES: [&str; 2] = ["red:j4", "blue:e9"];

pub(super) fn read(reader: &mut Reader, story: &Story) {
    let document = story.readers[0].get("/openapi.json").ok(200);
    let paths = document["paths"].as_object().expect("paths");
    let read = paths.iter().filter(|(path, operations)| {
        operations.get("get").is_some() && !EXEMPT.contains(&path.as_str())
    });
    for (path, operations) in read {
        let operation = &operations["get"];
        let answer = &operation["responses"]["200"]["content"];
        for path in filled(path, story) {
            if answer.get("text/event-stream").is_some() {
                follow(reader, story, &path);
                continue;
            }
            for query in queries(&document, operation, story) {
                ask(reader, story, &format!("{path}{query}"));
            }
        }
    }
}

/// The path with everything that its blanks may be.
fn filled(path: &str, story: &Story) -> Vec<String> {
    let mut paths = vec![path.to_owned()];
    while let Some(begin) = paths[0].find('{') {
        let end = paths[0].find('}').expect("the end of a blank");
        let blank = paths[0][begin + 1..end].to_owned();
        let values = match blank.as_str() {
            "game_id" => story.games.clone(),
            "challenge_id" => story.challenges.clone(),
            "setup_id" => story.setups.clone(),
            "webhook_id" => story.webhooks.clone(),
            "import_id" => vec!["018c0000-0000-7000-8000-000000000000".to_owned()],
            "username" => story.usernames.clone(),
            "piece_id" => PIECES.map(str::to_owned).into(),
            "ruleset" => vec!["barrage".to_owned(), "original".to_owned()],
            _ => panic!("{path}: say what {blank} may be"),
        };
        let blank = format!("{{{blank}}}");
        paths = paths
            .iter()
            .flat_map(|path| values.iter().map(|value| path.replacen(&blank, value, 1)))
            .collect();
    }
    paths
}

/// All combinations of what the parameters of the query may be, each left out as well.
fn queries(document: &Value, operation: &Value, story: &Story) -> Vec<String> {
    let mut queries = vec![String::new()];
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    for parameter in parameters.filter(|one| one["in"] == "query") {
        let name = parameter["name"].as_str().expect("a name");
        let values = values(document, name, &parameter["schema"], story);
        let more = queries.iter().flat_map(|query| {
            let sign = if query.is_empty() { '?' } else { '&' };
            values
                .iter()
                .map(move |value| format!("{query}{sign}{name}={value}"))
        });
        queries = more.chain(queries.iter().cloned()).collect();
    }
    queries
}

fn values(document: &Value, name: &str, schema: &Value, story: &Story) -> Vec<String> {
    let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    let schema = match schema["$ref"].as_str() {
        Some(reference) => document
            .pointer(reference.trim_start_matches('#'))
            .expect("what it refers to"),
        None => schema,
    };
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str);
        let played = |word: &&str| name != "ruleset" || ["barrage", "duel"].contains(word);
        return words.filter(played).map(str::to_owned).collect();
    }
    match name {
        "player" => story.usernames[1..2].to_vec(),
        "limit" => owned(&["2"]),
        "ply" | "after_ply" => owned(&["0", "2"]),
        // Those of mails are drawn anew for each.
        "token" => owned(&["nothing"]),
        // Pages are followed to their end.
        "after" => Vec::new(),
        _ => panic!("say what {name} may be: {schema}"),
    }
}

/// Asks as everybody, and page by page.
fn ask(reader: &mut Reader, story: &Story, path: &str) {
    let sign = if path.contains('?') { '&' } else { '?' };
    for who in &story.readers {
        let mut next = reader.get(who, path);
        while let Some(after) = next {
            next = reader.get(who, &format!("{path}{sign}after={after}"));
        }
    }
}

/// What a stream has told so far, to everybody who may hear it.
fn follow(reader: &mut Reader, story: &Story, path: &str) {
    for who in &story.readers {
        // Whoever begins with what comes next has all numbered that came before.
        let begun = EventStream::send(who, "GET", path, &[]);
        let (status, asked) = (begun.head.status, format!("{} {path}", who.name));
        if status != 200 {
            reader.keep(&asked, status, "");
            continue;
        }
        // Where it stands by now is what a place that is not there leads to.
        let mut stream = EventStream::open(who, path, Some("999999"));
        let last = stream.event().number();
        reader.keep(&asked, status, &last.to_string());
        if last == 0 {
            continue;
        }
        for event in EventStream::open(who, path, Some("0")).up_to(last) {
            let told = format!("{:?} {} {}", event.id, event.name, event.data);
            reader.keep(&asked, status, &told);
        }
    }
}
