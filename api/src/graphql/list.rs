//! Lists, whose items are resolved one after another where all is at hand.

use std::borrow::Cow;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{Field, Selection};
use async_graphql::registry::Registry;
use async_graphql::resolver_utils::{ContainerType, resolve_list};
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};

/// What stands in a list.
pub(super) trait Item: ContainerType {
    /// Whether all that can be asked of it is at hand. Where something is loaded, all items are resolved at
    /// once, so that it is loaded for all of them together; that costs a task for each.
    const AT_HAND: bool;
}

/// Items in their order.
#[derive(Debug)]
pub(super) struct List<T>(Vec<T>);

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<T: Item> OutputType for List<T> {
    fn type_name() -> Cow<'static, str> {
        Vec::<T>::type_name()
    }

    fn qualified_type_name() -> String {
        Vec::<T>::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Vec::<T>::create_type_info(registry)
    }

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        if !T::AT_HAND {
            return resolve_list(ctx, field, &self.0, Some(self.0.len())).await;
        }
        let mut values = Vec::with_capacity(self.0.len());
        for (place, item) in self.0.iter().enumerate() {
            let ctx = ctx.with_index(place);
            let value = resolve(item, &ctx, field).await;
            values.push(value.map_err(|fault| ctx.set_error_path(fault))?);
        }
        Ok(Value::List(values))
    }
}

/// Resolves an item field by field. Whatever is more than a field of a name is left to the engine.
async fn resolve<T: Item>(
    item: &T,
    ctx: &ContextSelectionSet<'_>,
    field: &Positioned<Field>,
) -> ServerResult<Value> {
    let selections = &ctx.item.node.items;
    let mut object = IndexMap::with_capacity(selections.len());
    for selection in selections {
        let Selection::Field(asked) = &selection.node else {
            return item.resolve(ctx, field).await;
        };
        let key = &asked.node.response_key().node;
        let is_plain = asked.node.directives.is_empty() && asked.node.name.node != "__typename";
        if !is_plain || object.contains_key(key) {
            return item.resolve(ctx, field).await;
        }
        let of_field = ctx.with_field(asked);
        let value = item.resolve_field(&of_field).await?;
        object.insert(key.clone(), value.unwrap_or_default());
    }
    Ok(Value::Object(object))
}
