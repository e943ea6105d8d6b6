use std::convert::Infallible;

use async_graphql::parser::types::{
    Directive, ExecutableDocument, Field, FragmentSpread, OperationDefinition, OperationType,
    Selection, SelectionSet,
};
use async_graphql::{Name, Positioned, Value, Variables};

use super::types::{FieldType, Shape};
use super::{Audience, Exceeded, Limit, Limits, MAX_NESTING, Refusal};
use crate::graphql::page::{DEFAULT_PAGE, MAX_PAGE};

/// Costs are counted in twentieths of an object, the cost of a value.
const VALUE: u64 = 1;
const OBJECT: u64 = 20;
/// For how many objects a list counts whose length the query does not say.
const LIST: u64 = 10;

/// The introspection query of common tools goes 14 deep.
const MAX_INTROSPECTION_DEPTH: usize = 20;
/// The introspection query of common tools has some 250 fields.
const MAX_INTROSPECTION_FIELDS: usize = 500;
/// Each list within a list multiplies the answer by the size of the schema.
const MAX_INTROSPECTION_LISTS: usize = 2;
const INTROSPECTION_LISTS: [&str; 4] = ["fields", "inputFields", "interfaces", "possibleTypes"];

/// One operation, walked as if its fragments were written inline.
pub(super) struct Walk<'d> {
    limits: &'d Limits,
    document: &'d ExecutableDocument,
    operation: &'d OperationDefinition,
    variables: &'d Variables,
    max_complexity: usize,
    open_fragments: Vec<&'d Name>,
    aliases: usize,
    root_fields: usize,
    fields: u64,
    introspected: usize,
}

/// Where a selection stands.
#[derive(Clone, Copy)]
struct Place<'d> {
    /// The type that it selects from, if the schema has it.
    of: Option<&'d str>,
    /// How many fields stand above it.
    depth: usize,
    /// How many selections stand above it, fragments included.
    nesting: usize,
    /// How many edges the page has that it selects from.
    page: u64,
    /// Within `__schema` or `__type`: how many lists stand above it.
    introspection: Option<usize>,
}

impl<'d> Walk<'d> {
    pub(super) fn new(
        limits: &'d Limits,
        document: &'d ExecutableDocument,
        operation: &'d Positioned<OperationDefinition>,
        variables: &'d Variables,
        audience: Audience,
    ) -> Self {
        Self {
            max_complexity: limits.max_complexity(audience),
            limits,
            document,
            operation: &operation.node,
            variables,
            open_fragments: Vec::new(),
            aliases: 0,
            root_fields: 0,
            fields: 0,
            introspected: 0,
        }
    }

    /// Refuses the operation when it passes a limit.
    pub(super) fn check(mut self) -> Result<(), Refusal> {
        let root = Place {
            of: match self.operation.ty {
                OperationType::Query => Some("Query"),
                OperationType::Subscription => Some("Subscription"),
                OperationType::Mutation => None,
            },
            depth: 0,
            nesting: 0,
            page: 1,
            introspection: None,
        };
        let directives = self.directives(&self.operation.directives)?;
        let cost = self.selections(&self.operation.selection_set.node, root)?;
        Ok(self.check_complexity(cost.saturating_add(directives))?)
    }

    fn selections(&mut self, set: &'d SelectionSet, place: Place<'d>) -> Result<u64, Refusal> {
        let place = Place {
            nesting: place.nesting + 1,
            ..place
        };
        Exceeded::check(Limit::Nesting, place.nesting, MAX_NESTING)?;
        let mut cost = 0_u64;
        for selection in &set.items {
            let directives = self.directives(selection.node.directives())?;
            let selected = match &selection.node {
                Selection::Field(field) => self.field(&field.node, place)?,
                Selection::InlineFragment(fragment) => {
                    let fragment = &fragment.node;
                    let of = match &fragment.type_condition {
                        Some(condition) => Some(condition.node.on.node.as_str()),
                        None => place.of,
                    };
                    self.selections(&fragment.selection_set.node, Place { of, ..place })?
                }
                Selection::FragmentSpread(spread) => self.spread(&spread.node, place)?,
            };
            cost = cost.saturating_add(selected).saturating_add(directives);
        }
        Ok(cost)
    }

    fn spread(&mut self, spread: &'d FragmentSpread, place: Place<'d>) -> Result<u64, Refusal> {
        let name = &spread.fragment_name.node;
        let Some(fragment) = self.document.fragments.get(name) else {
            // For validation to say.
            return Ok(0);
        };
        if self.open_fragments.contains(&name) {
            return Err(Refusal::Cycle(name.to_string()));
        }
        self.open_fragments.push(name);
        let of = Some(fragment.node.type_condition.node.on.node.as_str());
        let set = &fragment.node.selection_set.node;
        let cost = self.selections(set, Place { of, ..place })?;
        self.open_fragments.pop();
        Ok(cost)
    }

    fn field(&mut self, field: &'d Field, place: Place<'d>) -> Result<u64, Refusal> {
        let config = &self.limits.config;
        self.aliases += usize::from(field.alias.is_some());
        Exceeded::check(Limit::Aliases, self.aliases, config.max_aliases)?;
        self.root_fields += usize::from(place.depth == 0);
        let most = match self.operation.ty {
            // Each is followed for as long as the caller likes; the specification allows one.
            OperationType::Subscription => 1,
            _ => config.max_root_fields,
        };
        Exceeded::check(Limit::RootFields, self.root_fields, most)?;
        let depth = place.depth + 1;
        let name = field.name.node.as_str();
        let set = &field.selection_set.node;
        let below = Place { depth, ..place };
        if let Some(lists) = place.introspection {
            return self.introspect(field, lists, below);
        }
        if place.depth == 0 && matches!(name, "__schema" | "__type") {
            let below = Place {
                introspection: Some(0),
                ..below
            };
            return self.introspect(field, 0, below);
        }
        Exceeded::check(Limit::Depth, depth, config.max_depth)?;
        self.fields += 1;
        // Each costs something, so that the walk itself has an end.
        self.check_complexity(self.fields)?;
        let ty = place.of.and_then(|of| self.limits.types.field(of, name));
        let below = Place {
            of: ty.map(|ty| ty.of.as_str()),
            page: self.page(field),
            ..below
        };
        let selected = self.selections_of(set, below)?;
        Ok(cost(ty, selected, place.page))
    }

    fn introspect(
        &mut self,
        field: &'d Field,
        lists: usize,
        below: Place<'d>,
    ) -> Result<u64, Refusal> {
        self.introspected += 1;
        let is_list = INTROSPECTION_LISTS.contains(&field.name.node.as_str());
        let lists = lists + usize::from(is_list);
        for (limit, found, maximum) in [
            (
                Limit::IntrospectionDepth,
                below.depth,
                MAX_INTROSPECTION_DEPTH,
            ),
            (
                Limit::IntrospectionFields,
                self.introspected,
                MAX_INTROSPECTION_FIELDS,
            ),
            (Limit::IntrospectionLists, lists, MAX_INTROSPECTION_LISTS),
        ] {
            Exceeded::check(limit, found, maximum)?;
        }
        let below = Place {
            introspection: Some(lists),
            ..below
        };
        self.selections_of(&field.selection_set.node, below)
    }

    fn selections_of(&mut self, set: &'d SelectionSet, place: Place<'d>) -> Result<u64, Refusal> {
        if set.items.is_empty() {
            Ok(0)
        } else {
            self.selections(set, place)
        }
    }

    fn directives(&mut self, directives: &[Positioned<Directive>]) -> Result<u64, Exceeded> {
        let count = u64::try_from(directives.len()).unwrap_or(u64::MAX);
        self.fields = self.fields.saturating_add(count);
        self.check_complexity(self.fields)?;
        Ok(count.saturating_mul(VALUE))
    }

    fn check_complexity(&self, cost: u64) -> Result<(), Exceeded> {
        let objects = usize::try_from(cost.div_ceil(OBJECT)).unwrap_or(usize::MAX);
        Exceeded::check(Limit::Complexity, objects, self.max_complexity)
    }

    /// How many edges a field asks for, if it is a page. What is no number counts as the most.
    fn page(&self, field: &Field) -> u64 {
        let most = u64::from(MAX_PAGE);
        let asked = ["first", "last"]
            .into_iter()
            .filter_map(|name| field.get_argument(name))
            .filter_map(|value| {
                let value = value.node.clone();
                match value.into_const_with(|name| Ok::<_, Infallible>(self.variable(&name))) {
                    Ok(Value::Null) => None,
                    Ok(Value::Number(number)) => Some(number.as_u64().unwrap_or(most)),
                    Ok(_) | Err(_) => Some(most),
                }
            })
            .max();
        asked.unwrap_or(u64::from(DEFAULT_PAGE)).clamp(1, most)
    }

    fn variable(&self, name: &Name) -> Value {
        let default = || {
            self.operation
                .variable_definitions
                .iter()
                .find(|definition| definition.node.name.node == *name)
                .and_then(|definition| definition.node.default_value())
        };
        self.variables
            .get(name)
            .or_else(default)
            .cloned()
            .unwrap_or_default()
    }
}

/// What a field costs with what is selected of it, when it stands in a page of so many edges.
fn cost(ty: Option<&FieldType>, selected: u64, page: u64) -> u64 {
    let object = selected.saturating_add(OBJECT);
    // What the schema does not have is refused later; until then it is an object.
    let Some(ty) = ty else { return object };
    let cost = match ty.shape {
        Shape::Leaf => VALUE,
        Shape::Object => object,
        Shape::List => object.saturating_mul(LIST),
        Shape::Page => selected,
        Shape::Edges => selected.saturating_mul(page),
    };
    cost.saturating_add(ty.query_cost.saturating_mul(OBJECT))
}
