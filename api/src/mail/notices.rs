//! What players are told of: each mail once at the most.
//!
//! What a mail says is read first. Then it is noted that the player is told, if nobody was faster, and
//! only when that is committed the mail is sent. So a mail that is lost on its way stays lost, and none
//! comes twice.

use std::time::Duration;

use domain::Color;
use storage::challenges::{self, Listing};
use storage::games::{self, GameFilter, GameOrder, GameSummary};
use storage::mail::{self, Told, Turn, TurnSide};
use storage::{Connection, PageRequest, PlayerId, StorageError};

use super::errands::{earlier, identity};
use super::letter::{Block, Letter};
use super::receiver::Receiver;
use super::sender::Outcome;
use super::{MailKind, Run, local_time};

/// How long a turn waits before its player is told, so that a burst of them is one mail.
const QUIET: Duration = Duration::from_mins(5);
/// A turn that began less than this ago may be of a move that is not committed yet: it is told later.
const SETTLED: Duration = Duration::from_mins(1);
/// How long there is at the least between two mails about turns.
const BETWEEN_TURNS: Duration = Duration::from_hours(1);
/// How long there is at the least between two mails about near deadlines.
const BETWEEN_NEAR: Duration = Duration::from_mins(15);
/// The shortest turn whose end is told to be near: mail is too slow for others.
const SHORTEST_TURN: Duration = Duration::from_hours(1);
/// How far back turns are looked for beyond what was looked at: as long as a player may have to wait for
/// the next mail, and more.
const OVERLAP: Duration = Duration::from_hours(2);
/// How far back they are looked for after a start.
const AFTER_START: Duration = Duration::from_hours(26);
/// How many games one mail lists.
const GAMES: u32 = 50;
/// How many digests are looked for at a time.
const DIGESTS: u32 = 100;

/// A mail, and what is told with it.
struct Notice {
    letter: Option<Letter>,
    told: Told,
    near: Vec<Turn>,
    receiver: Receiver,
}

impl Run<'_> {
    /// Tells players what there is to tell: the digest first, which says what the others would.
    pub(super) fn notices(&mut self) -> Result<usize, StorageError> {
        Ok(self.digests()? + self.near()? + self.turns()?)
    }

    fn digests(&mut self) -> Result<usize, StorageError> {
        let (mut sent, now) = (0, self.now);
        while self.may_send() {
            let find = |connection: &mut Connection| mail::due_digests(connection, now, DIGESTS);
            let players = self.state.db.read(find)?;
            if players.is_empty() {
                break;
            }
            sent += self.tell(&players, Self::digest)?;
        }
        Ok(sent)
    }

    fn near(&mut self) -> Result<usize, StorageError> {
        let now = self.now;
        let players = self.state.db.read(|connection| {
            mail::players_near(connection, now, SHORTEST_TURN, earlier(now, BETWEEN_NEAR))
        })?;
        self.tell(&players, Self::deadlines)
    }

    fn turns(&mut self) -> Result<usize, StorageError> {
        let now = self.now;
        let looked_at = self.progress.looked_at;
        let since = looked_at.map_or(earlier(now, AFTER_START), |at| {
            earlier(at.min(now), OVERLAP).max(earlier(now, AFTER_START))
        });
        let players = self.state.db.read(|connection| {
            let until = earlier(now, QUIET);
            mail::players_to_move(connection, since, until, earlier(now, BETWEEN_TURNS))
        })?;
        let sent = self.tell(&players, Self::your_turn)?;
        if self.may_send() {
            self.progress.looked_at = Some(now);
        }
        Ok(sent)
    }

    /// Makes and sends a mail to each of these players.
    fn tell(
        &mut self,
        players: &[PlayerId],
        make: impl Fn(&Self, &mut Connection, Receiver) -> Result<Option<Notice>, StorageError>,
    ) -> Result<usize, StorageError> {
        // Who was told and got no mail is told no more: so the server is tried before anybody is.
        if players.is_empty() || !self.may_send() || !self.is_reachable() {
            return Ok(0);
        }
        let mut sent = 0;
        for player in players {
            if !self.may_send() {
                break;
            }
            let read = |connection: &mut Connection| match Receiver::load(connection, *player)? {
                Some(receiver) => make(self, connection, receiver),
                None => Ok(None),
            };
            let Some(notice) = self.state.db.read(read)? else {
                continue;
            };
            if self.claim(&notice)?
                && let Some(letter) = &notice.letter
                && self.send(letter) == Outcome::Sent
            {
                sent += 1;
            }
        }
        Ok(sent)
    }

    /// Notes that the player is told; says whether this node is the one to do it.
    fn claim(&self, notice: &Notice) -> Result<bool, StorageError> {
        let Notice { receiver, told, .. } = notice;
        let player = receiver.state.player;
        self.state.db.write(|connection| {
            let verified = Some(receiver.verified.as_str());
            let is_ours = mail::advance(connection, &receiver.state, verified, told)?;
            if is_ours {
                mail::tell_near(connection, player, &notice.near, self.now)?;
            }
            Ok(is_ours)
        })
    }

    fn your_turn(
        &self,
        connection: &mut Connection,
        receiver: Receiver,
    ) -> Result<Option<Notice>, StorageError> {
        let (now, told) = (self.now, receiver.state.told);
        let too_soon = told
            .turns_mailed_at
            .is_some_and(|at| at > earlier(now, BETWEEN_TURNS));
        if too_soon || !MailKind::YourTurn.is_wanted(&receiver.preferences) {
            return Ok(None);
        }
        let settled = earlier(now, SETTLED);
        let mut turns = mail::turns(connection, receiver.state.player, GAMES)?;
        turns.retain(|turn| turn.began_at <= settled);
        let is_due = turns
            .iter()
            .any(|turn| turn.began_at > told.turns && turn.began_at <= earlier(now, QUIET));
        if !is_due {
            return Ok(None);
        }
        let subject = match turns.as_slice() {
            [turn] => format!("Your turn against {}", turn.opponent),
            turns => format!("Your turn in {} games", turns.len()),
        };
        let blocks = vec![
            Block::Text(format!("{}, these games wait for you:", receiver.username)),
            self.list(&turns, &receiver),
        ];
        let told = Told {
            turns: settled,
            turns_mailed_at: Some(now),
            ..told
        };
        let letter = self.letter(MailKind::YourTurn, subject, blocks, &receiver);
        Ok(Some(Notice {
            letter: Some(letter),
            told,
            near: Vec::new(),
            receiver,
        }))
    }

    fn deadlines(
        &self,
        connection: &mut Connection,
        receiver: Receiver,
    ) -> Result<Option<Notice>, StorageError> {
        let (now, told) = (self.now, receiver.state.told);
        let too_soon = told
            .near_mailed_at
            .is_some_and(|at| at > earlier(now, BETWEEN_NEAR));
        if too_soon || !MailKind::DeadlineNear.is_wanted(&receiver.preferences) {
            return Ok(None);
        }
        let player = receiver.state.player;
        let known = mail::near_told(connection, player)?;
        let mut near = mail::turns(connection, player, GAMES)?;
        near.retain(|turn| {
            let is_long = turn.time().is_some_and(|time| time >= SHORTEST_TURN);
            is_long && turn.is_near(now) && !turn.was_near(&known)
        });
        if near.is_empty() {
            return Ok(None);
        }
        let subject = match near.as_slice() {
            [turn] => format!("Little time left against {}", turn.opponent),
            turns => format!("Little time left in {} games", turns.len()),
        };
        let blocks = vec![
            Block::Text(format!(
                "{}, in these games at most a fifth of your time is left; you lose a game whose time runs out:",
                receiver.username
            )),
            self.list(&near, &receiver),
        ];
        let told = Told {
            near_mailed_at: Some(now),
            ..told
        };
        let letter = self.letter(MailKind::DeadlineNear, subject, blocks, &receiver);
        Ok(Some(Notice {
            letter: Some(letter),
            told,
            near,
            receiver,
        }))
    }

    /// The digest, or the note alone that there was nothing to tell that day.
    fn digest(
        &self,
        connection: &mut Connection,
        receiver: Receiver,
    ) -> Result<Option<Notice>, StorageError> {
        let (now, told, zone) = (self.now, receiver.state.told, receiver.zone());
        if told.digest_at.is_none_or(|at| at > now) {
            return Ok(None);
        }
        let is_wanted = MailKind::Digest.is_wanted(&receiver.preferences);
        let today = local_time::day(now, &zone);
        let next = if is_wanted {
            local_time::next_digest(now, &zone, today)
        } else {
            None
        };
        let mut told = Told {
            digest_at: next,
            digest_day: today,
            digest: now,
            ..told
        };
        let blocks = if is_wanted {
            self.day_of(connection, &receiver, &mut told)?
        } else {
            Vec::new()
        };
        let letter = (!blocks.is_empty())
            .then(|| self.letter(MailKind::Digest, "Your games".to_owned(), blocks, &receiver));
        Ok(Some(Notice {
            letter,
            told,
            near: Vec::new(),
            receiver,
        }))
    }

    /// What a digest says; nothing when there is nothing to tell.
    fn day_of(
        &self,
        connection: &mut Connection,
        receiver: &Receiver,
        told: &mut Told,
    ) -> Result<Vec<Block>, StorageError> {
        let player = receiver.state.player;
        let mut blocks = Vec::new();
        let settled = earlier(self.now, SETTLED);
        let mut turns = mail::turns(connection, player, GAMES)?;
        turns.retain(|turn| turn.began_at <= settled);
        if !turns.is_empty() {
            blocks.push(Block::Text("These games wait for you:".to_owned()));
            blocks.push(self.list(&turns, receiver));
            // A mail about turns would say the same.
            told.turns = told.turns.max(settled);
        }
        let ended = GameFilter {
            viewer: Some(player),
            player: Some(player),
            finished_from: Some(receiver.state.told.digest),
            finished_to: Some(self.now),
            ..GameFilter::default()
        };
        let page = PageRequest::first(GAMES);
        let ended = games::list(connection, &ended, GameOrder::FinishedDescending, &page)?.items;
        if !ended.is_empty() {
            let items = ended.iter().map(|game| self.ended(game, player));
            blocks.push(Block::Text("These games have ended:".to_owned()));
            blocks.push(Block::List(items.collect()));
        }
        let page = PageRequest::first(GAMES);
        let incoming = Listing::Incoming(player);
        let incoming = challenges::list(connection, incoming, None, self.now, &page)?.items;
        if !incoming.is_empty() {
            let items = incoming.iter().map(|challenge| {
                let (creator, terms) = (&challenge.creator.username, &challenge.terms);
                let text = format!("{creator} challenges you ({})", title(terms.ruleset.id()));
                (text, self.mailer.links.challenges())
            });
            blocks.push(Block::Text(
                "These challenges wait for an answer:".to_owned(),
            ));
            blocks.push(Block::List(items.collect()));
        }
        Ok(blocks)
    }

    fn list(&self, turns: &[Turn], receiver: &Receiver) -> Block {
        let zone = receiver.zone();
        let item = |turn: &Turn| {
            let what = match turn.side {
                TurnSide::Setup => "place your army".to_owned(),
                TurnSide::Move(ply) => format!("move {}", ply / 2 + 1),
            };
            let until = turn.deadline.map_or_else(String::new, |deadline| {
                format!(", until {}", local_time::written(deadline, &zone))
            });
            let (opponent, ruleset) = (&turn.opponent, title(turn.ruleset.id()));
            (
                format!("{opponent} ({ruleset}): {what}{until}"),
                self.mailer.links.game(turn.game),
            )
        };
        Block::List(turns.iter().map(item).collect())
    }

    fn ended(&self, game: &GameSummary, player: PlayerId) -> (String, String) {
        let own = if game.players.red.id == player {
            Color::Red
        } else {
            Color::Blue
        };
        let opponent = &game.players[!own].username;
        let result = game.outcome.map_or("over", |outcome| match outcome.winner {
            Some(winner) if winner == own => "won",
            Some(_) => "lost",
            None if outcome.reason == domain::EndReason::Aborted => "called off",
            None => "without a winner",
        });
        let reason = game
            .outcome
            .map(|outcome| format!(" ({})", title(outcome.reason.name())))
            .unwrap_or_default();
        (
            format!("{opponent}: {result}{reason}"),
            self.mailer.links.game(game.id),
        )
    }

    fn letter(
        &self,
        kind: MailKind,
        subject: String,
        blocks: Vec<Block>,
        receiver: &Receiver,
    ) -> Letter {
        let state = &receiver.state;
        Letter {
            to: receiver.email.clone(),
            subject,
            blocks,
            stop: Some(self.mailer.links.stop(kind, state)),
            identity: identity(kind.title(), state.player, self.now),
        }
    }
}

/// A name of the contract as words.
fn title(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;

    use super::*;

    #[test]
    fn who_has_to_wait_for_a_mail_is_looked_at_again() {
        assert!(OVERLAP >= BETWEEN_TURNS + QUIET + SETTLED);
        assert!(earlier(Timestamp::from_micros(0), QUIET) < Timestamp::from_micros(0));
    }
}
