use crate::rank::Rank;
use crate::ruleset::Ruleset;
use crate::setup::Setup;

/// How a made-up arrangement is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// By the sheets' advice: the flag at the back with bombs about it, a decoy of bombs
    /// elsewhere, few bombs and some scouts in front, miners behind, the spy by the general.
    Advised,
    /// Every valid arrangement is equally likely.
    Uniform,
}

impl Style {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Advised => "advised",
            Self::Uniform => "uniform",
        }
    }

    /// The style of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Advised, Self::Uniform]
            .into_iter()
            .find(|style| style.name() == name)
    }
}

const CELLS: usize = 40;

impl Setup {
    /// Makes up an arrangement. `below(n)` gives a number from 0 to `n - 1`, each equally likely:
    /// the domain has no chance of its own.
    pub fn random(ruleset: Ruleset, style: Style, mut below: impl FnMut(usize) -> usize) -> Self {
        loop {
            let mut draft = Draft {
                cells: [None; CELLS],
                below: &mut below,
            };
            match style {
                Style::Advised => draft.by_advice(ruleset),
                Style::Uniform => draft.fill(&army(ruleset), |_, _| 1),
            }
            let setup = Self::from_cells(draft.cells);
            if setup.has_opening_move() {
                return setup;
            }
        }
    }
}

fn army(ruleset: Ruleset) -> Vec<Rank> {
    let counts = ruleset.army();
    counts
        .iter()
        .flat_map(|(rank, &n)| std::iter::repeat_n(rank, usize::from(n)))
        .collect()
}

struct Draft<'r, R> {
    cells: [Option<Rank>; CELLS],
    below: &'r mut R,
}

/// Rows as the owner sees them: 0 is the front row, 3 the back row.
const fn row(cell: usize) -> usize {
    cell / 10
}

fn adjacent(a: usize, b: usize) -> bool {
    (row(a) == row(b) && a.abs_diff(b) == 1) || a.abs_diff(b) == 10
}

impl<R: FnMut(usize) -> usize> Draft<'_, R> {
    fn by_advice(&mut self, ruleset: Ruleset) {
        let mut rest = army(ruleset);
        let flag = self.place(&mut rest, Rank::Flag, |_, cell| {
            if row(cell) == 3 {
                8
            } else {
                usize::from(row(cell) == 2)
            }
        });
        let bombs = rest.iter().filter(|rank| **rank == Rank::Bomb).count();
        // A small army needs all its bombs by the flag; a large one keeps a pair as a decoy.
        let decoys = if bombs > 4 { 2 } else { 0 };
        for _ in decoys..bombs.min(3 + decoys) {
            self.place(&mut rest, Rank::Bomb, |_, cell| {
                if flag.is_some_and(|flag| adjacent(flag, cell)) {
                    100
                } else {
                    0
                }
            });
        }
        let mut decoy = None;
        for _ in 0..decoys {
            decoy = self.place(&mut rest, Rank::Bomb, |_, cell| match decoy {
                Some(first) if adjacent(first, cell) => 50,
                Some(_) => 0,
                None => [0, 1, 4, 4][row(cell)],
            });
        }
        let general = self.place(&mut rest, Rank::General, |_, cell| [4, 5, 3, 1][row(cell)]);
        self.place(&mut rest, Rank::Spy, |_, cell| {
            let by_the_general = general.is_some_and(|general| adjacent(general, cell));
            if by_the_general {
                60
            } else {
                [0, 1, 1, 1][row(cell)]
            }
        });
        self.fill(&rest, |rank, cell| match rank {
            Rank::Bomb => [1, 3, 4, 4][row(cell)],
            Rank::Scout => [6, 4, 2, 3][row(cell)],
            Rank::Miner => [1, 2, 6, 8][row(cell)],
            Rank::Marshal | Rank::Colonel | Rank::Major => [6, 5, 3, 1][row(cell)],
            Rank::Captain | Rank::Lieutenant => [5, 4, 4, 2][row(cell)],
            _ => [3, 4, 4, 3][row(cell)],
        });
    }

    /// Puts each piece of an army on a free cell, by weight.
    fn fill(&mut self, army: &[Rank], weight: impl Fn(Rank, usize) -> usize) {
        let mut rest = army.to_vec();
        while let Some(&rank) = rest.last() {
            if self.place(&mut rest, rank, &weight).is_none() {
                return;
            }
        }
    }

    /// Takes a piece of a rank out of an army and puts it on a free cell, by weight; on any free
    /// cell when every weight is nothing. Says where, or `None` when there is no such piece.
    fn place(
        &mut self,
        army: &mut Vec<Rank>,
        rank: Rank,
        weight: impl Fn(Rank, usize) -> usize,
    ) -> Option<usize> {
        let index = army.iter().rposition(|one| *one == rank)?;
        army.remove(index);
        let free: Vec<usize> = (0..CELLS)
            .filter(|cell| self.cells[*cell].is_none())
            .collect();
        let weighed: usize = free.iter().map(|cell| weight(rank, *cell)).sum();
        let weight_of = |cell: usize| if weighed == 0 { 1 } else { weight(rank, cell) };
        let total = if weighed == 0 { free.len() } else { weighed };
        let mut ticket = (self.below)(total.max(1));
        let chosen = free.into_iter().find(|cell| {
            let weight = weight_of(*cell);
            let here = ticket < weight;
            ticket = ticket.saturating_sub(weight);
            here
        })?;
        self.cells[chosen] = Some(rank);
        Some(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small deterministic generator: the tests need variety, not quality.
    fn dice(mut state: u64) -> impl FnMut(usize) -> usize {
        move |n| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).expect("31 bits") % n
        }
    }

    #[test]
    fn every_made_up_setup_is_valid_for_its_army() {
        for ruleset in Ruleset::ALL {
            for style in [Style::Advised, Style::Uniform] {
                for seed in 0..200 {
                    let setup = Setup::random(ruleset, style, dice(seed));
                    assert_eq!(Setup::parse(ruleset, &setup.to_string()), Ok(setup));
                }
            }
        }
    }

    #[test]
    fn advice_puts_the_flag_behind_bombs_at_the_back() {
        let (mut back, mut guarded) = (0, 0);
        for seed in 0..300 {
            let setup = Setup::random(Ruleset::Original, Style::Advised, dice(seed)).to_string();
            let cells: Vec<char> = setup.chars().collect();
            let flag = cells.iter().position(|ch| *ch == 'F').expect("a flag");
            back += usize::from(row(flag) == 3);
            guarded += usize::from((0..CELLS).any(|c| cells[c] == 'B' && adjacent(flag, c)));
        }
        // Eight in nine, give or take.
        assert!(back > 250, "{back}");
        assert_eq!(guarded, 300);
    }

    #[test]
    fn uniform_setups_put_the_flag_anywhere() {
        let mut seen = [false; CELLS];
        for seed in 0..2000 {
            let setup = Setup::random(Ruleset::Barrage, Style::Uniform, dice(seed)).to_string();
            seen[setup.chars().position(|ch| ch == 'F').expect("a flag")] = true;
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
