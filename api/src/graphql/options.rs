use async_graphql::SimpleObject;

/// The options that a game is played with.
#[derive(Debug, SimpleObject)]
pub(super) struct Options {
    /// Whether the attacker wins between equal ranks.
    aggressor_advantage: bool,
    /// Whether a defender keeps its rank to itself.
    silent_defense: bool,
    /// Whether a piece that reaches the far row brings another back.
    rescue: bool,
    /// Whether a chase may not recreate its positions.
    more_squares: bool,
    /// What a breach of the two squares rule does: `illegal` or `forfeit_turn`.
    two_squares: &'static str,
    /// How often in a row a piece may move between two squares.
    two_squares_limit: u8,
    /// After how many plies without a battle the game is drawn.
    no_progress_plies: Option<u16>,
}

impl From<domain::Options> for Options {
    fn from(options: domain::Options) -> Self {
        Self {
            aggressor_advantage: options.aggressor_advantage,
            silent_defense: options.silent_defense,
            rescue: options.rescue,
            more_squares: options.more_squares,
            two_squares: options.two_squares.name(),
            two_squares_limit: options.two_squares_limit,
            no_progress_plies: options.no_progress_plies,
        }
    }
}
