//! Every way to a piece over GraphQL, found from the schema itself: queries that select all there is.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tests::Client;
use tests::client::text;
use tests::dice::Dice;

use super::ask::{Ask, Who};

const INTROSPECTION: &str = "{ __schema { queryType { name } subscriptionType { name } types { name kind
    enumValues { name } possibleTypes { name }
    fields { name args { name type { ...Ref } } type { ...Ref } } } } }
    fragment Ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";

/// The types of a server's schema.
pub(crate) struct Schema {
    root: String,
    subscriptions: String,
    types: BTreeMap<String, Value>,
}

/// What the arguments of a query are filled with, and how far it goes.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) game: String,
    /// The opaque identifier that `node` takes.
    pub(crate) node: String,
    pub(crate) username: String,
    /// As GraphQL writes it; `None` leaves it out.
    pub(crate) viewpoint: Option<&'static str>,
    pub(crate) ply: u32,
    pub(crate) first: usize,
    /// How often a type may stand on the way to a field.
    pub(crate) rounds: usize,
}

pub(crate) const VIEWPOINTS: [Option<&str>; 5] = [
    None,
    Some("RED"),
    Some("BLUE"),
    Some("PUBLIC"),
    Some("OMNISCIENT"),
];

impl Schema {
    pub(crate) fn read(client: &Client) -> Self {
        let answer = client.query(INTROSPECTION, &json!({}));
        let schema = &answer["__schema"];
        let types = schema["types"].as_array().expect("types").iter();
        Self {
            root: text(&schema["queryType"]["name"]),
            subscriptions: text(&schema["subscriptionType"]["name"]),
            types: types.map(|one| (text(&one["name"]), one.clone())).collect(),
        }
    }

    /// The fields of the query itself.
    pub(crate) fn roots(&self) -> Vec<String> {
        let fields = self.fields(&self.root);
        fields.iter().map(|field| text(&field["name"])).collect()
    }

    /// The fields of the subscription.
    pub(super) fn subscriptions(&self) -> Vec<String> {
        let fields = self.fields(&self.subscriptions);
        fields.iter().map(|field| text(&field["name"])).collect()
    }

    /// A subscription that selects everything below one of its fields.
    pub(super) fn subscription(&self, root: &str, choice: &Choice, dice: &mut Dice) -> String {
        format!(
            "subscription {}",
            self.below(&self.subscriptions, root, choice, dice)
        )
    }

    /// Whether a field of the query leads to a type.
    pub(super) fn leads_to(&self, root: &str, target: &str) -> bool {
        let mut reached = vec![self.field_type(&self.root, root)];
        let mut next = 0;
        while let Some(name) = reached.get(next).cloned() {
            let fields = self
                .fields(&name)
                .iter()
                .map(|field| named(&field["type"]).0);
            for found in fields.chain(self.possible(&name)) {
                if !reached.contains(&found) {
                    reached.push(found);
                }
            }
            next += 1;
        }
        reached.iter().any(|name| name == target)
    }

    /// A query that selects everything below one field of the root.
    pub(crate) fn query(&self, root: &str, choice: &Choice, dice: &mut Dice) -> String {
        self.below(&self.root, root, choice, dice)
    }

    fn below(&self, of: &str, root: &str, choice: &Choice, dice: &mut Dice) -> String {
        let fields = self.fields(of);
        let field = fields.iter().find(|field| field["name"] == root);
        let field = field.unwrap_or_else(|| panic!("no {root}"));
        let selected = self.field(field, &mut Vec::new(), choice, dice);
        format!("{{ {} }}", selected.expect("something to select"))
    }

    fn field(
        &self,
        field: &Value,
        path: &mut Vec<String>,
        choice: &Choice,
        dice: &mut Dice,
    ) -> Option<String> {
        let name = text(&field["name"]);
        let (of, _, _) = named(&field["type"]);
        let below = match self.kind(&of) {
            "SCALAR" | "ENUM" => String::new(),
            _ => self.selection(&of, path, choice, dice)?,
        };
        let arguments = field["args"].as_array().into_iter().flatten();
        let given: Vec<String> = arguments
            .filter_map(|argument| {
                let value = self.value(&name, argument, choice, dice)?;
                Some(format!("{}: {value}", text(&argument["name"])))
            })
            .collect();
        let given = if given.is_empty() {
            String::new()
        } else {
            format!("({})", given.join(", "))
        };
        Some(format!("{name}{given}{below}"))
    }

    /// All fields of a type, as far as it has not stood on the way here often enough.
    fn selection(
        &self,
        of: &str,
        path: &mut Vec<String>,
        choice: &Choice,
        dice: &mut Dice,
    ) -> Option<String> {
        if path.iter().filter(|name| *name == of).count() == choice.rounds {
            return None;
        }
        path.push(of.to_owned());
        let fields = self.fields(of).iter();
        let mut parts: Vec<String> = fields
            .filter_map(|field| self.field(field, path, choice, dice))
            .collect();
        for one in self.possible(of) {
            if let Some(selected) = self.selection(&one, path, choice, dice) {
                parts.push(format!("... on {one}{selected}"));
            }
        }
        path.pop();
        (!parts.is_empty()).then(|| format!(" {{ {} }}", parts.join(" ")))
    }

    /// What is given for an argument, if anything.
    fn value(
        &self,
        field: &str,
        argument: &Value,
        choice: &Choice,
        dice: &mut Dice,
    ) -> Option<String> {
        let name = text(&argument["name"]);
        let (of, required, list) = named(&argument["type"]);
        let quoted = |text: &str| Some(format!("\"{text}\""));
        match (name.as_str(), of.as_str()) {
            (_, "Viewpoint") => return choice.viewpoint.map(str::to_owned),
            ("id", "UUID") => return quoted(&choice.game),
            ("id", "ID") => return quoted(&choice.node),
            ("username", _) => return quoted(&choice.username),
            ("ruleset", _) => return quoted(["original", "barrage"][dice.below(2)]),
            ("ply", "Int") => return Some(choice.ply.to_string()),
            ("first", "Int") => return Some(choice.first.to_string()),
            // All events there are.
            ("after", "String") if field == "gameEvents" => return quoted("0"),
            ("last" | "before" | "after", _) => return None,
            // The game that is looked at, and no older one.
            ("filter", "GameFilter") => {
                return Some(format!("{{players: [\"{}\"]}}", choice.username));
            }
            _ => {}
        }
        let words = self.types[&of]["enumValues"].as_array();
        let value = match (of.as_str(), words) {
            (_, Some(words)) => text(&dice.pick(words)["name"]),
            ("String", _) if name == "tz" => "\"Asia/Tokyo\"".to_owned(),
            ("String" | "ID", _) => "\"x\"".to_owned(),
            ("Int" | "Float", _) => "1".to_owned(),
            ("Boolean", _) => "true".to_owned(),
            _ if required => panic!("say in `value` what {name}: {of} of {field} may be"),
            _ => return None,
        };
        let value = if list { format!("[{value}]") } else { value };
        (required || dice.one_in(4)).then_some(value)
    }

    fn kind(&self, of: &str) -> &str {
        self.types[of]["kind"].as_str().unwrap_or_default()
    }

    fn fields(&self, of: &str) -> &[Value] {
        self.types[of]["fields"]
            .as_array()
            .map_or(&[], Vec::as_slice)
    }

    fn field_type(&self, of: &str, name: &str) -> String {
        let field = self.fields(of).iter().find(|field| field["name"] == name);
        named(&field.expect("a field")["type"]).0
    }

    fn possible(&self, of: &str) -> Vec<String> {
        let types = self.types[of]["possibleTypes"].as_array();
        types
            .into_iter()
            .flatten()
            .map(|one| text(&one["name"]))
            .collect()
    }
}

/// The name of a type without its wrappers, whether it is required, and whether it is a list.
fn named(of: &Value) -> (String, bool, bool) {
    let (mut inner, required, mut list) = (of, of["kind"] == "NON_NULL", false);
    while inner["name"].is_null() {
        list |= inner["kind"] == "LIST";
        inner = &inner["ofType"];
    }
    (text(&inner["name"]), required, list)
}

pub(super) fn ask(who: Who, query: &str) -> Ask {
    Ask::post(who, "/graphql", &json!({"query": query}))
}
