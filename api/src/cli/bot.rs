use std::sync::Arc;
use std::thread;
use std::time::Duration;

use actix_web::rt::System;
use clap::Args;
use secrecy::SecretString;
use tokio::sync::oneshot;

use super::{CliError, told_to_stop};
use crate::bot::mind::Level;
use crate::bot::{Address, Agenda, Bot, Fault, Settings, Voice};

/// How long a bot that is told to stop may go on with what it has begun.
const LAST_REQUEST: Duration = Duration::from_secs(3);

/// What `reveille bot --help` says beyond its options.
pub(super) const HELP: &str = "\
The bot is a client of the public API like any other. It accepts every challenge addressed to its account,
under any rules and time, rated or not, up to --max-games at once and ten with one opponent. It places an
army, moves when it is its turn, takes a draw only when it is behind and nothing happens any more, and
agrees to every pause. It may be ended and started again at any moment: it reads from the server what
waits for it, and a move is made once.

The token needs the scope play: a personal token of the bot's account (POST /v1/me/tokens), or
the access token of a login, which lasts 15 minutes. Other users see the arguments of a program: prefer
REVEILLE_BOT_TOKEN.

Levels: 1 moves at random and likes captures that are sure; 2 goes by what a move is likely to win and
lose; 3 looks ahead as well, for up to a second.

It says what it does on the standard output, a line each, and ends with 0 at SIGTERM or SIGINT, with 1
when the server is not reached at the start or does not take the token, with 2 for arguments it does not
take. While it runs it waits for a server that is away.";

/// What a bot plays with.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// How well it plays, 1 to 3
    #[arg(long, value_name = "LEVEL", default_value = "2")]
    level: Level,
    /// The server
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    url: Address,
    /// A token of the account that it plays for
    #[arg(
        long,
        value_name = "TOKEN",
        env = "REVEILLE_BOT_TOKEN",
        hide_env_values = true,
        value_parser = token
    )]
    token: SecretString,
    /// How many games it plays at once, 1 to 1000
    #[arg(long, value_name = "NUMBER", default_value_t = 100,
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    max_games: u16,
}

fn token(text: &str) -> Result<SecretString, String> {
    if text.trim().is_empty() {
        return Err("expected a token, got nothing".to_owned());
    }
    Ok(text.trim().into())
}

/// Plays until told to stop.
pub(super) fn play(arguments: Arguments) -> Result<(), CliError> {
    let agenda = Arc::new(Agenda::default());
    let settings = Settings {
        level: arguments.level,
        address: arguments.url,
        renews_token: false,
        max_games: arguments.max_games.into(),
        voice: Voice::Print,
    };
    let (ended, mut end) = oneshot::channel::<Result<(), Fault>>();
    let work = Arc::clone(&agenda);
    System::new().block_on(async move {
        let stop = told_to_stop()?;
        thread::Builder::new()
            .name("bot".to_owned())
            .spawn(move || {
                let credential = Box::new(arguments.token);
                let outcome = Bot::enter(settings, credential, work).and_then(Bot::play);
                // Nobody waits any more when the program ends.
                let _ending = ended.send(outcome);
            })?;
        tokio::select! {
            outcome = &mut end => outcome.unwrap_or(Ok(()))?,
            () = stop => {
                Voice::Print.say(format_args!("stopping"));
                agenda.stop();
                if let Ok(Ok(outcome)) = tokio::time::timeout(LAST_REQUEST, end).await {
                    outcome?;
                }
            }
        }
        Ok(())
    })
}
