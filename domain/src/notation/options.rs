use crate::ruleset::{Options, Ruleset, TwoSquares};

impl Ruleset {
    /// Its options with those changed that a text names, each as `name=value` between white space; `None` when
    /// it names another, or a value that the option cannot have.
    pub fn options_with(self, text: &str) -> Option<Options> {
        parse(self.default_options(), text)
    }

    /// Those options that are not its own, as [`options_with`](Self::options_with) reads them.
    pub fn options_beyond(self, options: Options) -> String {
        let default = self.default_options();
        let flags = [
            (
                "aggressor_advantage",
                default.aggressor_advantage,
                options.aggressor_advantage,
            ),
            (
                "silent_defense",
                default.silent_defense,
                options.silent_defense,
            ),
            ("rescue", default.rescue, options.rescue),
            ("more_squares", default.more_squares, options.more_squares),
        ];
        let others = flags.into_iter().filter(|(_, own, value)| own != value);
        let mut texts: Vec<String> = others
            .map(|(name, _, value)| format!("{name}={value}"))
            .collect();
        if default.two_squares != options.two_squares {
            texts.push(format!("two_squares={}", options.two_squares.name()));
        }
        if default.two_squares_limit != options.two_squares_limit {
            texts.push(format!("two_squares_limit={}", options.two_squares_limit));
        }
        if let Some(plies) = options.no_progress_plies {
            texts.push(format!("no_progress_plies={plies}"));
        }
        texts.join(" ")
    }
}

/// Reads options; those that are not named are the default.
pub(super) fn parse(default: Options, text: &str) -> Option<Options> {
    let mut options = default;
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=')?;
        match name {
            "aggressor_advantage" => options.aggressor_advantage = value.parse().ok()?,
            "silent_defense" => options.silent_defense = value.parse().ok()?,
            "rescue" => options.rescue = value.parse().ok()?,
            "more_squares" => options.more_squares = value.parse().ok()?,
            "two_squares" => options.two_squares = TwoSquares::from_name(value)?,
            "two_squares_limit" => options.two_squares_limit = value.parse().ok()?,
            "no_progress_plies" => options.no_progress_plies = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    options.validate().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_changed_by_name() {
        let ruleset = Ruleset::Classic;
        assert_eq!(ruleset.options_with(""), Some(ruleset.default_options()));
        let changed = Options {
            rescue: true,
            no_progress_plies: Some(60),
            ..ruleset.default_options()
        };
        let text = "rescue=true\tno_progress_plies=60";
        assert_eq!(ruleset.options_with(text), Some(changed));
        assert_eq!(
            ruleset.options_beyond(changed),
            "rescue=true no_progress_plies=60"
        );
        assert_eq!(ruleset.options_beyond(ruleset.default_options()), "");
        for wrong in ["rescue", "rescue=1", "speed=2", "two_squares_limit=9"] {
            assert_eq!(ruleset.options_with(wrong), None, "{wrong}");
        }
    }
}
