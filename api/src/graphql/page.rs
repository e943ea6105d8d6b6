//! The arguments of pages, checked.

use storage::PageRequest;

use super::cursor::Cursor;
use crate::problem::ApiError;

/// How many edges a page has when nothing is said.
pub(super) const DEFAULT_PAGE: u32 = 20;
/// How many edges a page has at most.
pub(super) const MAX_PAGE: u32 = 100;

/// Which page is wanted, as the query says it.
#[derive(Debug, Default, Clone)]
pub(super) struct PageArguments {
    pub(super) first: Option<i32>,
    pub(super) after: Option<String>,
    pub(super) last: Option<i32>,
    pub(super) before: Option<String>,
}

impl PageArguments {
    /// A page that is read forward.
    pub(super) fn forward(first: Option<i32>, after: Option<String>) -> Self {
        Self {
            first,
            after,
            ..Self::default()
        }
    }

    /// The page, once all arguments are in range.
    ///
    /// # Errors
    /// 400 that names the argument.
    pub(super) fn check<C: Cursor>(&self) -> Result<PageRequest<C>, ApiError> {
        let backward = self.last.is_some() || self.before.is_some();
        if backward && (self.first.is_some() || self.after.is_some()) {
            let (asked, with) = if self.first.is_some() {
                ("first", "after")
            } else {
                ("after", "first")
            };
            let detail = format!("goes with {with} alone, not with last or before");
            return Err(ApiError::malformed_field(asked, detail));
        }
        Ok(if backward {
            let limit = length("last", self.last)?;
            match place("before", self.before.as_deref())? {
                Some(cursor) => PageRequest::before(limit, cursor),
                None => PageRequest::last(limit),
            }
        } else {
            let limit = length("first", self.first)?;
            match place("after", self.after.as_deref())? {
                Some(cursor) => PageRequest::after(limit, cursor),
                None => PageRequest::first(limit),
            }
        })
    }
}

fn length(name: &str, asked: Option<i32>) -> Result<u32, ApiError> {
    let Some(asked) = asked else {
        return Ok(DEFAULT_PAGE);
    };
    match u32::try_from(asked) {
        Ok(length) if length <= MAX_PAGE => Ok(length),
        _ => {
            let detail = format!("expected 0 to {MAX_PAGE}, got {asked}");
            Err(ApiError::malformed_field(name, detail))
        }
    }
}

fn place<C: Cursor>(name: &str, cursor: Option<&str>) -> Result<Option<C>, ApiError> {
    let Some(cursor) = cursor else {
        return Ok(None);
    };
    let place = C::decode(cursor);
    if place.is_none() {
        let detail = "expected a cursor of this list, as an edge of it gave";
        return Err(ApiError::malformed_field(name, detail));
    }
    Ok(place)
}

#[cfg(test)]
mod tests {
    use storage::Direction;

    use super::*;
    use crate::graphql::cursor::PlyCursor;

    fn check(
        first: Option<i32>,
        after: Option<&str>,
        last: Option<i32>,
        before: Option<&str>,
    ) -> Result<PageRequest<PlyCursor>, ApiError> {
        let (after, before) = (after.map(str::to_owned), before.map(str::to_owned));
        PageArguments {
            first,
            after,
            last,
            before,
        }
        .check()
    }

    #[test]
    fn pages_forward_and_backward() {
        let cursor = PlyCursor(7).encode();
        for (page, expected) in [
            (check(None, None, None, None), PageRequest::first(20)),
            (check(Some(0), None, None, None), PageRequest::first(0)),
            (check(Some(100), None, None, None), PageRequest::first(100)),
            (
                check(Some(3), Some(&cursor), None, None),
                PageRequest::after(3, PlyCursor(7)),
            ),
            (
                check(None, Some(&cursor), None, None),
                PageRequest::after(20, PlyCursor(7)),
            ),
            (check(None, None, Some(3), None), PageRequest::last(3)),
            (
                check(None, None, None, Some(&cursor)),
                PageRequest::before(20, PlyCursor(7)),
            ),
        ] {
            assert_eq!(page.unwrap(), expected);
        }
        let page = check(None, None, Some(3), Some(&cursor)).unwrap();
        assert_eq!(page.direction, Direction::Backward);
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let cursor = PlyCursor(7).encode();
        for (page, field) in [
            (check(Some(-1), None, None, None), "first"),
            (check(Some(101), None, None, None), "first"),
            (check(Some(i32::MAX), None, None, None), "first"),
            (check(None, None, Some(-1), None), "last"),
            (check(None, None, Some(101), None), "last"),
            (check(Some(1), None, Some(1), None), "first"),
            (check(Some(1), None, None, Some(&cursor)), "first"),
            (check(None, Some(&cursor), Some(1), None), "after"),
            (check(None, Some("nonsense"), None, None), "after"),
            (check(None, Some(""), None, None), "after"),
            (check(None, None, None, Some("nonsense")), "before"),
        ] {
            let error = page.unwrap_err();
            assert_eq!(error.members()["field"], field, "{}", error.detail());
        }
    }
}
