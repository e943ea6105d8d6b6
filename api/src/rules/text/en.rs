//! The rules in English.

use crate::rules::prose::{Advice, Prose, Repetition, SetUp, Sheets, Titles};

pub(in crate::rules) const PROSE: Prose = Prose {
    sheets: Sheets {
        original: "Travel leaflet, “Stratego Original”",
        duel: "Travel leaflet, “Stratego Duel”",
        classic: "French, Spanish and Romanian sheets of the classic set",
        original_forfeit: "Greek sheet",
        barrage: "Federation practice, eight pieces",
    },
    titles: Titles {
        aim: "Aim of the game",
        board: "The board",
        setup: "Setting up",
        moving: "Moving",
        battles: "Battles",
        repetition: "Repeated moves",
        options: "Options",
        end: "End of the game",
    },
    aim: &[
        "Each side commands an army whose ranks the other side cannot see. You win by capturing the enemy flag, or when your opponent has no move left.",
    ],
    board: &[
        "The board has ten columns, a to j, and ten rows, 1 to 10. In the middle lie two lakes of four squares each (c5, d5, c6, d6 and g5, h5, g6, h6); no piece may stand on a lake or pass over it.",
        "Red sets up on rows 1 to 4, Blue on rows 7 to 10; rows 5 and 6 are empty at the start. Squares have the same names for both players.",
    ],
    setup: SetUp {
        army: "Each side has {army_size} pieces: {army}.",
        full: "Both armies are set up in secret, one piece on each of the 40 squares of the four home rows.",
        one_empty: "Both armies are set up in secret on the four home rows, one piece to a square. One of the 40 squares stays empty, whichever you like.",
        many_empty: "Both armies are set up in secret on the four home rows, one piece to a square. {empty} of the 40 squares stay empty, wherever you like.",
        ready: "An arrangement that leaves its side without a first move is refused. Once both armies stand, nothing can be rearranged.",
    },
    moving: &[
        "Red moves first, then the sides take turns. A turn is one move by one piece: one square forwards, backwards or sideways, onto an empty square or onto an enemy piece, which is an attack. Pieces never move diagonally, never jump over another piece, and never share a square.",
        "Bombs and the flag never move.",
        "A scout may go any number of empty squares in a straight line, and may attack at the end of that line. A move of more than one square tells the opponent that the piece is a scout.",
        "Attacking is never compulsory.",
    ],
    battles: &[
        "When a piece attacks another, both ranks are disclosed. The higher number wins and the loser is removed: {order}. Equal ranks are both removed.",
        "An attacker that wins moves onto the square; a defender that wins stays where it is.",
        "The spy beats the marshal when it is the spy that attacks. Whatever attacks a spy beats it, except that two spies remove each other.",
        "A bomb removes every attacker and stays on its square; only a miner defeats it, and moves onto its square.",
        "Any piece that can move can capture the flag by attacking it.",
    ],
    repetition: Repetition {
        two_squares: "Two squares: a piece may cross the border between the same two neighbouring squares at most {limit} times on consecutive turns of its side. Attacks count as well, and a scout crosses every border on its way. Moving another piece starts the count afresh; the opponent's moves do not.",
        illegal: "A move that would cross the border once more is refused, and another must be chosen.",
        forfeit_turn: "A move that would cross the border once more forfeits the turn: the piece stays where it is and the opponent moves next. If the attempt was longer than one square, the piece is nevertheless known to be a scout. A player who has no other moves left loses.",
        more_squares: "More squares: a player who moves next to an enemy piece turn after turn, while the opponent keeps moving away, is chasing. A chasing move that threatens an enemy piece again may not bring back a placement of the pieces that has already occurred in the same chase. Only stepping straight back to the square just left is exempt, as far as the two squares rule allows it. An attack ends the chase, and the side that is chased is free to repeat.",
        no_more_squares: "Longer chases are not restricted in this ruleset, unless the challenge asks for the more squares rule.",
    },
    options: &[
        "A challenge may switch these on for its game; all of them are off otherwise. It may change the rules on repeated moves as well.",
        "Aggressor's advantage: of two equal ranks the attacker wins, and only the defender is removed.",
        "Silent defence: in a battle only the attacker's rank is declared. The defender's rank stays hidden whatever the outcome, except that a piece attacked by a scout has to disclose its rank.",
        "Rescue: when a piece other than a scout ends its move on the enemy's back row, by a plain move or by an attack that it won, its owner may at once take back one of his removed pieces, but no bomb, and put it on any empty square of his own half of the board (rows 1 to 5 for Red, 6 to 10 for Blue). A side may do so twice in a game, each time with a different piece.",
        "No progress: the game is drawn after an agreed number of moves in a row without an attack, the moves of both sides counted ({min_plies} to {max_plies}).",
    ],
    end: &[
        "Capturing the flag wins the game.",
        "A player who is to move and has no legal move loses; so does a player who has no piece left that can ever move. If neither side can move, the game is drawn.",
        "A player may resign, and both may agree on a draw. Whoever lets the time for a move run out loses. If a player resigns or runs out of time before both sides have moved, the game is aborted without a result.",
    ],
    advice: Advice {
        full: &[
            "Put the flag in the back row and close it in with bombs, so that only a miner can get through to it.",
            "Place a few bombs together well away from the flag as a decoy: your opponent may spend time and miners there.",
            "Have few bombs in the front row, where they stand in the way of your own pieces.",
            "Put some scouts in front, to find out early what stands opposite; keep others for later, when the board is open and they can run far.",
            "Leave the miners in the rear rows. You will need them towards the end, when bombs are all that still protects the enemy flag.",
            "Keep the spy near the general: if the enemy marshal takes your general, your spy can take the marshal.",
            "Spread the strong pieces over both wings, so that neither is without defence.",
        ],
        small: &[
            "Put the flag in the back row, with bombs beside it as far as you have any.",
            "Many squares stay empty, so position says a lot. Leave another piece alone at the back as a decoy: as long as it does not move it could be the flag.",
            "Keep bombs out of the front row and put a scout there, to find out early what stands opposite. The board is open and a scout runs far.",
            "Hold a miner back and do not trade it lightly: it is the only piece that gets past a bomb.",
            "Keep the spy near the general: if the enemy marshal takes your general, your spy can take the marshal.",
        ],
    },
};
