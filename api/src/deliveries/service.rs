//! Tells one receiver what it lacks, in order, until it has everything or fails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web;
use domain::Timestamp;
use storage::subscriptions::{
    self, Candidate, Channel, Claimed, Readiness, Standing, Subscription,
};

use super::client::Outgoing;
use super::dispatcher::{LEASE, after, database};
use super::places::{LONG, Place};
use super::push::{self, Notice, Receiver};
use super::{pause, webhook};
use crate::events::{self, Channel as Stream, Frame, Topic};
use crate::metrics::Delivery;
use crate::problem::ApiError;
use crate::state::AppState;

/// After so many events others have their turn.
const AT_ONCE: usize = 200;

/// What to do with an event.
enum Telling {
    /// Nothing: it is not wanted.
    Skip,
    /// Send it as it is.
    Event(Arc<Frame>),
    /// Send this of it.
    Notice(Notice),
}

/// What an answer means.
enum Answer {
    /// The receiver has it.
    Taken,
    /// The receiver is no more.
    Gone,
    /// It is to be tried again.
    Failed(String),
}

/// A receiver while it is told.
struct Service {
    state: web::Data<AppState>,
    claimed: Claimed,
    standing: Standing,
    /// For how long its answers were waited for.
    waited: Duration,
}

/// Tells a receiver what it lacks. When the database fails nothing is noted, and it is due again when
/// its lease runs out.
pub(super) async fn tell(state: web::Data<AppState>, claimed: Claimed, _place: Place) {
    let standing = claimed.subscription.standing.clone();
    let mut service = Service {
        state,
        claimed,
        standing,
        waited: Duration::ZERO,
    };
    if let Err(fault) = service.tell().await {
        tracing::debug!(%fault, "cannot tell a receiver; trying again later");
    }
}

impl Service {
    async fn tell(&mut self) -> Result<(), ApiError> {
        let mut sent = 0;
        while sent < AT_ONCE && !self.state.lifecycle.is_stopping() {
            let page = self.read().await?;
            if page.is_empty() {
                self.standing.due_at = None;
                self.record(false).await?;
                return Ok(());
            }
            for (number, telling) in page {
                let Some(outgoing) = self.write(&telling)? else {
                    self.standing.told = number;
                    continue;
                };
                if self.state.lifecycle.is_stopping() {
                    break;
                }
                sent += 1;
                if !self.send(number, outgoing).await? {
                    return Ok(());
                }
            }
        }
        self.give_way().await
    }

    /// Lets others have the place: it waits in the line again, or for another node when this one stops.
    async fn give_way(&mut self) -> Result<(), ApiError> {
        let stops = self.state.lifecycle.is_stopping();
        self.standing.due_at = stops.then(|| self.state.now());
        if self.record(false).await? && !stops {
            let Subscription { player_id, id, .. } = self.claimed.subscription;
            self.state.deliveries.places.wait([Candidate {
                player_id,
                id,
                readiness: Readiness::Ready,
                fails: self.standing.attempts > 0,
            }]);
        }
        Ok(())
    }

    /// What comes next.
    async fn read(&self) -> Result<Vec<(u64, Telling)>, ApiError> {
        let subscription = self.claimed.subscription.clone();
        let told = self.standing.told;
        let read = move |state: &AppState| {
            let topic = Topic::Player(subscription.player_id);
            let frames = events::read(state, topic, told)?;
            let telling = |frame: Arc<Frame>| {
                let number = frame.position;
                Ok((number, telling(state, &subscription, frame)?))
            };
            frames.into_iter().map(telling).collect()
        };
        database(&self.state, read).await
    }

    /// The request that tells of an event, if it is to be told.
    fn write(&self, telling: &Telling) -> Result<Option<Outgoing>, ApiError> {
        let subscription = &self.claimed.subscription;
        let now = self.state.now();
        match (telling, &subscription.channel) {
            (Telling::Event(frame), Channel::Webhook { secret }) => {
                let stream = Stream::Player(subscription.player_id);
                let Some(written) = frame.seen_by(stream) else {
                    return Ok(None);
                };
                webhook::request(subscription, secret, frame, written, now).map(Some)
            }
            (Telling::Notice(notice), Channel::Push { public_key, secret }) => {
                let Some(vapid) = &self.state.deliveries.vapid else {
                    return Ok(None);
                };
                let receiver = Receiver { public_key, secret };
                push::request(vapid, subscription, &receiver, notice, now).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Sends a request and notes what came of it. Says whether the next may follow.
    async fn send(&mut self, number: u64, outgoing: Outgoing) -> Result<bool, ApiError> {
        let deliveries = &self.state.deliveries;
        let begun = Instant::now();
        let answer = deliveries.client.send(outgoing).await;
        let took = begun.elapsed();
        self.waited += took;
        deliveries
            .places
            .answered(self.claimed.subscription.id, took);
        let answer = match answer {
            Ok(status) => meaning(&self.claimed.subscription.channel, status),
            Err(fault) => Answer::Failed(fault.name().to_owned()),
        };
        let delivery = match answer {
            Answer::Taken => Delivery::Taken,
            Answer::Gone => Delivery::Refused,
            Answer::Failed(_) => Delivery::Failed,
        };
        let channel = self.claimed.subscription.channel.kind().name();
        self.state.metrics.delivered(channel, delivery);
        let now = self.state.now();
        match answer {
            Answer::Taken => {
                self.standing = Standing {
                    delivered_at: Some(now),
                    due_at: Some(after(now, LEASE)),
                    ..Standing::after(number)
                };
                if self.waited >= LONG {
                    self.give_way().await?;
                    return Ok(false);
                }
                self.record(true).await
            }
            Answer::Gone => {
                self.standing.last_error = Some("gone".to_owned());
                self.give_up(now).await?;
                Ok(false)
            }
            Answer::Failed(how) => {
                self.fail(how, now).await?;
                Ok(false)
            }
        }
    }

    async fn fail(&mut self, how: String, now: Timestamp) -> Result<(), ApiError> {
        self.standing.attempts = self.standing.attempts.saturating_add(1);
        self.standing.last_error = Some(how);
        let since = *self.standing.failing_since.get_or_insert(now);
        if after(since, pause::GIVEN_UP_AFTER) <= now {
            return self.give_up(now).await;
        }
        let pause = pause::after(self.standing.attempts, rand::random());
        self.standing.due_at = Some(after(now, pause));
        self.record(false).await.map(drop)
    }

    /// A webhook stays, for its owner to see and to enable again; a browser is forgotten.
    async fn give_up(&mut self, now: Timestamp) -> Result<(), ApiError> {
        if matches!(self.claimed.subscription.channel, Channel::Webhook { .. }) {
            self.standing.failing_since.get_or_insert(now);
            self.standing.disabled_at = Some(now);
            self.standing.due_at = None;
            return self.record(false).await.map(drop);
        }
        let claimed = self.claimed.clone();
        let remove = move |state: &AppState| {
            state
                .db
                .write(|connection| subscriptions::remove(connection, &claimed))?;
            Ok(())
        };
        database(&self.state, remove).await
    }

    /// Notes how the receiver stands; whether it is this node's still.
    async fn record(&self, keeps: bool) -> Result<bool, ApiError> {
        let (claimed, standing) = (self.claimed.clone(), self.standing.clone());
        let record = move |state: &AppState| {
            let recorded = state.db.write(|connection| {
                subscriptions::record(connection, &claimed, &standing, keeps)
            })?;
            Ok(recorded)
        };
        database(&self.state, record).await
    }
}

/// What a receiver is told of an event.
fn telling(
    state: &AppState,
    subscription: &Subscription,
    frame: Arc<Frame>,
) -> Result<Telling, ApiError> {
    let wanted = subscription
        .kinds
        .iter()
        .any(|kind| kind == frame.kind.name());
    let player = subscription.player_id;
    let Some(written) = frame.seen_by(Stream::Player(player)).filter(|_| wanted) else {
        return Ok(Telling::Skip);
    };
    if matches!(subscription.channel, Channel::Webhook { .. }) {
        return Ok(Telling::Event(frame));
    }
    let notice = state
        .db
        .read(|connection| push::notice(connection, player, &frame, written))?;
    Ok(notice.map_or(Telling::Skip, Telling::Notice))
}

fn meaning(channel: &Channel, status: u16) -> Answer {
    match (channel, status) {
        // Of a message that a push service finds wrong: no retry would help, and it is a message less.
        (_, 200..=299) | (Channel::Push { .. }, 400 | 413) => Answer::Taken,
        (_, 410) | (Channel::Push { .. }, 404) => Answer::Gone,
        (_, 300..=399) => Answer::Failed("redirected".to_owned()),
        (_, status) => Answer::Failed(format!("status_{status}")),
    }
}
