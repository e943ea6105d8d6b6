//! The clocks of a game, told hour by hour and by nothing that the server has.

/// How much time there is, in hours.
#[derive(Clone, Copy, Debug)]
pub(super) enum Control {
    PerMove(u64),
    Fischer {
        initial: u64,
        increment: u64,
        max: u64,
    },
    Unlimited,
}

/// What is known of a game.
#[derive(Debug)]
pub(super) struct Clocks {
    pub(super) control: Control,
    pub(super) weekends: bool,
    pub(super) vacation: bool,
    banks: [Option<u64>; 2],
    left: Option<u64>,
    /// Whose turn it is; `None` while the armies are placed.
    pub(super) turn: Option<usize>,
    pub(super) placed: [bool; 2],
    pub(super) agreed_pause: bool,
    pub(super) plies: u32,
    /// The hour at which time ran out.
    pub(super) lost_at: Option<u64>,
}

/// The hour 0 is a Sunday, 21:00 UTC.
pub(super) fn is_weekend(hour: u64) -> bool {
    matches!((hour + 21) / 24 % 7, 0 | 6)
}

impl Clocks {
    pub(super) fn new(control: Control, weekends: bool, vacation: bool) -> Self {
        let bank = match control {
            Control::PerMove(hours) | Control::Fischer { initial: hours, .. } => Some(hours),
            Control::Unlimited => None,
        };
        Self {
            control,
            weekends,
            vacation,
            banks: [bank; 2],
            left: bank.or(Some(28 * 24)),
            turn: None,
            placed: [false; 2],
            agreed_pause: false,
            plies: 0,
            lost_at: None,
        }
    }

    /// Whether the vacation of a side stops the clock.
    pub(super) fn waits_for(&self, away: [bool; 2]) -> bool {
        self.vacation
            && (0..2)
                .any(|side| away[side] && self.turn.map_or(!self.placed[side], |turn| turn == side))
    }

    /// Whether the clock stands still in an hour.
    pub(super) fn stands(&self, hour: u64, away: [bool; 2]) -> bool {
        self.agreed_pause || self.waits_for(away) || (self.weekends && is_weekend(hour))
    }

    /// An hour passes.
    pub(super) fn pass(&mut self, hour: u64, away: [bool; 2]) {
        if self.lost_at.is_some() || self.stands(hour, away) {
            return;
        }
        if let Some(left) = &mut self.left {
            *left -= 1;
            if *left == 0 {
                self.lost_at = Some(hour + 1);
            }
        }
    }

    pub(super) fn place(&mut self, side: usize) {
        self.placed[side] = true;
        if self.placed == [true; 2] {
            self.turn = Some(0);
            self.left = self.banks[0];
        }
    }

    pub(super) fn play(&mut self) {
        let side = self.turn.expect("it is played");
        self.banks[side] = match self.control {
            Control::PerMove(hours) => Some(hours),
            Control::Fischer { increment, max, .. } => {
                self.left.map(|left| (left + increment).min(max))
            }
            Control::Unlimited => None,
        };
        self.turn = Some(1 - side);
        self.left = self.banks[1 - side];
        self.agreed_pause = false;
        self.plies += 1;
    }

    /// The hour at which time will run out if nothing happens, looked for one by one.
    pub(super) fn deadline(&self, now: u64) -> Option<u64> {
        let mut left = self.left?;
        let mut hour = now;
        while left > 0 {
            if !(self.weekends && is_weekend(hour)) {
                left -= 1;
            }
            hour += 1;
        }
        Some(hour)
    }
}
