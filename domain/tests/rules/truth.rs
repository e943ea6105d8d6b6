//! What was disclosed, told by the armies and the log alone.

use std::collections::BTreeMap;

use domain::{
    ByColor, Cause, Color, Event, Options, PieceId, Rank, RevealedTo, Setup, Square, View,
    Viewpoint,
};

use crate::support::Table;

/// The armies of a game.
pub(crate) fn placed(table: &Table) -> ByColor<Setup> {
    ByColor::from_fn(|side| {
        let of_side = |event: &Event| match event {
            Event::SetupPlaced { by, setup, .. } if *by == side => Some(*setup),
            _ => None,
        };
        table.events.iter().find_map(of_side).expect("placed")
    })
}

/// What really stood where, and who came to know it: told by the log and the armies alone.
pub(crate) struct Truth {
    ranks: BTreeMap<PieceId, Rank>,
    disclosed: BTreeMap<PieceId, (u32, Cause, Square)>,
    over: bool,
}

impl Truth {
    pub(crate) fn of(table: &Table) -> Self {
        let mut truth = Self {
            ranks: BTreeMap::new(),
            disclosed: BTreeMap::new(),
            over: table.game.is_open(),
        };
        let placed = table.events.iter().filter_map(|event| match event {
            Event::SetupPlaced { by, setup, .. } => Some((*by, setup.to_string())),
            _ => None,
        });
        for (owner, text) in placed {
            for (cell, ch) in (0_u8..).zip(text.chars()) {
                let (row, column) = (cell / 10, cell % 10);
                let index = match owner {
                    Color::Red => (3 - row) * 10 + column,
                    Color::Blue => (6 + row) * 10 + 9 - column,
                };
                let piece = Square::new(index).and_then(PieceId::deployed_on);
                if let (Some(piece), Some(rank)) = (piece, Rank::from_char(ch)) {
                    truth.ranks.insert(piece, rank);
                }
            }
        }
        let requests = table.events.iter().filter_map(|event| match event {
            Event::Moved { rescue, .. } => Some(*rescue),
            _ => None,
        });
        let public = table
            .game
            .view(None, Viewpoint::Public)
            .expect("open to all");
        for (seen, request) in public.moves_from(0).zip(requests) {
            if let Some(back) = seen.rescue {
                let rescue = request.expect("it was asked for");
                truth.ranks.insert(back.piece, rescue.rank);
            }
            truth.learn(&seen, table.game.terms().options);
        }
        truth
    }

    fn learn(&mut self, seen: &domain::MoveView, options: Options) {
        use domain::BattleOutcome::{BothRemoved, FlagCaptured};
        let mut disclose = |piece, cause, square| {
            let known = (seen.ply + 1, cause, square);
            self.disclosed.entry(piece).or_insert(known);
        };
        if let Some(attack) = seen.attack {
            disclose(seen.piece, Cause::Attacked, seen.mv.to);
            let scout = self.ranks[&seen.piece] == Rank::Scout;
            let equal_or_flag = matches!(attack.outcome, BothRemoved | FlagCaptured);
            if !options.silent_defense || scout || equal_or_flag {
                disclose(attack.defender_id, Cause::WasAttacked, seen.mv.to);
            }
        } else if seen.distance > 1 && seen.forfeited {
            disclose(seen.piece, Cause::ScoutMove, seen.mv.from);
        } else if seen.distance > 1 {
            disclose(seen.piece, Cause::ScoutMove, seen.mv.to);
        }
        if let Some(back) = seen.rescue
            && !options.silent_defense
        {
            disclose(back.piece, Cause::Rescue, back.square);
        }
    }

    fn known(&self, piece: PieceId, viewer: Option<Color>, ply: u32) -> Option<Rank> {
        let own = viewer == Some(piece.owner());
        let disclosed = self
            .disclosed
            .get(&piece)
            .is_some_and(|known| known.0 <= ply);
        (own || disclosed).then(|| self.ranks[&piece])
    }

    pub(crate) fn compare(&self, view: &View<'_>, viewer: Option<Color>) {
        let end = view.game().ply();
        for piece in view.pieces() {
            assert_eq!(
                piece.rank,
                self.known(piece.id, viewer, end),
                "{}",
                piece.id
            );
            let since = self.disclosed.get(&piece.id).map(|known| known.0);
            assert_eq!(piece.revealed_ply, since, "{}", piece.id);
        }
        for piece in view.captured() {
            assert_eq!(
                piece.rank,
                self.known(piece.id, viewer, end),
                "{}",
                piece.id
            );
        }
        for seen in view.moves_from(0) {
            let after = seen.ply + 1;
            assert_eq!(seen.rank, self.known(seen.piece, viewer, after));
            if let Some(attack) = seen.attack {
                assert_eq!(attack.attacker, self.ranks[&seen.piece]);
                let defender = self.known(attack.defender_id, viewer, after);
                assert_eq!(attack.defender, defender);
            }
            if let Some(back) = seen.rescue {
                assert_eq!(back.rank, self.known(back.piece, viewer, after));
            }
            let told = seen.reveals.iter().map(|reveal| reveal.piece);
            let new = self.disclosed.iter().filter(|(_, known)| known.0 == after);
            assert!(told.eq(new.map(|(piece, _)| *piece)), "ply {}", seen.ply);
        }
        self.compare_reveals(view, end);
    }

    fn compare_reveals(&self, view: &View<'_>, end: u32) {
        let reveals = view.reveals();
        let at_the_end = |reveal: &&domain::Reveal| reveal.cause == Cause::GameOver;
        let (last, ordinary): (Vec<domain::Reveal>, Vec<domain::Reveal>) =
            reveals.iter().partition(at_the_end);
        assert!(ordinary.is_sorted_by_key(|reveal| reveal.ply));
        let told: BTreeMap<_, _> = ordinary
            .iter()
            .map(|reveal| (reveal.piece, (reveal.ply, reveal.cause, reveal.square)))
            .collect();
        assert_eq!(told.len(), ordinary.len(), "each piece once");
        assert_eq!(told, self.disclosed);
        for reveal in &reveals {
            assert_eq!(reveal.rank, self.ranks[&reveal.piece]);
        }
        let opponents = ordinary
            .iter()
            .all(|reveal| reveal.to == RevealedTo::Side(!reveal.piece.owner()));
        assert!(opponents);
        if self.over {
            assert_eq!(reveals.len(), self.ranks.len(), "all is told at the end");
            let to_all =
                |reveal: &domain::Reveal| (reveal.ply, reveal.to) == (end, RevealedTo::Both);
            assert!(last.iter().all(to_all));
            assert_eq!(reveals[ordinary.len()..], last, "they come last");
        } else {
            assert!(last.is_empty());
        }
    }
}
