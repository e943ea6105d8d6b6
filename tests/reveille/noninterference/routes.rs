//! Every way to read over REST, as the server's own document lists them: a route that is added there
//! is asked here, and one that this cannot ask fails the test.

use std::collections::BTreeSet;

use serde_json::Value;
use tests::dice::Dice;

use super::ask::{Ask, Who};

/// The routes that are read elsewhere or not at all, and why.
const EXEMPT: &[(&str, &str)] = &[
    ("/docs", "pages of the program, the same for everyone"),
    (
        "/openapi.json",
        "the document itself, the same for everyone",
    ),
    ("/problems/{code}", "explains a code, the same for everyone"),
    ("/v1/rules", "the rules, the same for everyone"),
    ("/v1/rules/{ruleset}", "the rules, the same for everyone"),
    ("/.well-known/jwks.json", "the server's public keys"),
    ("/v1/push/vapid-key", "a public key of the server"),
    ("/graphql", "queries have a module of their own"),
    ("/graphql/ws", "subscriptions are compared by `streams`"),
    ("/v1/games/{game_id}/events", "compared by `streams`"),
    ("/v1/me/events", "compared by `streams`"),
    (
        "/v1/exports",
        "games that are over alone, which `exports` sees to",
    ),
    ("/v1/stats/battles.svg", STATISTICS),
    ("/v1/stats/deployment.svg", STATISTICS),
    ("/v1/stats/information.svg", STATISTICS),
    ("/v1/stats/reveals.svg", STATISTICS),
    (
        "/mail/verify",
        "a page with a button, the same for everyone",
    ),
    ("/mail/reset", "a page with a form, the same for everyone"),
    (
        "/mail/unsubscribe",
        "a page that says what its token says, and asks nothing",
    ),
    ("/healthz", "says that the server runs"),
    ("/readyz", "says that the server is ready"),
];

const STATISTICS: &str = "games that are over alone, which `stats` sees to";

/// What the blanks of a path and a query may be filled with.
pub(super) struct Scene {
    pub(super) game: String,
    pub(super) challenge: String,
    /// Every enemy piece that the viewer can name, and names of none.
    pub(super) pieces: Vec<String>,
    /// The names of the viewer and of the opponent.
    pub(super) names: [String; 2],
    pub(super) ply: u32,
    /// Whether all that is worth asking is asked, or a draw of it.
    pub(super) whole: bool,
}

/// A `GET` route of the document.
pub(super) struct Route {
    pub(super) path: String,
    query: Vec<(String, Value)>,
    in_path: Vec<String>,
    /// The methods that the document does not list for the path.
    other_methods: Vec<&'static str>,
}

/// The `GET` routes of a document that are to be asked.
pub(super) fn routes(document: &Value) -> Vec<Route> {
    let paths = document["paths"].as_object().expect("paths");
    for (exempt, why) in EXEMPT {
        assert!(
            paths.contains_key(*exempt),
            "{exempt} ({why}) is no route any more"
        );
    }
    let asked = paths.iter().filter(|(path, operations)| {
        let exempt = EXEMPT.iter().any(|(exempt, _)| exempt == path);
        operations.get("get").is_some() && !exempt
    });
    asked
        .map(|(path, operations)| route(document, path, operations))
        .collect()
}

fn route(document: &Value, path: &str, operations: &Value) -> Route {
    let operation = &operations["get"];
    let streams = operation["responses"]["200"]["content"].get("text/event-stream");
    assert!(
        streams.is_none(),
        "{path} is a stream, which this cannot read: say in EXEMPT what compares it"
    );
    let named = |place: &'static str| {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        parameters.filter(move |parameter| parameter["in"] == place)
    };
    let name = |parameter: &Value| parameter["name"].as_str().expect("a name").to_owned();
    let schema = |parameter: &Value| resolved(document, &parameter["schema"]).clone();
    let methods = ["POST", "PUT", "PATCH", "DELETE"];
    let unlisted = methods.into_iter().filter(|method| {
        let listed = operations.get(method.to_ascii_lowercase());
        listed.is_none()
    });
    Route {
        path: path.to_owned(),
        query: named("query").map(|one| (name(one), schema(one))).collect(),
        in_path: named("path").map(name).collect(),
        other_methods: unlisted.collect(),
    }
}

fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(reference) => document
            .pointer(reference.trim_start_matches('#'))
            .expect("a reference of the document"),
        None => schema,
    }
}

impl Route {
    /// The requests of one caller: the viewer asks for more.
    pub(super) fn asks(
        &self,
        who: Who,
        scene: &Scene,
        cursor: Option<&str>,
        dice: &mut Dice,
    ) -> Vec<Ask> {
        let mut asks = Vec::new();
        let aside = who != Who::Viewer && !self.is_of_games();
        if aside && !scene.whole && !dice.one_in(4) {
            return asks;
        }
        let paths = self.paths(who, scene, dice);
        let alone: Vec<String> = self
            .query
            .iter()
            .flat_map(|(name, schema)| {
                let values = values(name, schema, scene, cursor, dice);
                values
                    .into_iter()
                    .map(move |value| format!("?{name}={value}"))
            })
            .collect();
        let (most_alone, most_combined) = match (who, scene.whole) {
            (Who::Viewer, true) if self.is_of_games() => (8, 3),
            (Who::Viewer, _) => (2, 1),
            (_, true) => (1, 1),
            (_, false) => (0, 0),
        };
        for (nth, path) in paths.iter().enumerate() {
            let get = |query: &str| Ask::get(who, format!("{path}{query}"));
            // Of many paths of one route each is asked in one way or another, and the first in all.
            if nth == 0 {
                asks.push(get(""));
                if dice.one_in(5) {
                    let method = dice.pick(&self.other_methods);
                    asks.push(Ask::new(who, "HEAD", path));
                    asks.push(Ask::new(who, method, path));
                }
                let chosen = dice.some(alone.clone(), most_alone);
                asks.extend(chosen.iter().map(|query| get(query)));
                let combined = (0..most_combined).map(|_| self.combined(scene, cursor, dice));
                asks.extend(combined.map(|query| get(&query)));
            } else if dice.one_in(2) {
                asks.push(get(""));
            } else {
                asks.push(get(&self.combined(scene, cursor, dice)));
            }
        }
        let mut seen = BTreeSet::new();
        asks.retain(|ask| seen.insert((ask.method.clone(), ask.path.clone())));
        asks
    }

    /// The path with all that its blanks may be; for others than the viewer a few of them.
    fn paths(&self, who: Who, scene: &Scene, dice: &mut Dice) -> Vec<String> {
        let mut paths = vec![self.path.clone()];
        for blank in &self.in_path {
            let mut values = blank_values(blank, scene, &self.path);
            if who != Who::Viewer || !scene.whole {
                values = dice.some(values, if who == Who::Viewer { 5 } else { 2 });
            }
            let filled = paths.iter().flat_map(|path| {
                let blank = format!("{{{blank}}}");
                values.iter().map(move |value| path.replace(&blank, value))
            });
            paths = filled.collect();
        }
        paths
    }

    /// Values for some of the query's parameters together.
    fn combined(&self, scene: &Scene, cursor: Option<&str>, dice: &mut Dice) -> String {
        let mut chosen = Vec::new();
        for (name, schema) in &self.query {
            if dice.one_in(3) {
                continue;
            }
            let values = values(name, schema, scene, cursor, dice);
            chosen.push(format!("{name}={}", dice.pick(&values)));
        }
        if chosen.is_empty() {
            return String::new();
        }
        format!("?{}", chosen.join("&"))
    }

    pub(super) fn takes_cursor(&self) -> bool {
        self.query.iter().any(|(name, _)| name == "after")
    }

    pub(super) fn is_of_games(&self) -> bool {
        self.in_path.iter().any(|name| name == "game_id")
    }
}

fn blank_values(blank: &str, scene: &Scene, path: &str) -> Vec<String> {
    let nobody = "018c0000-0000-7000-8000-000000000000".to_owned();
    match blank {
        "game_id" => vec![scene.game.clone()],
        "challenge_id" => vec![scene.challenge.clone()],
        "piece_id" => scene.pieces.clone(),
        "username" => scene.names.to_vec(),
        "ruleset" => vec!["original".to_owned(), "barrage".to_owned()],
        "offer_id" | "setup_id" | "webhook_id" | "import_id" => vec![nobody],
        _ => panic!(
            "{path}: say in `blank_values` what {blank} may be, or in EXEMPT why it is left out"
        ),
    }
}

/// Sensible values of a parameter, and senseless ones.
fn values(
    name: &str,
    schema: &Value,
    scene: &Scene,
    cursor: Option<&str>,
    dice: &mut Dice,
) -> Vec<String> {
    let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    match name {
        "limit" => return owned(&["1", "3", "100", "0", "x"]),
        "after" => return cursor.into_iter().chain(["x"]).map(str::to_owned).collect(),
        "player" => {
            let unknown = "nobody_of_that_name".to_owned();
            return scene.names.iter().cloned().chain([unknown]).collect();
        }
        _ => {}
    }
    let nonsense = "nonsense".to_owned();
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str).map(str::to_owned);
        return words.chain([nonsense]).collect();
    }
    let is = |kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    };
    if is("integer") || is("number") {
        let ply = scene.ply as usize;
        let within = dice.below(ply + 1);
        let counts = [0, within, ply, ply + 1].map(|count| count.to_string());
        return counts
            .into_iter()
            .chain(["-1".to_owned(), nonsense])
            .collect();
    }
    if is("boolean") {
        return owned(&["true", "false", "nonsense"]);
    }
    assert!(is("string"), "say in `values` what {name} may be: {schema}");
    vec![nonsense]
}
