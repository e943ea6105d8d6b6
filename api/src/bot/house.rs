//! The bot that a server runs itself, so that whoever comes first has somebody to play with. It is a client
//! of the public API over the loopback like any bot: what is its own is how it gets its account and its
//! tokens, which no password opens.
//!
//! Of several nodes on one database each may run one: they share the account, and of two that answer the
//! same thing one comes too late, which changes nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::web;
use chrono::{DateTime, Utc};
use secrecy::SecretString;
use storage::players::{self, HOUSE_BOT};
use storage::{Database, FamilyId, PlayerId, StorageError};

use super::agenda::Agenda;
use super::client::{Address, Credential, Fault};
use super::mind::Level;
use super::player::{Bot, Settings};
use super::voice::Voice;
use crate::auth::Scopes;
use crate::state::AppState;

/// Games that the house bot plays at once.
const MAX_GAMES: usize = 500;
/// How old a token may be that is shown again: well below its life.
const RENEWAL: Duration = Duration::from_mins(5);
/// How often the account is made anew because another node makes it at this moment.
const ATTEMPTS: usize = 3;
/// How long is waited before the bot begins anew after a fault.
const AGAIN: Duration = Duration::from_secs(10);

/// Why there is no house bot.
#[derive(Debug, thiserror::Error)]
pub enum HouseBotError {
    /// A player has its name.
    #[error(
        "the setting `house_bot` needs the username {HOUSE_BOT}, and a player of this server has it: \
         erase that account, or set `house_bot` to off"
    )]
    NameTaken,
    /// The database.
    #[error("the account of the house bot: {0}")]
    Database(StorageError),
}

/// Finds the account of the house bot, or makes it.
///
/// # Errors
/// The name is a player's, or the database fails.
pub fn account(db: &Database, now: domain::Timestamp) -> Result<PlayerId, HouseBotError> {
    let mut left = ATTEMPTS;
    loop {
        left -= 1;
        let made =
            db.write(|connection| players::house_bot(connection, PlayerId::generate(now), now));
        match made {
            Ok(player) => return Ok(player.id),
            Err(StorageError::Conflict) => return Err(HouseBotError::NameTaken),
            Err(StorageError::Duplicate(_)) if left > 0 => {}
            Err(fault) => return Err(HouseBotError::Database(fault)),
        }
    }
}

/// A house bot that plays.
pub struct HouseBot {
    agenda: Arc<Agenda>,
    thread: JoinHandle<()>,
}

impl HouseBot {
    /// Has it play on the server that listens there.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        state: web::Data<AppState>,
        player: PlayerId,
        level: Level,
        listen: SocketAddr,
    ) -> std::io::Result<Self> {
        let agenda = Arc::new(Agenda::default());
        let work = Arc::clone(&agenda);
        let thread = thread::Builder::new()
            .name("house-bot".to_owned())
            .spawn(move || play(&state, player, level, listen, &work))?;
        Ok(Self { agenda, thread })
    }

    /// From now on it begins nothing more.
    pub fn stop(&self) {
        self.agenda.stop();
    }

    /// Waits until it has ended, off the async threads.
    pub async fn ended(self) {
        let joined = actix_web::rt::task::spawn_blocking(move || self.thread.join());
        if !matches!(joined.await, Ok(Ok(()))) {
            tracing::error!("the house bot panicked");
        }
    }
}

/// Plays until told to stop, whatever happens between.
fn play(
    state: &web::Data<AppState>,
    player: PlayerId,
    level: Level,
    listen: SocketAddr,
    agenda: &Arc<Agenda>,
) {
    let address: Result<Address, _> = format!("http://{}", loopback(listen)).parse();
    let Ok(address) = address else {
        tracing::error!("the house bot finds no way to {listen}");
        return;
    };
    while !agenda.is_stopped() {
        let settings = Settings {
            level,
            address: address.clone(),
            renews_token: true,
            max_games: MAX_GAMES,
            voice: Voice::Log,
        };
        let credential = Box::new(OwnTokens::new(state.clone(), player));
        let ending = Bot::enter(settings, credential, Arc::clone(agenda)).and_then(Bot::play);
        match ending {
            Err(fault) if !agenda.is_stopped() => wait(agenda, &fault),
            _ => {}
        }
    }
}

fn wait(agenda: &Agenda, fault: &Fault) {
    tracing::warn!(
        "house bot: {fault}; it begins anew in {} s",
        AGAIN.as_secs()
    );
    agenda.pause(AGAIN);
}

/// Where this machine reaches what listens on an address.
const fn loopback(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Access tokens by the server's own keys, each used for a while.
struct OwnTokens {
    state: web::Data<AppState>,
    player: PlayerId,
    /// A login that is in no table: nobody ends it but with the server.
    login: FamilyId,
    held: Mutex<Option<(SecretString, DateTime<Utc>)>>,
}

impl OwnTokens {
    fn new(state: web::Data<AppState>, player: PlayerId) -> Self {
        Self {
            login: FamilyId::generate(state.now()),
            state,
            player,
            held: Mutex::new(None),
        }
    }
}

impl Credential for OwnTokens {
    fn token(&self) -> Result<SecretString, String> {
        let now = self.state.clock.now();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((token, issued)) = held.as_ref()
            && (now - issued).to_std().is_ok_and(|age| age < RENEWAL)
        {
            return Ok(token.clone());
        }
        let issued = self
            .state
            .tokens
            .issue(self.player.as_uuid(), self.login, Scopes::LOGIN, now);
        let token = SecretString::from(issued.map_err(|fault| fault.to_string())?);
        *held = Some((token.clone(), now));
        Ok(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_listens_everywhere_is_reached_on_this_machine() {
        for (listen, reached) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("10.1.2.3:80", "10.1.2.3:80"),
        ] {
            assert_eq!(loopback(listen.parse().unwrap()), reached.parse().unwrap());
        }
    }
}
