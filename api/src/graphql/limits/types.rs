use std::collections::HashMap;

use async_graphql::parser::types::{
    BaseType, FieldDefinition, Type, TypeKind, TypeSystemDefinition,
};
use async_graphql::parser::{self, parse_schema};

/// The fields that lead to a statement of SQL, or to much arithmetic, each with the least it costs,
/// in objects. Those of the objects in a page are fewer, for they are batched.
const QUERIES: [(&str, &str, u64); 18] = [
    ("Query", "game", 10),
    ("Query", "games", 10),
    ("Query", "player", 10),
    ("Query", "players", 10),
    ("Query", "leaderboard", 10),
    ("Query", "node", 10),
    ("Query", "stats", 10),
    ("Stats", "excluded", 10),
    ("Stats", "thinkTime", 100),
    ("Stats", "byPeriod", 50),
    ("Stats", "playerSummary", 10),
    ("Player", "games", 10),
    ("Player", "ratings", 2),
    ("Game", "moves", 2),
    ("Game", "replay", 2),
    ("Frame", "redHiddenBits", 1),
    ("Frame", "blueHiddenBits", 1),
    ("PieceView", "possible", 2),
];

/// What a field gives, as far as its cost depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A scalar or an enum.
    Leaf,
    /// An object.
    Object,
    /// A list of objects whose length the query does not say.
    List,
    /// A page: its edges come as often as the query says.
    Page,
    /// The edges of a page.
    Edges,
}

/// A field of the schema.
#[derive(Debug)]
pub(super) struct FieldType {
    /// The name of its type, without brackets.
    pub(super) of: String,
    pub(super) shape: Shape,
    /// What it costs besides what it gives, in objects.
    pub(super) query_cost: u64,
}

/// The fields of all objects of the schema, as far as their cost goes.
#[derive(Debug)]
pub(super) struct TypeTable(HashMap<String, HashMap<String, FieldType>>);

impl TypeTable {
    /// Reads the table from the schema's own text.
    ///
    /// # Errors
    /// When the text is not a schema.
    pub(super) fn read(sdl: &str) -> Result<Self, parser::Error> {
        let document = parse_schema(sdl)?;
        let mut objects = HashMap::new();
        for definition in &document.definitions {
            let TypeSystemDefinition::Type(definition) = definition else {
                continue;
            };
            let fields = match &definition.node.kind {
                TypeKind::Object(object) => &object.fields,
                TypeKind::Interface(interface) => &interface.fields,
                _ => continue,
            };
            objects.insert(definition.node.name.node.to_string(), fields);
        }
        let table = objects.iter().map(|(name, fields)| {
            let fields = fields.iter().map(|field| {
                let field = &field.node;
                let ty = FieldType::of(name, field, |name| objects.contains_key(name));
                (field.name.node.to_string(), ty)
            });
            (name.clone(), fields.collect())
        });
        Ok(Self(table.collect()))
    }

    /// The field of a type; `None` when the schema has none, which is for validation to say.
    pub(super) fn field(&self, of: &str, name: &str) -> Option<&FieldType> {
        self.0.get(of)?.get(name)
    }
}

impl FieldType {
    fn of(parent: &str, field: &FieldDefinition, is_object: impl Fn(&str) -> bool) -> Self {
        let (of, is_list) = innermost(&field.ty.node);
        let shape = match (is_object(of), is_list) {
            (false, _) => Shape::Leaf,
            (true, true) if of.ends_with("Edge") => Shape::Edges,
            (true, true) => Shape::List,
            (true, false) if of.ends_with("Connection") => Shape::Page,
            (true, false) => Shape::Object,
        };
        let query_cost = QUERIES
            .iter()
            .find(|(of, name, _)| *of == parent && *name == field.name.node.as_str())
            .map_or(0, |(_, _, cost)| *cost);
        Self {
            of: of.to_owned(),
            shape,
            query_cost,
        }
    }
}

/// The named type within all brackets, and whether there are any.
fn innermost(ty: &Type) -> (&str, bool) {
    match &ty.base {
        BaseType::Named(name) => (name.as_str(), false),
        BaseType::List(element) => (innermost(element).0, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_is_a_field_of_the_schema_and_every_page_a_query() {
        let table = TypeTable::read(&crate::graphql::sdl()).unwrap();
        for (of, name, cost) in QUERIES {
            let field = table
                .field(of, name)
                .unwrap_or_else(|| panic!("{of}.{name}"));
            assert_eq!(field.query_cost, cost);
        }
        for field in table.0["Query"].values() {
            assert!(field.query_cost > 0, "{field:?}");
        }
    }

    #[test]
    fn shapes_follow_from_the_schema() {
        let table = TypeTable::read(&crate::graphql::sdl()).unwrap();
        for (of, name, shape) in [
            ("Query", "games", Shape::Page),
            ("GameConnection", "edges", Shape::Edges),
            ("GameConnection", "pageInfo", Shape::Object),
            ("GameEdge", "node", Shape::Object),
            ("Game", "plies", Shape::Leaf),
            ("Game", "status", Shape::Leaf),
            ("Replay", "reveals", Shape::List),
            ("Node", "id", Shape::Leaf),
        ] {
            assert_eq!(table.field(of, name).unwrap().shape, shape, "{of}.{name}");
        }
        assert!(table.field("Game", "nothing").is_none());
        assert!(table.field("GameStatus", "x").is_none());
    }
}
