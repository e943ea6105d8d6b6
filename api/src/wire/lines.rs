//! Conditional moves, as their owner writes and reads them.

use domain::{IllegalMove, IllegalRescue, Lines, LinesError, PlayError, Square};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::RescueRequest;
use super::names::{BattleOutcome, RankChar};
use super::object::{object, objects, optional_object};
use crate::problem::{ApiError, FieldFault};

/// Lines to be kept in the place of those that there are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinesRequest {
    /// What waits for the opponent's next move: at most 100 lines in all, at most 20 deep.
    #[serde(deserialize_with = "objects")]
    lines: Vec<ConditionalLine>,
}

/// If the opponent does this, play that.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionalLine {
    /// What the opponent does.
    #[serde(rename = "if", deserialize_with = "object")]
    trigger: ConditionalTrigger,
    /// What is played then.
    #[serde(rename = "then", deserialize_with = "object")]
    reply: ConditionalReply,
    /// What waits for the opponent's move after that.
    #[serde(default, deserialize_with = "objects")]
    #[schema(no_recursion)]
    next: Vec<ConditionalLine>,
}

/// A move of the opponent, as the owner of a line sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionalTrigger {
    /// From where to where.
    #[serde(deserialize_with = "object")]
    opponent: ConditionalStep,
    /// How the attack ended that it was. Without it any move from there to there will do; of two lines
    /// for one move, that with the outcome counts.
    attack_outcome: Option<BattleOutcome>,
}

/// A move from a square to another.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionalStep {
    /// Where the piece stands.
    #[schema(example = "e7")]
    from: String,
    /// Where it goes.
    #[schema(example = "e6")]
    to: String,
}

/// A reply.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionalReply {
    /// Where the piece stands.
    #[schema(example = "e4")]
    from: String,
    /// Where it goes.
    #[schema(example = "e5")]
    to: String,
    /// A rescue with it.
    #[serde(default, deserialize_with = "optional_object")]
    rescue: Option<RescueRequest>,
}

/// The lines that wait, and what became of others.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinesResponse {
    /// Those that wait for the opponent's next move.
    pub lines: Vec<ConditionalLine>,
    /// The reply that the rules did not allow when it came up, if the lines ended with one.
    pub dropped: Option<DroppedResponse>,
}

/// A reply that was not played.
#[derive(Debug, Serialize, ToSchema)]
pub struct DroppedResponse {
    /// The ply at which it would have been played.
    pub ply: u32,
    /// As the same move would be refused: `illegal_move` or `illegal_rescue`.
    pub code: &'static str,
    /// The first reason that applied.
    pub reason: &'static str,
}

impl LinesRequest {
    /// The lines, once their form is right; none when there are none.
    ///
    /// # Errors
    /// `validation_failed` with every fault.
    pub fn lines(&self, owner: domain::Color, since: u32) -> Result<Option<Lines>, ApiError> {
        let found = count(&self.lines);
        if found == 0 {
            return Ok(None);
        }
        if found > Lines::MOST {
            let (path, fault) = (Vec::new(), domain::LinesFault::TooMany { found });
            return Err(refused(&[LinesError { path, fault }]));
        }
        let mut faults = Vec::new();
        let lines = read_all(&self.lines, "lines", &mut faults);
        if !faults.is_empty() {
            return Err(ApiError::validation(faults));
        }
        let lines = Lines::new(owner, since, lines).map_err(|errors| refused(&errors))?;
        Ok(Some(lines))
    }
}

fn count(lines: &[ConditionalLine]) -> usize {
    let deeper = lines.iter().map(|line| count(&line.next));
    lines.len() + deeper.sum::<usize>()
}

fn read_all(
    lines: &[ConditionalLine],
    field: &str,
    faults: &mut Vec<FieldFault>,
) -> Vec<domain::Line> {
    let mut read = Vec::with_capacity(lines.len());
    for (place, line) in lines.iter().enumerate() {
        let field = format!("{field}[{place}]");
        let mut square = |text: &str, name: &str| {
            let square = text.parse::<Square>();
            if square.is_err() {
                faults.push(not_on_board(format!("{field}.{name}"), text));
            }
            square.ok()
        };
        let ConditionalLine { trigger, reply, .. } = line;
        let opponent = (
            square(&trigger.opponent.from, "if.opponent.from"),
            square(&trigger.opponent.to, "if.opponent.to"),
        );
        let own = (
            square(&reply.from, "then.from"),
            square(&reply.to, "then.to"),
        );
        let rescue = reply.rescue.as_ref().and_then(|rescue| {
            let square = square(&rescue.square, "then.rescue.square")?;
            let rank = rescue.piece.0;
            Some(domain::Rescue { rank, square })
        });
        let next = read_all(&line.next, &format!("{field}.next"), faults);
        if let ((Some(from), Some(to)), (Some(own_from), Some(own_to))) = (opponent, own) {
            let mv = domain::Move { from, to };
            let outcome = trigger.attack_outcome.map(Into::into);
            let (from, to) = (own_from, own_to);
            read.push(domain::Line {
                trigger: domain::Trigger { mv, outcome },
                reply: domain::Reply {
                    mv: domain::Move { from, to },
                    rescue,
                },
                next,
            });
        }
    }
    read
}

/// A text from outside is told back in part, so that an answer has a bound.
fn not_on_board(field: String, text: &str) -> FieldFault {
    let got: String = text.chars().take(8).collect();
    FieldFault {
        field,
        code: IllegalMove::NotOnBoard.name().into(),
        detail: format!("must be a square of the board, a1 to j10, is {got:?}"),
    }
}

fn refused(errors: &[LinesError]) -> ApiError {
    let fault = |error: &LinesError| {
        let places = error.path.iter().map(|place| format!("[{place}]"));
        let field = format!("lines{}", places.collect::<Vec<_>>().join(".next"));
        FieldFault {
            field,
            code: error.fault.name().into(),
            detail: error.fault.to_string(),
        }
    };
    ApiError::validation(errors.iter().map(fault).collect())
}

impl LinesResponse {
    /// How a player's lines stand in a game.
    pub fn of(lines: Option<&Lines>, game: &domain::Game) -> Self {
        let waiting = lines.map_or(&[][..], |lines| lines.waiting(game));
        let dropped = lines.and_then(|lines| lines.dropped(game));
        Self {
            lines: waiting.iter().map(ConditionalLine::from).collect(),
            dropped: dropped.and_then(|dropped| {
                let (code, reason) = reason(dropped.why)?;
                Some(DroppedResponse {
                    ply: dropped.ply,
                    code,
                    reason,
                })
            }),
        }
    }
}

fn reason(why: PlayError) -> Option<(&'static str, &'static str)> {
    match why {
        PlayError::IllegalMove(why) => Some(("illegal_move", IllegalMove::name(why))),
        PlayError::IllegalRescue(why) => Some(("illegal_rescue", IllegalRescue::name(why))),
        _ => None,
    }
}

impl From<&domain::Line> for ConditionalLine {
    fn from(line: &domain::Line) -> Self {
        let domain::Line {
            trigger,
            reply,
            next,
        } = line;
        Self {
            trigger: ConditionalTrigger {
                opponent: ConditionalStep {
                    from: trigger.mv.from.to_string(),
                    to: trigger.mv.to.to_string(),
                },
                attack_outcome: trigger.outcome.map(Into::into),
            },
            reply: ConditionalReply {
                from: reply.mv.from.to_string(),
                to: reply.mv.to.to_string(),
                rescue: reply.rescue.map(|rescue| RescueRequest {
                    piece: RankChar(rescue.rank),
                    square: rescue.square.to_string(),
                }),
            },
            next: next.iter().map(Self::from).collect(),
        }
    }
}
