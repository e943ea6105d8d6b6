//! Challenges: offers to play, to one player or to all.

use diesel::prelude::*;
use domain::{Color, Ruleset, Terms, Timestamp};

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError, exactly_one};
use crate::feeds::{self, FeedSource};
use crate::ids::{ChallengeId, GameId, PlayerId};
use crate::page::{Page, PageRequest};
use crate::players::{self, Player};
use crate::schema::{challenges, games};
use crate::terms::terms_row;
use crate::text;
use crate::time::{instant, micros};

/// A challenge.
#[derive(Debug, Clone, PartialEq)]
pub struct Challenge {
    /// Which.
    pub id: ChallengeId,
    /// Who made it.
    pub creator: Player,
    /// To whom; `None` is open to all.
    pub opponent: Option<Player>,
    /// What would be played.
    pub terms: Terms,
    /// The creator's side; `None` is drawn when it is accepted.
    pub color: Option<Color>,
    /// Whether the game would count.
    pub rated: bool,
    /// Whether the game would be hidden from others.
    pub private: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it lapses.
    pub expires_at: Timestamp,
    /// What became of it, and when; `None` while it stands.
    pub closed: Option<(Closing, Timestamp)>,
    /// What the opponent said when he declined.
    pub decline_reason: Option<String>,
    /// The game that it is to play again; its two players are those of the challenge.
    pub rematch_of: Option<GameId>,
}

/// What becomes of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// A game was made of it.
    Accepted(GameId),
    /// The opponent said no.
    Declined,
    /// Its creator took it back.
    Withdrawn,
    /// Nobody took it in time.
    Expired,
}

impl Closing {
    const ACCEPTED: &'static str = "accepted";

    const fn name(self) -> &'static str {
        match self {
            Self::Accepted(_) => Self::ACCEPTED,
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
            Self::Expired => "expired",
        }
    }

    fn read(name: &str, game: Option<GameId>) -> Result<Self, StorageError> {
        match (name, game) {
            ("accepted", Some(game)) => Ok(Self::Accepted(game)),
            ("declined", None) => Ok(Self::Declined),
            ("withdrawn", None) => Ok(Self::Withdrawn),
            ("expired", None) => Ok(Self::Expired),
            _ => Err(Corruption::Value { column: "closing" }.into()),
        }
    }

    const fn game(self) -> Option<GameId> {
        match self {
            Self::Accepted(game) => Some(game),
            Self::Declined | Self::Withdrawn | Self::Expired => None,
        }
    }
}

/// A challenge to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewChallenge {
    /// Drawn by the caller.
    pub id: ChallengeId,
    /// Who makes it.
    pub creator: PlayerId,
    /// To whom; another player than the creator.
    pub opponent: Option<PlayerId>,
    /// What would be played.
    pub terms: Terms,
    /// The creator's side.
    pub color: Option<Color>,
    /// Whether the game would count.
    pub rated: bool,
    /// Whether the game would be hidden from others.
    pub private: bool,
    /// When.
    pub created_at: Timestamp,
    /// When it lapses.
    pub expires_at: Timestamp,
    /// The game that it is to play again, one of the two.
    pub rematch_of: Option<GameId>,
}

/// Which challenges a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Those open to all.
    Open,
    /// Those sent to a player.
    Incoming(PlayerId),
    /// Those made by a player.
    Outgoing(PlayerId),
    /// Those open to all, and those made by or sent to a player.
    For(PlayerId),
}

/// The place of a challenge in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChallengeCursor {
    /// When it was made.
    pub created_at: Timestamp,
    /// Which.
    pub id: ChallengeId,
}

impl Challenge {
    /// Its place in a list.
    pub const fn cursor(&self) -> ChallengeCursor {
        ChallengeCursor {
            created_at: self.created_at,
            id: self.id,
        }
    }

    /// Whether it may still be accepted at that instant.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.closed.is_none() && now < self.expires_at
    }
}

terms_row!(challenges);

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = challenges, treat_none_as_default_value = false)]
struct ChallengeRow {
    id: ChallengeId,
    creator_id: PlayerId,
    opponent_id: Option<PlayerId>,
    color: Option<String>,
    #[diesel(embed)]
    terms: TermsRow,
    rated: bool,
    private: bool,
    created_at: i64,
    expires_at: i64,
    closing: Option<String>,
    closed_at: Option<i64>,
    decline_reason: Option<String>,
    game_id: Option<GameId>,
    rematch_of: Option<GameId>,
}

impl ChallengeRow {
    fn with(self, players: &[Player]) -> Result<Challenge, StorageError> {
        let player = |id: PlayerId| {
            let found = players.iter().find(|player| player.id == id).cloned();
            found.ok_or(StorageError::Corrupt(Corruption::Missing {
                table: "players",
            }))
        };
        let closed = match (self.closing, self.closed_at) {
            (Some(name), Some(at)) => Some((Closing::read(&name, self.game_id)?, instant(at))),
            (None, None) => None,
            _ => return Err(Corruption::Value { column: "closing" }.into()),
        };
        Ok(Challenge {
            id: self.id,
            creator: player(self.creator_id)?,
            opponent: self.opponent_id.map(player).transpose()?,
            terms: self.terms.try_into()?,
            color: text::optional_color(self.color.as_deref())?,
            rated: self.rated,
            private: self.private,
            created_at: instant(self.created_at),
            expires_at: instant(self.expires_at),
            closed,
            decline_reason: self.decline_reason,
            rematch_of: self.rematch_of,
        })
    }
}

/// Makes a challenge.
///
/// # Errors
/// [`Refused`](StorageError::Refused) when a player challenges himself;
/// [`Duplicate`](StorageError::Duplicate) of [`Unique::Rematch`](crate::Unique) when a rematch of the
/// game stands already, or was accepted.
pub fn create(conn: &mut Connection, new: &NewChallenge) -> Result<Challenge, StorageError> {
    let row = ChallengeRow {
        id: new.id,
        creator_id: new.creator,
        opponent_id: new.opponent,
        color: new.color.map(|color| color.name().to_owned()),
        terms: new.terms.into(),
        rated: new.rated,
        private: new.private,
        created_at: micros(new.created_at),
        expires_at: micros(new.expires_at),
        closing: None,
        closed_at: None,
        decline_reason: None,
        game_id: None,
        rematch_of: new.rematch_of,
    };
    let parties = [Some(row.creator_id), row.opponent_id];
    diesel::insert_into(challenges::table)
        .values(row)
        .execute(conn)?;
    for player in parties.into_iter().flatten() {
        let created = FeedSource::ChallengeCreated(new.id);
        feeds::announce(conn, player, created, new.created_at)?;
    }
    load(conn, new.id)
}

/// A challenge, open or not.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn load(conn: &mut Connection, id: ChallengeId) -> Result<Challenge, StorageError> {
    let row: ChallengeRow = challenges::table
        .find(id)
        .select(ChallengeRow::as_select())
        .first(conn)?;
    let players = players_of(conn, std::slice::from_ref(&row))?;
    row.with(&players)
}

/// The rematch of a game that has not been closed, or was accepted; there is one at the most.
///
/// # Errors
/// None of its own.
pub fn rematch_of(conn: &mut Connection, game: GameId) -> Result<Option<Challenge>, StorageError> {
    let accepted = Closing::ACCEPTED;
    let row: Option<ChallengeRow> = challenges::table
        .filter(challenges::rematch_of.eq(game))
        .filter(
            challenges::closing
                .is_null()
                .or(challenges::closing.eq(accepted)),
        )
        .select(ChallengeRow::as_select())
        .first(conn)
        .optional()?;
    let Some(row) = row else {
        return Ok(None);
    };
    let players = players_of(conn, std::slice::from_ref(&row))?;
    row.with(&players).map(Some)
}

/// How many challenges to a player stand at that instant.
///
/// # Errors
/// None of its own.
pub fn count_incoming(
    conn: &mut Connection,
    player: PlayerId,
    now: Timestamp,
) -> Result<u64, StorageError> {
    let count: i64 = challenges::table
        .filter(challenges::closed_at.is_null())
        .filter(challenges::expires_at.gt(micros(now)))
        .filter(challenges::opponent_id.eq(player))
        .count()
        .get_result(conn)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Challenges that stand at that instant, newest first.
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    listing: Listing,
    ruleset: Option<Ruleset>,
    now: Timestamp,
    page: &PageRequest<ChallengeCursor>,
) -> Result<Page<Challenge>, StorageError> {
    let mut query = challenges::table
        .filter(challenges::closed_at.is_null())
        .filter(challenges::expires_at.gt(micros(now)))
        .select(ChallengeRow::as_select())
        .limit(page.rows())
        .into_boxed();
    let open = challenges::opponent_id.is_null();
    query = match listing {
        Listing::Open => query.filter(open),
        Listing::Incoming(player) => query.filter(challenges::opponent_id.eq(player)),
        Listing::Outgoing(player) => query.filter(challenges::creator_id.eq(player)),
        Listing::For(player) => query.filter(
            open.or(challenges::creator_id.eq(player))
                .or(challenges::opponent_id.eq(player)),
        ),
    };
    if let Some(ruleset) = ruleset {
        query = query.filter(challenges::ruleset.eq(ruleset.id()));
    }
    let up = page.reads_up(false);
    if let Some(ChallengeCursor { created_at, id }) = page.from {
        let (key, at) = (challenges::created_at, micros(created_at));
        query = if up {
            query.filter(key.gt(at).or(key.eq(at).and(challenges::id.gt(id))))
        } else {
            query.filter(key.lt(at).or(key.eq(at).and(challenges::id.lt(id))))
        };
    }
    query = if up {
        query.order((challenges::created_at.asc(), challenges::id.asc()))
    } else {
        query.order((challenges::created_at.desc(), challenges::id.desc()))
    };
    let rows: Vec<ChallengeRow> = query.load(conn)?;
    let players = players_of(conn, &rows)?;
    page.page(rows).try_map(|row| row.with(&players))
}

fn players_of(conn: &mut Connection, rows: &[ChallengeRow]) -> Result<Vec<Player>, StorageError> {
    let mut ids: Vec<PlayerId> = rows
        .iter()
        .flat_map(|row| [Some(row.creator_id), row.opponent_id])
        .flatten()
        .collect();
    ids.sort_unstable();
    ids.dedup();
    players::by_ids(conn, &ids)
}

/// Closes a challenge that stands at that instant. Of an accepted one the game is made before, in the
/// same write.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when it is closed, has expired, or never was;
/// [`Corrupt`](StorageError::Corrupt) when the game is missing: the schema would tell at the commit
/// only, to all who share it.
pub fn close(
    conn: &mut Connection,
    id: ChallengeId,
    closing: Closing,
    now: Timestamp,
) -> Result<(), StorageError> {
    let closed = diesel::update(challenges::table.find(id))
        .filter(challenges::closed_at.is_null())
        .filter(challenges::expires_at.gt(micros(now)))
        .set((
            challenges::closing.eq(Some(closing.name())),
            challenges::closed_at.eq(Some(micros(now))),
            challenges::game_id.eq(closing.game()),
        ))
        .returning(PARTIES)
        .load::<Parties>(conn)?;
    exactly_one(closed.len())?;
    if let Some(game) = closing.game() {
        let made = games::table.find(game).select(games::id);
        let made: Option<GameId> = made.first(conn).optional()?;
        made.ok_or(Corruption::Missing { table: "games" })?;
    }
    announce_closed(conn, &closed, now)
}

/// A challenge and those whom it concerns.
type Parties = (ChallengeId, PlayerId, Option<PlayerId>);

const PARTIES: (
    challenges::id,
    challenges::creator_id,
    challenges::opponent_id,
) = (
    challenges::id,
    challenges::creator_id,
    challenges::opponent_id,
);

fn announce_closed(
    conn: &mut Connection,
    closed: &[Parties],
    now: Timestamp,
) -> Result<(), StorageError> {
    for (id, creator, opponent) in closed {
        for player in [Some(*creator), *opponent].into_iter().flatten() {
            feeds::announce(conn, player, FeedSource::ChallengeClosed(*id), now)?;
        }
    }
    Ok(())
}

/// Says no to a challenge that stands at that instant, with a word to its creator.
///
/// # Errors
/// As [`close`].
pub fn decline(
    conn: &mut Connection,
    id: ChallengeId,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<(), StorageError> {
    close(conn, id, Closing::Declined, now)?;
    diesel::update(challenges::table.find(id))
        .set(challenges::decline_reason.eq(reason))
        .execute(conn)?;
    Ok(())
}

/// Challenges that were closed together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClosedChallenges {
    /// How many.
    pub count: usize,
    /// Whom they concern, each player once.
    pub players: Vec<PlayerId>,
}

/// Closes a challenge that stands no longer at that instant, and has not been closed.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when it was closed, stands still, or never was.
pub fn expire(conn: &mut Connection, id: ChallengeId, now: Timestamp) -> Result<(), StorageError> {
    let closed: Vec<Parties> = diesel::update(challenges::table.find(id))
        .filter(challenges::closed_at.is_null())
        .filter(challenges::expires_at.le(micros(now)))
        .set((
            challenges::closing.eq(Some(Closing::Expired.name())),
            challenges::closed_at.eq(Some(micros(now))),
        ))
        .returning(PARTIES)
        .load(conn)?;
    exactly_one(closed.len())?;
    announce_closed(conn, &closed, now)
}

/// Closes what has expired, what expired first first and at most `limit`.
///
/// # Errors
/// None of its own.
pub fn close_expired(
    conn: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<ClosedChallenges, StorageError> {
    let expired: Vec<ChallengeId> = challenges::table
        .filter(challenges::closed_at.is_null())
        .filter(challenges::expires_at.le(micros(now)))
        .order(challenges::expires_at)
        .limit(i64::from(limit))
        .select(challenges::id)
        .load(conn)?;
    if expired.is_empty() {
        return Ok(ClosedChallenges::default());
    }
    let closed: Vec<Parties> = diesel::update(challenges::table)
        .filter(challenges::id.eq_any(&expired))
        .filter(challenges::closed_at.is_null())
        .set((
            challenges::closing.eq(Some(Closing::Expired.name())),
            challenges::closed_at.eq(Some(micros(now))),
        ))
        .returning(PARTIES)
        .load(conn)?;
    announce_closed(conn, &closed, now)?;
    let mut players: Vec<PlayerId> = closed
        .iter()
        .flat_map(|(_, creator, opponent)| [Some(*creator), *opponent])
        .flatten()
        .collect();
    players.sort_unstable();
    players.dedup();
    Ok(ClosedChallenges {
        count: closed.len(),
        players,
    })
}

/// Closes the challenges of a player who leaves: takes his own back, declines those to him. Gives
/// those who hear of it.
///
/// # Errors
/// None of its own.
pub fn close_all_of(
    conn: &mut Connection,
    player: PlayerId,
    now: Timestamp,
) -> Result<Vec<PlayerId>, StorageError> {
    let closed_at = challenges::closed_at.eq(Some(micros(now)));
    let mut closed: Vec<Parties> = diesel::update(challenges::table)
        .filter(challenges::closed_at.is_null())
        .filter(challenges::creator_id.eq(player))
        .set((
            challenges::closing.eq(Some(Closing::Withdrawn.name())),
            closed_at,
        ))
        .returning(PARTIES)
        .load(conn)?;
    let declined: Vec<Parties> = diesel::update(challenges::table)
        .filter(challenges::closed_at.is_null())
        .filter(challenges::opponent_id.eq(player))
        .set((
            challenges::closing.eq(Some(Closing::Declined.name())),
            closed_at,
        ))
        .returning(PARTIES)
        .load(conn)?;
    closed.extend(declined);
    announce_closed(conn, &closed, now)?;
    let parties = closed
        .into_iter()
        .flat_map(|(_, creator, opponent)| [Some(creator), opponent]);
    Ok(parties.flatten().collect())
}

/// Closes the challenges that two players have made to one another: takes back what `player` made, and
/// declines for him what the other made. Gives those who hear of it.
///
/// # Errors
/// None of its own.
pub fn close_between(
    conn: &mut Connection,
    player: PlayerId,
    other: PlayerId,
    now: Timestamp,
) -> Result<Vec<PlayerId>, StorageError> {
    let mut closed: Vec<Parties> = Vec::new();
    for (creator, opponent, closing) in [
        (player, other, Closing::Withdrawn),
        (other, player, Closing::Declined),
    ] {
        let parties = diesel::update(challenges::table)
            .filter(challenges::closed_at.is_null())
            .filter(challenges::creator_id.eq(creator))
            .filter(challenges::opponent_id.eq(opponent))
            .set((
                challenges::closing.eq(Some(closing.name())),
                challenges::closed_at.eq(Some(micros(now))),
            ))
            .returning(PARTIES)
            .load::<Parties>(conn)?;
        closed.extend(parties);
    }
    announce_closed(conn, &closed, now)?;
    let parties = closed
        .into_iter()
        .flat_map(|(_, creator, opponent)| [Some(creator), opponent]);
    Ok(parties.flatten().collect())
}

/// Forgets what a player said when he declined.
pub(crate) fn forget_words(conn: &mut Connection, player: PlayerId) -> Result<(), StorageError> {
    diesel::update(challenges::table)
        .filter(challenges::opponent_id.eq(player))
        .filter(challenges::decline_reason.is_not_null())
        .set(challenges::decline_reason.eq(None::<String>))
        .execute(conn)?;
    Ok(())
}
