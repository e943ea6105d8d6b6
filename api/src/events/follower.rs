use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use storage::Connection;
use tokio::sync::watch;

use super::channel::{Channel, Place};
use super::frame::Frame;
use super::hub::{Next, Subscription};
use super::listeners::{Listener, Presence};
use super::page;
use crate::problem::ApiError;
use crate::state::AppState;

/// How often whoever follows hears that there is nothing to tell.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How many events a reader may fall behind who had all there were. Many may come at once, to a player
/// of many games, and nothing is kept for whoever lags: he reads the tables.
const FARTHEST: u64 = 256;

/// The last event that somebody has who wants to go on from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastEvent {
    /// The event of a number.
    Number(u64),
    /// Something that is no number of an event.
    Unknown,
}

impl LastEvent {
    /// Reads what a reader says he has: decimal digits, and nothing else.
    pub fn parse(text: &str) -> Self {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| is_number);
        number.map_or(Self::Unknown, Self::Number)
    }
}

/// Why nothing more is told. Who asks again and says what he has misses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// The access token has run out.
    TokenExpired,
    /// The account of the reader is no more.
    AccountErased,
    /// The login or personal token has ended that the stream was opened with.
    TokenRevoked,
    /// The server goes down.
    Shutdown,
    /// The reader is too far behind.
    TooSlow,
    /// The database does not answer.
    Unavailable,
}

impl Closing {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TokenExpired => "token_expired",
            Self::AccountErased => "account_erased",
            Self::TokenRevoked => "token_revoked",
            Self::Shutdown => "shutdown",
            Self::TooSlow => "too_slow",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Follows a channel from a place on.
pub struct Follower {
    state: web::Data<AppState>,
    /// What is followed.
    pub channel: Channel,
    /// The number of the event to go on from, when the one that was asked for is not there: what is
    /// followed has to be read anew.
    pub resync: Option<u64>,
    subscription: Subscription,
    stopping: watch::Receiver<bool>,
    position: u64,
    listener: Listener,
    /// Where the reader has an account.
    presence: Option<Presence>,
    /// Whether the tables were read to their end once.
    is_live: bool,
}

impl Follower {
    /// Follows from after an event on, or from now, for as long as whoever listens may.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin(
        state: &web::Data<AppState>,
        channel: Channel,
        after: Option<LastEvent>,
        listener: Listener,
    ) -> Result<Self, ApiError> {
        // First the place among those who wait, then the look at what there is.
        let subscription = state.hub.subscribe(channel.topic());
        if let (Channel::Player(player), None) = (channel, after) {
            // What waits to be numbered happened before now.
            let work = state.clone();
            let number = move || {
                work.db
                    .write(|connection| page::number(connection, &work, player))
            };
            state.database_work.run(number).await??;
        }
        let place = move |connection: &mut Connection| place(connection, channel, after);
        let (Place { position, number }, is_there) = state.read(place).await?;
        Ok(Self {
            state: state.clone(),
            channel,
            resync: (!is_there).then_some(number),
            subscription,
            stopping: state.lifecycle.watch(),
            position,
            listener,
            presence: listener.player.map(|player| state.listeners.enter(player)),
            is_live: false,
        })
    }

    /// The next events, some of them at once; `None` when there were none for a while. Of some the
    /// reader of the channel may see nothing.
    ///
    /// # Errors
    /// When nothing more will come.
    pub async fn next(&mut self) -> Result<Option<Vec<Arc<Frame>>>, Closing> {
        loop {
            if *self.stopping.borrow_and_update() {
                return Err(Closing::Shutdown);
            }
            let left = self.time_left()?;
            self.subscription.look();
            let frames = match self.subscription.next(self.position) {
                Next::Frames(frames) => frames,
                Next::Behind(lacks) if self.is_live && lacks > FARTHEST => {
                    return Err(Closing::TooSlow);
                }
                Next::Behind(lacks) => {
                    let frames = self.read().await?;
                    if frames.is_empty() && lacks > 0 {
                        // What he lacks was taken away: he hears so when he asks again.
                        return Err(Closing::TooSlow);
                    }
                    frames
                }
                Next::Nothing => {
                    self.is_live = true;
                    if self.has_waited(left).await {
                        return Ok(None);
                    }
                    continue;
                }
            };
            if let Some(last) = frames.last() {
                self.position = last.position;
                return Ok(Some(frames));
            }
        }
    }

    fn time_left(&self) -> Result<Duration, Closing> {
        if self.presence.as_ref().is_some_and(Presence::is_over) {
            return Err(Closing::AccountErased);
        }
        if self.listener.has_ended(&self.state) {
            return Err(Closing::TokenRevoked);
        }
        match self.listener.time_left(&self.state) {
            None => Ok(HEARTBEAT),
            Some(left) if left.is_zero() => Err(Closing::TokenExpired),
            Some(left) => Ok(HEARTBEAT.min(left)),
        }
    }

    async fn read(&self) -> Result<Vec<Arc<Frame>>, Closing> {
        let (work, topic, after) = (Arc::clone(&self.state), self.channel.topic(), self.position);
        let read = move || page::read(&work, topic, after);
        let frames = self.state.database_work.try_run(read).await;
        let frames = frames.map_err(|fault| {
            tracing::debug!(%fault, "a stream ends");
            Closing::Unavailable
        })?;
        if frames.is_empty() {
            self.subscription.begin(self.position);
        }
        Ok(frames)
    }

    /// Waits for news; whether there were none for as long as the heart may stand still.
    async fn has_waited(&mut self, left: Duration) -> bool {
        tokio::select! {
            () = self.subscription.changed() => false,
            _ = self.stopping.changed() => false,
            () = Presence::told(self.presence.as_mut()) => false,
            () = tokio::time::sleep(left) => left == HEARTBEAT,
        }
    }
}

/// Where to begin, and whether that is where it was asked for.
fn place(
    connection: &mut Connection,
    channel: Channel,
    after: Option<LastEvent>,
) -> Result<(Place, bool), ApiError> {
    let found = match after {
        None => return Ok((channel.end(connection)?, true)),
        Some(LastEvent::Unknown) => None,
        Some(LastEvent::Number(number)) => channel.after(connection, number)?,
    };
    match found {
        Some(place) => Ok((place, true)),
        None => Ok((channel.end(connection)?, false)),
    }
}
