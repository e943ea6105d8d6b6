/// Which way a list is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From its beginning, or on from a place.
    #[default]
    Forward,
    /// From its end, or back from a place.
    Backward,
}

/// Which part of a list is wanted.
///
/// `C` is the place of an item in the list: its sort key and its identifier, so that no two items
/// share a place and each is met exactly once, whatever is written meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<C> {
    /// At most so many items; never more than [`PageRequest::MAX`].
    pub limit: u32,
    /// Which way.
    pub direction: Direction,
    /// The last item that was seen going that way; `None` begins.
    pub from: Option<C>,
}

impl<C> PageRequest<C> {
    /// The longest page.
    pub const MAX: u32 = 1000;

    /// The first items.
    pub const fn first(limit: u32) -> Self {
        Self {
            limit,
            direction: Direction::Forward,
            from: None,
        }
    }

    /// The items after one.
    pub const fn after(limit: u32, from: C) -> Self {
        Self {
            limit,
            direction: Direction::Forward,
            from: Some(from),
        }
    }

    /// The last items.
    pub const fn last(limit: u32) -> Self {
        Self {
            limit,
            direction: Direction::Backward,
            from: None,
        }
    }

    /// The items before one.
    pub const fn before(limit: u32, from: C) -> Self {
        Self {
            limit,
            direction: Direction::Backward,
            from: Some(from),
        }
    }

    fn bounded(&self) -> u32 {
        self.limit.min(Self::MAX)
    }

    /// How many rows to ask for: one more than wanted tells whether the list goes on.
    pub(crate) fn rows(&self) -> i64 {
        i64::from(self.bounded()) + 1
    }

    /// Whether the rows of a list that stands in ascending order are read upwards.
    pub(crate) fn reads_up(&self, ascending: bool) -> bool {
        ascending == (self.direction == Direction::Forward)
    }

    /// Makes a page of rows that came in the order of reading.
    pub(crate) fn page<T>(&self, mut rows: Vec<T>) -> Page<T> {
        let wanted = usize::try_from(self.bounded()).unwrap_or(usize::MAX);
        let has_more = rows.len() > wanted;
        rows.truncate(wanted);
        if self.direction == Direction::Backward {
            rows.reverse();
        }
        Page {
            items: rows,
            has_more,
        }
    }
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// In the order of the list, whichever way it was read.
    pub items: Vec<T>,
    /// Whether the list goes on in the direction of reading.
    pub has_more: bool,
}

impl<T> Page<T> {
    pub(crate) fn try_map<U, E>(self, f: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        let items = self.items.into_iter().map(f).collect::<Result<_, _>>()?;
        Ok(Page {
            items,
            has_more: self.has_more,
        })
    }
}
