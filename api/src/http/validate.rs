//! Values that were readable but cannot be taken: 422 with every faulty field at once.

use garde::Validate;

use super::extract::RawBody;
use crate::problem::{ApiError, FieldFault};

/// Checks all rules of `value`.
///
/// # Errors
/// `validation_failed`, listing every faulty field.
pub fn validated<T>(value: T) -> Result<T, ApiError>
where
    T: Validate<Context = ()>,
{
    match value.validate() {
        Ok(()) => Ok(value),
        Err(report) => {
            let mut faults: Vec<_> = report.iter().map(fault).collect();
            // So that equal requests get equal answers.
            faults.sort_by(|one, other| one.field.cmp(&other.field));
            Err(ApiError::validation(faults))
        }
    }
}

impl RawBody {
    /// Reads the body as JSON and checks all rules of what it holds.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse) and [`validated`].
    pub fn parse_valid<T>(&self) -> Result<T, ApiError>
    where
        T: serde::de::DeserializeOwned + Validate<Context = ()>,
    {
        validated(self.parse()?)
    }
}

/// Rules of ours give `code: sentence` as their message.
fn fault((path, error): &(garde::Path, garde::Error)) -> FieldFault {
    let message = error.message();
    let (code, detail) = message.split_once(": ").unwrap_or(("invalid", message));
    FieldFault {
        field: path.to_string(),
        code: code.to_owned(),
        detail: detail.to_owned(),
    }
}

/// The least and greatest number of characters of a username.
const USERNAME_CHARS: std::ops::RangeInclusive<usize> = 3..=20;
/// The least and greatest number of characters of a password.
const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 8..=256;
/// The longest email address there can be (RFC 5321).
const MAX_EMAIL_CHARS: usize = 254;

/// The rules that request types name in `#[garde(custom(…))]`.
pub mod rules {
    use std::ops::RangeInclusive;

    use garde::rules::email::parse_email;

    use super::{MAX_EMAIL_CHARS, PASSWORD_CHARS, USERNAME_CHARS};
    use crate::mail::known_zone;
    use crate::usecase::usernames::{ERASED_PREFIX, username_key};
    use crate::wire::patch::Patch;

    /// 3 to 20 of `A-Za-z0-9_-`.
    ///
    /// # Errors
    /// `too_short`, `too_long`, `bad_character` or `reserved`.
    pub fn username(value: &str, (): &()) -> garde::Result {
        length(value, USERNAME_CHARS)?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        match value.chars().find(|c| !allowed(*c)) {
            Some(found) => Err(garde::Error::new(format!(
                "bad_character: may have the characters A-Z, a-z, 0-9, _ and -, has {found:?}"
            ))),
            None if username_key(value).starts_with(ERASED_PREFIX) => Err(garde::Error::new(
                format!("reserved: may not begin with {ERASED_PREFIX}, as erased accounts do"),
            )),
            None => Ok(()),
        }
    }

    /// 8 to 256 characters, any.
    ///
    /// # Errors
    /// `too_short` or `too_long`.
    pub fn password(value: &str, (): &()) -> garde::Result {
        length(value, PASSWORD_CHARS)
    }

    /// A change of a time zone.
    ///
    /// # Errors
    /// `unknown_time_zone`.
    pub fn time_zone(change: &Patch<String>, (): &()) -> garde::Result {
        match change.value() {
            Some(name) if known_zone(name).is_none() => Err(garde::Error::new(
                "unknown_time_zone: must be a name of the IANA database such as Europe/Berlin",
            )),
            _ => Ok(()),
        }
    }

    /// An email address, or none.
    ///
    /// # Errors
    /// Those of [`email_address`].
    pub fn email(value: &Option<String>, (): &()) -> garde::Result {
        value.as_deref().map_or(Ok(()), email_address)
    }

    /// A change of an email address.
    ///
    /// # Errors
    /// Those of [`email_address`].
    pub fn email_change(change: &Patch<String>, (): &()) -> garde::Result {
        change.value().map_or(Ok(()), |email| email_address(email))
    }

    /// An email address.
    ///
    /// # Errors
    /// `too_long` or `not_an_email`.
    pub fn email_address(value: &str) -> garde::Result {
        length(value, 0..=MAX_EMAIL_CHARS)?;
        parse_email(value)
            .map_err(|fault| garde::Error::new(format!("not_an_email: is no address: {fault}")))
    }

    fn length(value: &str, allowed: RangeInclusive<usize>) -> garde::Result {
        let found = value.chars().count();
        let code = match found {
            found if allowed.contains(&found) => return Ok(()),
            found if found < *allowed.start() => "too_short",
            _ => "too_long",
        };
        let (least, most) = (allowed.start(), allowed.end());
        Err(garde::Error::new(format!(
            "{code}: must have {least} to {most} characters, has {found}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Validate)]
    struct Registration {
        #[garde(custom(rules::username))]
        username: String,
        #[garde(custom(rules::password))]
        password: String,
        #[garde(custom(rules::email))]
        email: Option<String>,
    }

    fn faults(username: &str, password: &str, email: Option<&str>) -> Vec<(String, String)> {
        let registration = Registration {
            username: username.to_owned(),
            password: password.to_owned(),
            email: email.map(str::to_owned),
        };
        let Err(refusal) = validated(registration) else {
            return Vec::new();
        };
        let problem = refusal.to_problem("/", "r");
        problem
            .errors
            .into_iter()
            .map(|fault| (fault.field, fault.code))
            .collect()
    }

    #[test]
    fn what_can_be_taken() {
        for (username, password, email) in [
            ("abc", "12345678", None),
            ("A-Za-z0-9_-A-Za-z0-9", "pässwört", Some("a@example.org")),
            (
                "___",
                &"ß".repeat(256),
                Some("first.last+tag@sub.example.org"),
            ),
        ] {
            assert_eq!(faults(username, password, email), []);
        }
    }

    #[test]
    fn all_faults_at_once_each_with_field_and_code() {
        for (username, code) in [
            ("ab", "too_short"),
            ("", "too_short"),
            ("a23456789012345678901", "too_long"),
            ("with space", "bad_character"),
            ("İstanbul", "bad_character"),
            ("Mаrshal", "bad_character"),
            ("abc\u{0}", "bad_character"),
            ("Deleted-1", "reserved"),
        ] {
            assert_eq!(
                faults(username, "1234567", Some("nobody")),
                [
                    ("email".to_owned(), "not_an_email".to_owned()),
                    ("password".to_owned(), "too_short".to_owned()),
                    ("username".to_owned(), code.to_owned())
                ],
                "{username:?}"
            );
        }
        let long = format!("{}@example.org", "a".repeat(MAX_EMAIL_CHARS));
        assert_eq!(
            faults("abc", &"x".repeat(257), Some(&long)),
            [
                ("email".into(), "too_long".into()),
                ("password".into(), "too_long".into())
            ]
        );
    }
}
