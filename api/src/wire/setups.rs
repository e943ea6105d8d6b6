//! Setups: checked, made up and saved.

use domain::{Setup, SetupErrors, SetupFault, Style};
use serde::{Deserialize, Serialize};
use storage::saved_setups::SavedSetup;
use utoipa::ToSchema;
use uuid::Uuid;

use super::names::Ruleset;
use super::object::word;
use crate::problem::{ApiError, Code, FieldFault};
use crate::time::Timestamp;

/// How long the name of a saved setup may be, in characters.
const MAX_NAME_CHARS: usize = 60;

/// A setup to be checked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateSetupRequest {
    /// The ruleset whose army it is.
    pub ruleset: Ruleset,
    /// 40 characters as the owner sees them, front row first, `.` for an empty square; white space
    /// and `/` between rows are ignored.
    #[schema(example = "6527M3538B/36228B7446/2B24562279/5FB43S3B2B")]
    pub setup: String,
}

/// A valid setup.
#[derive(Serialize, ToSchema)]
pub struct SetupResponse {
    /// The ruleset whose army it is.
    pub ruleset: Ruleset,
    /// The 40 characters, without anything between rows.
    #[schema(example = "6527M3538B36228B74462B245622795FB43S3B2B")]
    pub setup: String,
}

/// A setup to be made up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomSetupRequest {
    /// The ruleset whose army is wanted.
    pub ruleset: Ruleset,
    /// How it is made up; `advised` when nothing is said.
    #[serde(default, deserialize_with = "word")]
    pub style: SetupStyle,
}

/// A setup that was made up.
#[derive(Serialize, ToSchema)]
pub struct RandomSetupResponse {
    /// The ruleset whose army it is.
    pub ruleset: Ruleset,
    /// How it was made up.
    pub style: SetupStyle,
    /// The 40 characters.
    #[schema(example = "6527M3538B36228B74462B245622795FB43S3B2B")]
    pub setup: String,
}

/// How a setup is made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetupStyle {
    /// By the sheets' advice: the flag at the back with bombs about it, a decoy, few bombs and some
    /// scouts in front, miners behind, the spy by the general.
    #[default]
    Advised,
    /// Every valid setup is equally likely.
    Uniform,
}

/// A setup to be saved.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedSetupRequest {
    /// Its name: 1 to 60 characters without control characters, white space at the ends left out.
    #[schema(example = "Left flank", min_length = 1, max_length = 60)]
    pub name: String,
    /// The ruleset whose army it is.
    pub ruleset: Ruleset,
    /// 40 characters as the owner sees them, front row first.
    #[schema(example = "6527M3538B36228B74462B245622795FB43S3B2B")]
    pub setup: String,
}

/// What there is to save, once all of it is valid.
#[derive(Clone, PartialEq, Eq)]
pub struct SetupToSave {
    /// Its name, white space at the ends left out.
    pub name: String,
    /// The ruleset whose army it is.
    pub ruleset: domain::Ruleset,
    /// The arrangement.
    pub setup: Setup,
}

/// A saved setup.
#[derive(Serialize, ToSchema)]
pub struct SavedSetupResponse {
    /// Its identifier.
    pub id: Uuid,
    /// Its name.
    #[schema(example = "Left flank")]
    pub name: String,
    /// The ruleset whose army it is.
    pub ruleset: Ruleset,
    /// The 40 characters.
    #[schema(example = "6527M3538B36228B74462B245622795FB43S3B2B")]
    pub setup: String,
    /// When it was first saved.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl From<SetupStyle> for Style {
    fn from(style: SetupStyle) -> Self {
        match style {
            SetupStyle::Advised => Self::Advised,
            SetupStyle::Uniform => Self::Uniform,
        }
    }
}

impl SavedSetupRequest {
    /// Checks name and arrangement.
    ///
    /// # Errors
    /// `validation_failed` for the name, else `illegal_setup`.
    pub fn validate(&self) -> Result<SetupToSave, ApiError> {
        let name = self.name.trim();
        check_name(name).map_err(|fault| ApiError::validation(vec![fault]))?;
        let ruleset = self.ruleset.into();
        Ok(SetupToSave {
            name: name.to_owned(),
            ruleset,
            setup: parse_setup(ruleset, &self.setup)?,
        })
    }
}

fn check_name(name: &str) -> Result<(), FieldFault> {
    let count = name.chars().count();
    let (code, detail) = if count == 0 {
        (
            "too_short",
            "must have 1 to 60 characters that are not white space, has none".to_owned(),
        )
    } else if count > MAX_NAME_CHARS {
        (
            "too_long",
            format!("must have 1 to {MAX_NAME_CHARS} characters, has {count}"),
        )
    } else if name.chars().any(char::is_control) {
        (
            "control_character",
            "must have no control characters, has one".to_owned(),
        )
    } else {
        return Ok(());
    };
    Err(FieldFault {
        field: "name".into(),
        code: code.into(),
        detail,
    })
}

/// Reads a setup as it came in a request.
///
/// # Errors
/// `illegal_setup`, see [`illegal_setup`].
pub fn parse_setup(ruleset: domain::Ruleset, text: &str) -> Result<Setup, ApiError> {
    Setup::parse(ruleset, text).map_err(|errors| illegal_setup(&errors))
}

/// The refusal of a setup: `reason` is the gravest fault, `errors` lists all of them.
pub fn illegal_setup(errors: &SetupErrors) -> ApiError {
    let entries = errors.faults().iter().map(|fault| FieldFault {
        field: "setup".into(),
        code: fault.name().into(),
        detail: fault.to_string(),
    });
    let refusal =
        ApiError::new(Code::IllegalSetup, errors.to_string()).with_errors(entries.collect());
    match errors.faults().first() {
        None => refusal,
        Some(first) => {
            let refusal = refusal.reason(first.name());
            match first {
                SetupFault::WrongCount {
                    piece,
                    expected,
                    found,
                } => refusal
                    .with("piece", piece.to_char().to_string())
                    .with("expected", *expected)
                    .with("found", *found),
                _ => refusal,
            }
        }
    }
}

impl From<SavedSetup> for SavedSetupResponse {
    fn from(saved: SavedSetup) -> Self {
        Self {
            id: saved.id.as_uuid(),
            name: saved.name,
            ruleset: saved.ruleset.into(),
            setup: saved.setup.to_string(),
            created_at: saved.created_at.into(),
            updated_at: saved.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ORIGINAL: &str = "6527M3538B36228B74462B245622795FB43S3B2B";

    fn problem(ruleset: domain::Ruleset, setup: &str) -> Value {
        let error = parse_setup(ruleset, setup)
            .map(drop)
            .expect_err("an illegal setup");
        serde_json::to_value(error.to_problem("/", "r")).expect("a problem")
    }

    #[test]
    fn a_wrong_count_says_of_what_and_how_many() {
        let two_flags = problem(domain::Ruleset::Original, &ORIGINAL.replacen('6', "F", 1));
        assert_eq!(two_flags["code"], "illegal_setup");
        assert_eq!(two_flags["reason"], "wrong_count");
        assert_eq!(two_flags["piece"], "F");
        assert_eq!(
            (&two_flags["expected"], &two_flags["found"]),
            (&json!(1), &json!(2))
        );
        let codes: Vec<_> = two_flags["errors"]
            .as_array()
            .expect("errors")
            .iter()
            .collect();
        assert_eq!(codes.len(), 2);
        assert!(
            codes
                .iter()
                .all(|fault| fault["field"] == "setup" && fault["code"] == "wrong_count")
        );
    }

    #[test]
    fn the_first_fault_is_the_reason() {
        for (setup, reason) in [
            (&ORIGINAL[1..], "wrong_length"),
            ("", "wrong_length"),
            (&ORIGINAL.replacen('6', "x", 1), "unknown_piece"),
            (
                "BB22BB22BBF2222S33333444455556666777889M",
                "no_opening_move",
            ),
        ] {
            let problem = problem(domain::Ruleset::Original, setup);
            assert_eq!(problem["reason"], reason, "{setup}");
            assert_eq!(problem["errors"][0]["code"], reason, "{setup}");
            assert!(problem.get("piece").is_none(), "{setup}");
        }
    }

    #[test]
    fn names_are_trimmed_and_bounded() {
        let request = |name: &str| SavedSetupRequest {
            name: name.to_owned(),
            ruleset: Ruleset::Original,
            setup: ORIGINAL.to_owned(),
        };
        for (name, kept) in [("a", "a"), (" Left\u{a0}flank \n", "Left\u{a0}flank")] {
            assert!(
                request(name)
                    .validate()
                    .is_ok_and(|valid| valid.name == kept)
            );
        }
        assert!(request(&"é".repeat(60)).validate().is_ok());
        let long = "é".repeat(61);
        for (name, code) in [
            ("", "too_short"),
            (" \t\n", "too_short"),
            (&*long, "too_long"),
            ("a\u{0}b", "control_character"),
            ("a\nb", "control_character"),
        ] {
            let fault = request(name).validate().map(drop).expect_err("a bad name");
            assert_eq!(fault.code(), Code::ValidationFailed);
            let problem = fault.to_problem("/", "r");
            assert_eq!(
                (&*problem.errors[0].field, &*problem.errors[0].code),
                ("name", code)
            );
        }
    }
}
