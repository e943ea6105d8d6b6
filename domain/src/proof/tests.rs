use proptest::prelude::*;

use super::*;

const ORIGINAL: &str = "6527M3538B36228B74462B245622795FB43S3B2B";

fn salts() -> Salts {
    let mut next = (0..=250).cycle();
    Salts::from_bytes(std::array::from_fn(|_| next.next().unwrap_or_default()))
}

fn setup() -> Setup {
    Setup::parse(Ruleset::Original, ORIGINAL).expect("valid")
}

fn proof(owner: Color) -> (SetupProof, Commitment) {
    let (setup, salts) = (setup(), salts());
    let proof = SetupProof::of(Ruleset::Original, owner, &setup, &salts);
    (proof, Commitment::of(owner, &setup, &salts))
}

fn faults(proof: &SetupProof, commitment: Commitment) -> Vec<ProofFault> {
    let refused = proof.verify(commitment).expect_err("refused");
    refused.faults().to_vec()
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

#[test]
fn an_army_opens_its_own_commitment_and_no_other() {
    for owner in Color::ALL {
        let (proof, commitment) = proof(owner);
        assert_eq!(proof.verify(commitment), Ok(setup()));
        let squares: Vec<_> = proof.leaves.iter().map(|leaf| leaf.square).collect();
        assert_eq!(squares, home_squares(owner).collect::<Vec<_>>());
        let all = faults(&proof, Commitment::from_bytes([0; 32]));
        assert_eq!(all.len(), 40);
    }
    let (red, _) = proof(Color::Red);
    let (_, commitment) = proof(Color::Blue);
    assert_eq!(faults(&red, commitment).len(), 40);
}

#[test]
fn a_leaf_and_its_path_are_the_published_ones() {
    // Computed apart from this program, with the salts of the tests.
    let (proof, _) = proof(Color::Blue);
    let leaf = &proof.leaves[9];
    assert_eq!(
        (leaf.square, leaf.rank),
        (square("j7"), Some(Rank::Captain))
    );
    assert_eq!(
        Node::leaf(leaf.square, leaf.rank, leaf.salt).to_string(),
        "86428d82683f6d7cf05874236139f090799a1fc5cac166dc0979ea843e9cf084"
    );
    assert_eq!(
        leaf.path.map(|node| node.to_string()),
        [
            "fad0041f5a69ec5d8ac910ea821d6ade5f9400c0e667d375cecbc319398f376a",
            "f8f14ee4d67c4cc9add8279abc171773d939f18696c8f705bb6c33413abe43be",
            "9fb6207f2eb7c1329331aad3d215d6b0a4e0c62ee915e2a50636f9f705f14e57",
            "0e558ae5069dc1c7e7270d97428bf9c2152466c8da6e95f489b8fa5b5f10c98c",
            "2aa4074b04217bd72a4fed65460aaa0aca28c8bf8a972c7d70c465087a8930c0",
            "60e045fe798ae6819e5a01d27ef09540186db24beed472eeb56a4319edc1c63d",
        ]
    );
}

#[test]
fn empty_squares_are_leaves_too() {
    let barrage = "29...M..3....................F...B2.S...";
    let setup = Setup::parse(Ruleset::Barrage, barrage).expect("valid");
    let commitment = Commitment::of(Color::Blue, &setup, &salts());
    let mut proof = SetupProof::of(Ruleset::Barrage, Color::Blue, &setup, &salts());
    assert_eq!(proof.verify(commitment), Ok(setup));
    // A flag that was moved to an empty square: both squares tell.
    let from = proof
        .leaves
        .iter()
        .position(|leaf| leaf.rank == Some(Rank::Flag))
        .expect("a flag");
    let to = proof
        .leaves
        .iter()
        .position(|leaf| leaf.rank.is_none())
        .expect("an empty square");
    let mut squares = [proof.leaves[from].square, proof.leaves[to].square];
    proof.leaves[to].rank = proof.leaves[from].rank.take();
    squares.sort_unstable();
    let unopened = squares.map(|square| ProofFault::Unopened { square });
    assert_eq!(faults(&proof, commitment), unopened);
}

#[test]
fn leaves_that_are_not_what_they_should_be_are_named() {
    let (whole, commitment) = proof(Color::Blue);
    let (j7, b8) = (square("j7"), square("b8"));

    let mut swapped = whole.clone();
    swapped.leaves.swap(9, 11);
    assert_eq!(
        faults(&swapped, commitment),
        [
            ProofFault::Misplaced { square: b8 },
            ProofFault::Misplaced { square: j7 },
        ]
    );

    let mut short = whole.clone();
    short.leaves.remove(9);
    assert_eq!(
        faults(&short, commitment),
        [ProofFault::Missing { square: j7 }]
    );

    let mut double = whole.clone();
    double.leaves[11] = double.leaves[9].clone();
    assert_eq!(
        faults(&double, commitment),
        [
            ProofFault::Repeated { square: j7 },
            ProofFault::Missing { square: b8 },
        ]
    );

    let mut foreign = whole.clone();
    foreign.leaves[9].square = square("e4");
    assert_eq!(
        faults(&foreign, commitment),
        [
            ProofFault::Foreign {
                square: square("e4")
            },
            ProofFault::Missing { square: j7 },
        ]
    );

    let mut empty = whole;
    empty.leaves.clear();
    assert_eq!(faults(&empty, commitment).len(), 40);
}

#[test]
fn a_commitment_to_no_army_proves_nothing() {
    // Forty leaves that open, with two flags among them.
    let (mut proof, _) = proof(Color::Red);
    let captain = proof.leaves[30].rank;
    assert_eq!(captain, Some(Rank::Captain));
    let contents: Vec<LeafContent> = proof
        .leaves
        .iter()
        .enumerate()
        .map(|(place, leaf)| {
            let rank = if place == 30 {
                Some(Rank::Flag)
            } else {
                leaf.rank
            };
            (leaf.square, rank, leaf.salt)
        })
        .collect();
    let tree = Tree::over(&contents);
    for (place, (leaf, (_, rank, _))) in proof.leaves.iter_mut().zip(contents).enumerate() {
        leaf.rank = rank;
        leaf.path = tree.path(place);
    }
    let first = &proof.leaves[0];
    let root = Node::leaf(first.square, first.rank, first.salt).climb(0, &first.path);
    let wrong = |piece, expected, found| {
        ProofFault::Army(SetupFault::WrongCount {
            piece,
            expected,
            found,
        })
    };
    assert_eq!(
        faults(&proof, root),
        [wrong(Rank::Flag, 1, 2), wrong(Rank::Captain, 4, 3)]
    );
}

proptest! {
    #[test]
    fn any_bit_that_is_flipped_names_its_leaf(
        place in 0..HOMES,
        byte in 0..32_usize * 7,
        bit in 0..8_u8,
    ) {
        let (mut proof, commitment) = proof(Color::Blue);
        let leaf = &mut proof.leaves[place];
        let flip = |mut bytes: [u8; 32]| {
            bytes[byte % 32] ^= 1 << bit;
            bytes
        };
        match byte / 32 {
            0 => leaf.salt = Salt::from_bytes(flip(leaf.salt.to_bytes())),
            level => {
                let node = &mut leaf.path[level - 1];
                *node = Node::from_bytes(flip(node.to_bytes()));
            }
        }
        let named = ProofFault::Unopened { square: leaf.square };
        prop_assert_eq!(faults(&proof, commitment), [named]);
    }

    #[test]
    fn any_other_piece_names_its_leaf(place in 0..HOMES, rank in 0..=12_usize) {
        let (mut proof, commitment) = proof(Color::Red);
        let leaf = &mut proof.leaves[place];
        let rank = Rank::ALL.get(rank).copied();
        prop_assume!(leaf.rank != rank);
        leaf.rank = rank;
        let named = ProofFault::Unopened { square: leaf.square };
        let faults = faults(&proof, commitment);
        prop_assert_eq!(faults[0], named);
        // The army does not add up either.
        prop_assert!(faults[1..].iter().all(|fault| matches!(fault, ProofFault::Army(_))));
    }

    #[test]
    fn any_other_commitment_is_opened_by_no_leaf(byte in 0..32_usize, bit in 0..8_u8) {
        let (proof, commitment) = proof(Color::Red);
        let mut bytes = commitment.to_bytes();
        bytes[byte] ^= 1 << bit;
        prop_assert_eq!(faults(&proof, Commitment::from_bytes(bytes)).len(), HOMES);
    }
}
