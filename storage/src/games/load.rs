use std::collections::HashMap;

use diesel::prelude::*;
use domain::{
    ByColor, Commitment, Event, Game, Move, Offer, OfferId, Rank, Rescue, Ruleset, Setup, Square,
    Timestamp,
};

use super::clock::ClockRow;
use super::recorded::{RecordedLog, load_logs};
use super::row::{GameRow, read_ply};
use super::{GameSummary, StoredGame};
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{Digest, GameId, PlayerId, StoredOfferId};
use crate::number;
use crate::players::{self, Player, PlayerRow};
use crate::ratings::from_millionths;
use crate::schema::{self, clock_entries, games, moves, offers, setups};
use crate::text;
use crate::time::instant;

/// Loads what belongs to some games. Of one game the statement has a fixed length, so that it stays
/// prepared: that is the way of every move.
macro_rules! load_of {
    ($query:expr, $key:expr, $ids:expr, $conn:expr) => {
        match $ids {
            [id] => $query.filter($key.eq(*id)).load($conn),
            ids => $query.filter($key.eq_any(ids)).load($conn),
        }
    };
}

/// A game, whole.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound); [`Corrupt`](StorageError::Corrupt) when its log does not
/// fold, or not to what its row says.
pub fn load(conn: &mut Connection, id: GameId) -> Result<StoredGame, StorageError> {
    let mut loaded = conn.snapshot(|conn| load_many(conn, &[id]))?;
    loaded.pop().ok_or(StorageError::NotFound)
}

/// A game, whole, that nobody else changes before this write is committed.
///
/// # Errors
/// As [`load`].
pub fn load_locked(conn: &mut Connection, id: GameId) -> Result<StoredGame, StorageError> {
    if let Connection::Postgres(conn) = conn {
        let _: GameId = games::table
            .find(id)
            .select(games::id)
            .for_update()
            .first(conn)?;
    }
    load(conn, id)
}

/// The games of a player that have not ended, and in which vacations count.
///
/// # Errors
/// None of its own.
pub fn paused_by_vacations(
    conn: &mut Connection,
    player: PlayerId,
) -> Result<Vec<GameId>, StorageError> {
    Ok(games::table
        .filter(
            games::red_player
                .eq(player)
                .or(games::blue_player.eq(player)),
        )
        .filter(games::finished_at.is_null())
        .filter(games::vacation.eq(true))
        .order(games::id)
        .select(games::id)
        .load(conn)?)
}

/// Games, whole, by a fixed number of statements; in no order, and those that are not there are left
/// out.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) as for [`load`].
pub fn load_many(conn: &mut Connection, ids: &[GameId]) -> Result<Vec<StoredGame>, StorageError> {
    let rows = rows(conn, ids)?;
    let players = players_of(conn, &rows)?;
    let elsewhere: Vec<GameId> = rows
        .iter()
        .filter(|row| row.is_recorded())
        .map(|row| row.id)
        .collect();
    let recorded = if elsewhere.is_empty() {
        HashMap::new()
    } else {
        load_logs(conn, &elsewhere)?
    };
    let mut logs = if elsewhere.len() == rows.len() {
        HashMap::new()
    } else {
        logs(conn, ids)?
    };
    let whole = |row: GameRow| {
        if let Some(log) = recorded.get(&row.id) {
            return whole_recorded(row, &players, log);
        }
        let log = logs.remove(&row.id).unwrap_or_default();
        let summary = row.summary(&players, log.setup_placed()?)?;
        let commitments = log.commitments()?;
        let events = log.events(&summary)?;
        let game = Game::fold(summary.terms, summary.created_at, events)?;
        agree(&summary, &game)?;
        Ok(StoredGame {
            summary,
            game,
            commitments,
            lines: None,
        })
    };
    rows.into_iter().map(whole).collect()
}

/// A game that was played elsewhere: its armies are in its log.
fn whole_recorded(
    row: GameRow,
    players: &[Player],
    log: &RecordedLog,
) -> Result<StoredGame, StorageError> {
    let summary = row.summary(players, PLACED)?;
    let game = log.replay(&summary)?;
    agree(&summary, &game)?;
    Ok(StoredGame {
        summary,
        game,
        commitments: ByColor::default(),
        lines: None,
    })
}

/// Both armies stand.
const PLACED: ByColor<bool> = ByColor {
    red: true,
    blue: true,
};

/// By what it shows that a game, or the name of one who plays it, has changed.
///
/// A game that is over changes still when it, or an earlier game of its players, is annulled.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamp {
    version: u64,
    players: ByColor<Player>,
    rating_changes: ByColor<Option<f64>>,
    annulled_at: Option<Timestamp>,
}

impl Stamp {
    /// Of a game that was loaded.
    pub fn of(summary: &GameSummary) -> Self {
        Self {
            version: summary.version,
            players: summary.players.clone(),
            rating_changes: summary.rating_changes,
            annulled_at: summary.annulment.as_ref().map(|annulment| annulment.at),
        }
    }
}

/// The version of a game, what its end gained both sides, and since when it is annulled.
type Changeable = (i64, Option<i64>, Option<i64>, Option<i64>);

/// The stamp of a game as it is now, by a single statement.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn stamp(conn: &mut Connection, id: GameId) -> Result<Stamp, StorageError> {
    let (red, blue) = diesel::alias!(schema::players as red, schema::players as blue);
    let player = (
        schema::players::id,
        schema::players::username,
        schema::players::created_at,
        schema::players::erased_at,
        schema::players::password_hash.is_null(),
        schema::players::is_admin,
        schema::players::suspended_at,
        schema::players::source,
    );
    let changeable = (
        games::version,
        games::red_rating_change,
        games::blue_rating_change,
        games::annulled_at,
    );
    let (row, red, blue): (Changeable, PlayerRow, PlayerRow) = games::table
        .inner_join(red.on(games::red_player.eq(red.field(schema::players::id))))
        .inner_join(blue.on(games::blue_player.eq(blue.field(schema::players::id))))
        .filter(games::id.eq(id))
        .select((changeable, red.fields(player), blue.fields(player)))
        .first(conn)?;
    let (version, red_change, blue_change, annulled_at) = row;
    Ok(Stamp {
        version: number::read(version)?,
        players: ByColor {
            red: red.into(),
            blue: blue.into(),
        },
        rating_changes: ByColor {
            red: red_change.map(from_millionths),
            blue: blue_change.map(from_millionths),
        },
        annulled_at: annulled_at.map(instant),
    })
}

/// A game as lists show it.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn summary(conn: &mut Connection, id: GameId) -> Result<GameSummary, StorageError> {
    let rows = rows(conn, &[id])?;
    complete(conn, rows)?.pop().ok_or(StorageError::NotFound)
}

fn rows(conn: &mut Connection, ids: &[GameId]) -> Result<Vec<GameRow>, StorageError> {
    let games = games::table.select(GameRow::as_select());
    let rows: Vec<GameRow> = load_of!(games, games::id, ids, conn)?;
    Ok(rows)
}

fn players_of(conn: &mut Connection, rows: &[GameRow]) -> Result<Vec<Player>, StorageError> {
    let mut ids: Vec<_> = rows
        .iter()
        .flat_map(|row| [row.red_player, row.blue_player])
        .collect();
    ids.sort_unstable();
    ids.dedup();
    players::by_ids(conn, &ids)
}

/// Adds to rows what lists show beside them: the players, and whose armies stand.
pub(super) fn complete(
    conn: &mut Connection,
    rows: Vec<GameRow>,
) -> Result<Vec<GameSummary>, StorageError> {
    let players = players_of(conn, &rows)?;
    let ids: Vec<GameId> = rows.iter().map(|row| row.id).collect();
    let armies = setups::table.select((setups::game_id, setups::color));
    let armies: Vec<(GameId, String)> = load_of!(armies, setups::game_id, ids.as_slice(), conn)?;
    let mut placed: HashMap<GameId, ByColor<bool>> = HashMap::new();
    for (id, color) in armies {
        placed.entry(id).or_default()[text::color(&color)?] = true;
    }
    rows.into_iter()
        .map(|row| {
            let placed = if row.is_recorded() {
                PLACED
            } else {
                placed.get(&row.id).copied().unwrap_or_default()
            };
            row.summary(&players, placed)
        })
        .collect()
}

/// The row says how the game stands, and so does the log: they must say the same.
fn agree(summary: &GameSummary, game: &Game) -> Result<(), StorageError> {
    let mut by_log = summary.clone();
    by_log.follow(game, summary.version, summary.announced);
    if by_log == *summary {
        Ok(())
    } else {
        Err(Corruption::Standing.into())
    }
}

/// What was logged of a game, by tables.
#[derive(Default)]
struct Log {
    setups: Vec<SetupRow>,
    moves: Vec<MoveRow>,
    offers: Vec<OfferRow>,
    clock: Vec<ClockRow>,
}

fn logs(conn: &mut Connection, ids: &[GameId]) -> Result<HashMap<GameId, Log>, StorageError> {
    let setups: Vec<SetupRow> = load_of!(
        setups::table
            .select(SetupRow::as_select())
            .order(setups::seq),
        setups::game_id,
        ids,
        conn
    )?;
    let moves: Vec<MoveRow> = load_of!(
        moves::table
            .select(MoveRow::as_select())
            .order((moves::game_id, moves::ply)),
        moves::game_id,
        ids,
        conn
    )?;
    let offers: Vec<OfferRow> = load_of!(
        offers::table.select(OfferRow::as_select()),
        offers::game_id,
        ids,
        conn
    )?;
    let clock: Vec<ClockRow> = load_of!(
        clock_entries::table.select(ClockRow::as_select()),
        clock_entries::game_id,
        ids,
        conn
    )?;
    let mut logs: HashMap<GameId, Log> = HashMap::new();
    for row in setups {
        logs.entry(row.game_id).or_default().setups.push(row);
    }
    for row in moves {
        logs.entry(row.game_id).or_default().moves.push(row);
    }
    for row in offers {
        logs.entry(row.game_id).or_default().offers.push(row);
    }
    for row in clock {
        logs.entry(row.game_id).or_default().clock.push(row);
    }
    Ok(logs)
}

impl Log {
    fn setup_placed(&self) -> Result<ByColor<bool>, StorageError> {
        let mut placed = ByColor::default();
        for row in &self.setups {
            placed[text::color(&row.color)?] = true;
        }
        Ok(placed)
    }

    fn commitments(&self) -> Result<ByColor<Option<Commitment>>, StorageError> {
        let mut commitments = ByColor::default();
        for row in &self.setups {
            let root = row.root.map(|root| Commitment::from_bytes(root.0));
            commitments[text::color(&row.color)?] = root;
        }
        Ok(commitments)
    }

    /// The events of the game as they happened. The start and the end are in the row of the game.
    fn events(self, summary: &GameSummary) -> Result<Vec<Event>, StorageError> {
        let beside_moves = self.setups.len() + 2 * self.offers.len() + self.clock.len() + 2;
        let mut log = Vec::with_capacity(self.moves.len() + beside_moves);
        for row in &self.setups {
            log.push((row.seq, row.event(summary.terms.ruleset)?));
        }
        if let Some(at) = summary.started_at {
            // The army that was placed last is what started the game.
            let last = self.setups.iter().map(|row| row.seq).max();
            log.push((last.map_or(0, |seq| seq + 1), Event::Started { at }));
        }
        for (ply, row) in (0..).zip(&self.moves) {
            if read_ply(row.ply)? != ply {
                return Err(Corruption::Missing { table: "moves" }.into());
            }
            log.push((row.seq, row.event()?));
        }
        for row in &self.offers {
            row.events(&mut log)?;
        }
        for row in &self.clock {
            log.push((row.seq, row.event()?));
        }
        log.sort_by_key(|(seq, _)| *seq);
        let mut events: Vec<Event> = log.into_iter().map(|(_, event)| event).collect();
        if let (Some(outcome), Some(at)) = (summary.outcome, summary.finished_at) {
            events.push(Event::Ended { outcome, at });
        }
        Ok(events)
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = setups)]
struct SetupRow {
    game_id: GameId,
    color: String,
    seq: i64,
    setup: String,
    placed_at: i64,
    root: Option<Digest>,
}

impl SetupRow {
    fn event(&self, ruleset: Ruleset) -> Result<Event, StorageError> {
        Ok(Event::SetupPlaced {
            by: text::color(&self.color)?,
            setup: Setup::parse(ruleset, &self.setup)
                .map_err(|_| Corruption::Value { column: "setup" })?,
            at: instant(self.placed_at),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = moves)]
struct MoveRow {
    game_id: GameId,
    ply: i32,
    seq: i64,
    from_square: i16,
    to_square: i16,
    rescue_rank: Option<String>,
    rescue_square: Option<i16>,
    played_at: i64,
}

impl MoveRow {
    fn event(&self) -> Result<Event, StorageError> {
        let mv = Move {
            from: square(self.from_square)?,
            to: square(self.to_square)?,
        };
        let rescue = match (self.rescue_rank.as_deref(), self.rescue_square) {
            (None, None) => None,
            (Some(name), Some(index)) => Some(Rescue {
                rank: rank(name)?,
                square: square(index)?,
            }),
            _ => {
                return Err(Corruption::Value {
                    column: "rescue_square",
                }
                .into());
            }
        };
        Ok(Event::Moved {
            mv,
            rescue,
            at: instant(self.played_at),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = offers)]
struct OfferRow {
    game_id: GameId,
    id: StoredOfferId,
    kind: String,
    color: String,
    made_seq: i64,
    made_at: i64,
    closing: Option<String>,
    closed_seq: Option<i64>,
    closed_at: Option<i64>,
}

impl OfferRow {
    fn events(&self, into: &mut Vec<(i64, Event)>) -> Result<(), StorageError> {
        let id = OfferId::from(self.id);
        let offer = Offer {
            id,
            kind: text::offer_kind(&self.kind)?,
            by: text::color(&self.color)?,
        };
        into.push((
            self.made_seq,
            Event::OfferMade {
                offer,
                at: instant(self.made_at),
            },
        ));
        match (self.closing.as_deref(), self.closed_seq, self.closed_at) {
            (None, None, None) => Ok(()),
            (Some(closing), Some(seq), Some(at)) => {
                let closing = text::offer_closing(closing)?;
                into.push((
                    seq,
                    Event::OfferClosed {
                        id,
                        closing,
                        at: instant(at),
                    },
                ));
                Ok(())
            }
            _ => Err(Corruption::Value { column: "closing" }.into()),
        }
    }
}

fn square(index: i16) -> Result<Square, StorageError> {
    let square = u8::try_from(index).ok().and_then(Square::new);
    square.ok_or_else(|| Corruption::Value { column: "square" }.into())
}

fn rank(name: &str) -> Result<Rank, StorageError> {
    let mut letters = name.chars();
    match (letters.next().and_then(Rank::from_char), letters.next()) {
        (Some(rank), None) => Ok(rank),
        _ => Err(Corruption::Value {
            column: "rescue_rank",
        }
        .into()),
    }
}
