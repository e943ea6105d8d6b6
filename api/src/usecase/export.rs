//! All that the server keeps of a player, for him alone.

use std::collections::HashMap;

use domain::{Lines, Timestamp, Vacation};
use storage::blocks::{self, Blocked};
use storage::challenges::{self, Challenge, Listing};
use storage::games::{self, StoredGame};
use storage::imports::{self, Import};
use storage::notes::{self, Note};
use storage::personal_tokens::{self, PersonalToken};
use storage::players::{self, Account};
use storage::ratings::{self, Standing};
use storage::saved_setups::{self, SavedSetup};
use storage::sessions::{self, Session};
use storage::subscriptions::{self, ChannelKind, Subscription};
use storage::{Connection, Database, GameId, Page, PageRequest, PlayerId, StorageError, vacations};

use super::accounts::require_active;
use crate::problem::ApiError;

/// What is kept of a player beside his games, which are many and follow one by one.
pub struct Kept {
    /// The account.
    pub account: Account,
    /// How he stands in each pool.
    pub ratings: Vec<Standing>,
    /// His vacation.
    pub vacation: Vacation,
    /// The logins that last.
    pub sessions: Vec<Session>,
    /// The personal tokens, without what opens them.
    pub tokens: Vec<PersonalToken>,
    /// Whom the player blocks.
    pub blocks: Vec<Blocked>,
    /// The webhooks.
    pub webhooks: Vec<Subscription>,
    /// The browsers that are told.
    pub browsers: Vec<Subscription>,
    /// The saved setups.
    pub setups: Vec<SavedSetup>,
    /// The challenges that stand, by him and to him.
    pub challenges: Vec<Challenge>,
    /// The imports that he asked for, the oldest first.
    pub imports: Vec<Import>,
    /// The games that he plays or has played, the oldest first.
    pub games: Vec<GameId>,
}

/// Reads what is kept of the caller.
///
/// # Errors
/// 401 for an erased account.
pub fn kept(db: &Database, caller: PlayerId, now: Timestamp) -> Result<Kept, ApiError> {
    db.read(|connection| {
        require_active(connection, caller)?;
        Ok(Kept {
            account: players::account(connection, caller)?,
            ratings: ratings::of_players(connection, &[caller])?
                .into_iter()
                .map(|(_, standing)| standing)
                .collect(),
            vacation: vacations::load(connection, caller)?,
            sessions: sessions::list(connection, caller, now)?,
            tokens: personal_tokens::list(connection, caller)?,
            blocks: all(
                |page| blocks::list(connection, caller, page),
                |blocked| blocked.player.id,
            )?,
            webhooks: subscriptions::list(connection, caller, ChannelKind::Webhook)?,
            browsers: subscriptions::list(connection, caller, ChannelKind::Push)?,
            setups: all(
                |page| saved_setups::list(connection, caller, page),
                |setup| setup.id,
            )?,
            challenges: challenges_of(connection, caller, now)?,
            imports: imports::list(connection, caller)?,
            games: games::ids_of_player(connection, caller)?,
        })
    })
}

fn challenges_of(
    connection: &mut Connection,
    caller: PlayerId,
    now: Timestamp,
) -> Result<Vec<Challenge>, StorageError> {
    let mut found = Vec::new();
    for listing in [Listing::Outgoing(caller), Listing::Incoming(caller)] {
        let page = |page: &PageRequest<_>| challenges::list(connection, listing, None, now, page);
        found.extend(all(page, Challenge::cursor)?);
    }
    Ok(found)
}

/// Reads a list to its end.
fn all<T, C>(
    mut page: impl FnMut(&PageRequest<C>) -> Result<Page<T>, StorageError>,
    cursor: impl Fn(&T) -> C,
) -> Result<Vec<T>, StorageError> {
    let mut found = Vec::new();
    let mut wanted = PageRequest::first(PageRequest::<C>::MAX);
    loop {
        let Page { items, has_more } = page(&wanted)?;
        let last = items.last().map(&cursor).filter(|_| has_more);
        found.extend(items);
        match last {
            Some(last) => wanted = PageRequest::after(PageRequest::<C>::MAX, last),
            None => return Ok(found),
        }
    }
}

/// Some of the caller's notes, those on the games after one.
///
/// # Errors
/// 401 for an account that was erased meanwhile.
pub fn some_notes(
    db: &Database,
    caller: PlayerId,
    after: Option<GameId>,
    limit: u32,
) -> Result<Page<(GameId, Note)>, ApiError> {
    let page = PageRequest {
        from: after,
        ..PageRequest::first(limit)
    };
    db.read(|connection| {
        require_active(connection, caller)?;
        Ok(notes::list(connection, caller, &page)?)
    })
}

/// A game of the caller's, and what he has prepared in it.
pub type OwnGame = (StoredGame, Option<Lines>);

/// Some of the caller's games, in the order asked for.
///
/// # Errors
/// 401 for an account that was erased meanwhile.
pub fn some_games(
    db: &Database,
    caller: PlayerId,
    ids: &[GameId],
) -> Result<Vec<OwnGame>, ApiError> {
    db.read(|connection| {
        require_active(connection, caller)?;
        let mut lines: HashMap<GameId, Lines> = games::lines_of_player(connection, caller, ids)?
            .into_iter()
            .collect();
        let load = |id: &GameId| Ok((games::load(connection, *id)?, lines.remove(id)));
        ids.iter().map(load).collect()
    })
}
