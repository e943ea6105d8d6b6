use domain::Square;

/// What is in the way on each square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Nothing, or a piece that can step aside.
    Free,
    /// A lake, an enemy, or a piece that never moves.
    Blocked,
}

/// A square that cannot be reached.
pub(super) const FAR: u8 = u8::MAX;

/// The squares next to one.
pub(super) fn around(square: u8) -> impl Iterator<Item = u8> {
    let column = square % 10;
    [
        (square >= 10).then(|| square - 10),
        (square < 90).then(|| square + 10),
        (column > 0).then(|| square - 1),
        (column < 9).then(|| square + 1),
    ]
    .into_iter()
    .flatten()
}

/// How many steps it is from each square to a target, which may itself be blocked.
pub(super) fn steps_to(target: u8, ways: &[Way; Square::COUNT]) -> [u8; Square::COUNT] {
    let mut steps = [FAR; Square::COUNT];
    let mut queue = [0_u8; Square::COUNT];
    let (mut next, mut end) = (0, 1);
    queue[0] = target;
    steps[usize::from(target)] = 0;
    while next < end {
        let here = queue[next];
        next += 1;
        let far = steps[usize::from(here)] + 1;
        for there in around(here) {
            let place = usize::from(there);
            if ways[place] == Way::Free && steps[place] == FAR {
                steps[place] = far;
                queue[end] = there;
                end += 1;
            }
        }
    }
    steps
}
