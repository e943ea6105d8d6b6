//! Players that move at random, with a leaning towards what the rules are about.

use domain::{
    Color, Command, Event, Move, MoveBuffer, MoveRequest, OfferId, Options, PlayError, Rank,
    RescueRequest, Ruleset, Square, Status,
};

use crate::support::{Dice, MINUTE, Table};

/// What a player leans to.
#[derive(Debug, Clone, Copy)]
enum Style {
    Anything,
    /// Whatever stands there.
    Attack,
    /// The piece that moved last, and straight back.
    Shuttle,
    /// Red stays next to the enemy that moved last, which runs.
    Chase,
    /// Towards the enemy's back row.
    Forward,
    /// The same, and scouts stay behind: whom they attack must declare himself.
    March,
}

pub(crate) struct Players {
    pub(crate) table: Table,
    pub(crate) dice: Dice,
    style: Style,
}

impl Players {
    /// A game of any ruleset with any options.
    pub(crate) fn any(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        // Small armies meet sooner.
        let ruleset = match dice.below(10) {
            0..4 => Ruleset::Barrage,
            4..6 => Ruleset::Duel,
            _ => Ruleset::ALL[dice.below(Ruleset::ALL.len())],
        };
        let mut options = if dice.below(4) == 0 {
            ruleset.default_options()
        } else {
            dice.options()
        };
        let style = match dice.below(8) {
            0 => Style::Anything,
            1 => Style::Attack,
            2 => Style::Shuttle,
            3..6 => Style::Chase,
            _ => Style::Forward,
        };
        match style {
            Style::Chase => options.more_squares |= dice.below(4) > 0,
            Style::Forward => options.rescue |= dice.below(4) > 0,
            Style::Anything | Style::Attack | Style::Shuttle | Style::March => {}
        }
        let setups = dice.setups(ruleset);
        Self {
            table: Table::new(ruleset, options, setups),
            dice,
            style,
        }
    }

    /// A game of a ruleset with some options.
    pub(crate) fn of(ruleset: Ruleset, options: Options, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let setups = dice.setups(ruleset);
        Self {
            table: Table::new(ruleset, options, setups),
            style: [Style::Anything, Style::Attack, Style::Forward, Style::March][dice.below(4)],
            dice,
        }
    }

    pub(crate) fn legal(&self) -> Vec<Move> {
        let mut moves = MoveBuffer::new();
        self.table.game.legal_moves(&mut moves);
        moves.to_vec()
    }

    pub(crate) fn runs(&self) -> bool {
        self.table.game.status() == Status::Active
    }

    /// The move that the side to move would make.
    pub(crate) fn choose(&mut self) -> Move {
        let moves = self.legal();
        let view = self.table.game.view_for(None);
        let ply = self.table.game.ply();
        let ended = |back: u32| {
            let ply = ply.checked_sub(back)?;
            view.move_at(ply).map(|seen| seen.mv.to)
        };
        let (enemy, own) = (ended(1), ended(2));
        let side = self.table.side();
        let own_pieces = self.table.seen_by(side).pieces().into_iter();
        let scouts: Vec<Square> = own_pieces
            .filter(|piece| piece.id.owner() == side && piece.rank == Some(Rank::Scout))
            .map(|piece| piece.square)
            .collect();
        let forward = |mv: &Move| match side {
            Color::Red => mv.to.row() >= mv.from.row(),
            Color::Blue => mv.to.row() <= mv.from.row(),
        };
        let likes = |mv: &Move| match self.style {
            Style::Anything => true,
            Style::Attack => self.table.game.is_attack(*mv),
            Style::Shuttle => own == Some(mv.from),
            Style::Chase => {
                let from = enemy.is_some_and(|enemy| touches(enemy, mv.from));
                let to = enemy.is_some_and(|enemy| touches(enemy, mv.to));
                // Red follows, Blue runs away.
                let wanted = if side == Color::Red { to } else { from && !to };
                wanted && !self.table.game.is_attack(*mv)
            }
            Style::Forward => forward(mv),
            Style::March => forward(mv) && !scouts.contains(&mv.from),
        };
        let fitting: Vec<Move> = moves.iter().copied().filter(likes).collect();
        let among = if fitting.is_empty() || self.dice.below(12) == 0 {
            &moves
        } else {
            &fitting
        };
        among[self.dice.below(among.len())]
    }

    /// A rescue as it might be sent, sensible or not.
    pub(crate) fn any_rescue(&mut self) -> RescueRequest {
        let side = self.table.side();
        let captured = self.table.seen_by(side).captured();
        let own: Vec<Rank> = captured
            .iter()
            .filter(|piece| piece.id.owner() == side)
            .filter_map(|piece| piece.rank)
            .collect();
        let rank = if own.is_empty() || self.dice.below(6) == 0 {
            Rank::ALL[self.dice.below(12)]
        } else {
            own[self.dice.below(own.len())]
        };
        let half = match side {
            Color::Red => 0,
            Color::Blue => 50,
        };
        let square = half + self.dice.below(52);
        RescueRequest {
            rank,
            square: u8::try_from(square).ok().and_then(Square::new),
        }
    }

    pub(crate) fn request(&mut self, mv: Move) -> MoveRequest {
        let back_row = [0, 9].contains(&mv.to.row().index());
        let sends = self.table.game.terms().options.rescue && back_row && self.dice.below(4) > 0;
        MoveRequest {
            ply: self.table.game.ply(),
            from: Some(mv.from),
            to: Some(mv.to),
            rescue: sends.then(|| self.any_rescue()),
        }
    }

    /// Makes the move that the side to move likes, with a rescue if one is accepted.
    pub(crate) fn turn(&mut self) {
        let mv = self.choose();
        let by = self.table.side();
        self.table.now = self.table.now + MINUTE;
        let mut request = self.request(mv);
        if self.send(by, Command::Move(request)).is_err() {
            request.rescue = None;
            self.table.does(by, Command::Move(request));
        }
    }

    pub(crate) fn send(&mut self, by: Color, command: Command) -> Result<Vec<Event>, PlayError> {
        self.table.command(by, command)
    }

    /// Turns, with offers and a rare end in between.
    pub(crate) fn play(&mut self, plies: u32) {
        while self.runs() && self.table.game.ply() < plies {
            let by = Color::ALL[self.dice.below(2)];
            let id = OfferId(u128::from(self.table.game.ply()));
            let open = self.table.game.offers().next().map_or(id, |offer| offer.id);
            let another = OfferId(id.0 + 1_000_000);
            // Most of these are refused, some end the game.
            let _ = match self.dice.below(200) {
                0..6 => self.send(by, Command::OfferDraw(id)),
                6..12 => self.send(by, Command::DeclineOffer(open)),
                12 => self.send(by, Command::AcceptOffer(open)),
                16 => self.send(by, Command::Abort),
                13 => self.send(by, Command::OfferPause(another)),
                14 => self.send(by, Command::Resume),
                15 if self.dice.below(8) == 0 => self.send(by, Command::Resign),
                _ => Ok(Vec::new()),
            };
            if self.runs() {
                self.turn();
            }
        }
    }
}

fn touches(a: Square, b: Square) -> bool {
    a.distance(b) == Some(1)
}
