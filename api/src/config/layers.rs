//! The four layers of settings, merged, with the knowledge of where each value came from.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::ConfigError;

/// What the names of our environment variables begin with.
const PREFIX: &str = "REVEILLE_";

/// Every key there is, with its default; none stands for a key that may be absent.
const KEYS: &[(&str, Option<&str>)] = &[
    ("listen", Some("127.0.0.1:8080")),
    ("database_url", None),
    ("database_read_url", None),
    ("database_pool_size", None),
    ("game_cache", Some("64")),
    ("data_dir", Some("data")),
    ("signing_keys", Some("")),
    ("min_time_per_move", Some("PT1M")),
    ("rate_limits", Some("on")),
    ("rate_limit_address", Some("1200/60")),
    ("rate_limit_caller", Some("600/60")),
    ("rate_limit_auth", Some("60/60")),
    ("rate_limit_account", Some("10/60")),
    ("metrics_listen", Some("127.0.0.1:9090")),
    ("house_bot", Some("off")),
    ("cors_origins", Some("")),
    ("trusted_proxies", Some("")),
    ("webhook_networks", Some("")),
    ("vapid_key", None),
    ("vapid_contact", None),
    ("graphql_max_depth", Some("12")),
    ("graphql_max_complexity", Some("2000")),
    ("graphql_max_complexity_analysis", Some("20000")),
    ("graphql_max_aliases", Some("30")),
    ("graphql_max_root_fields", Some("15")),
    ("graphql_max_query_bytes", Some("10000")),
    ("graphql_max_batch", Some("10")),
    ("graphql_introspection", Some("on")),
    ("graphql_page", Some("on")),
    ("smtp_url", None),
    ("mail_from", None),
    ("public_url", None),
    ("log", Some("info")),
    ("shutdown_timeout", Some("10")),
];

/// The settings given on the command line; what is absent leaves the other layers as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// The configuration file, in place of `reveille.toml`.
    pub config: Option<PathBuf>,
    /// Key and value of each setting given as a flag; of two with one key the later counts.
    pub values: Vec<(&'static str, String)>,
}

impl Flags {
    /// These, and then more that stand further on in the line.
    #[must_use]
    pub fn and(mut self, more: Self) -> Self {
        self.config = more.config.or(self.config);
        self.values.extend(more.values);
        self
    }
}

/// One layer of plain texts.
struct Layer {
    name: &'static str,
    values: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name)
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

const ENVIRONMENT: &str = "environment";
const FLAGS: &str = "flags";

/// All layers, merged.
pub(super) struct Layers {
    figment: Figment,
    file: Option<PathBuf>,
    warnings: Vec<String>,
}

impl Layers {
    pub(super) fn new(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        flags: Flags,
    ) -> Result<Self, ConfigError> {
        let defaults = KEYS
            .iter()
            .filter_map(|(key, value)| Some((*key, (*value)?.to_owned())));
        let mut figment = Figment::from(layer("defaults", defaults));
        if let Some(path) = file {
            figment = figment.merge(read_file(path)?);
        }
        let (variables, warnings) = read_environment(environment)?;
        let figment = figment
            .merge(layer(ENVIRONMENT, variables))
            .merge(layer(FLAGS, flags.values));
        Ok(Self {
            figment,
            file: file.map(Path::to_owned),
            warnings,
        })
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The value as a text, none when no layer gives one.
    pub(super) fn optional(&self, key: &'static str) -> Result<Option<String>, ConfigError> {
        match self.figment.find_value(key) {
            Err(_) => Ok(None),
            Ok(value) => match scalar(&value) {
                Some(text) => Ok(Some(text)),
                None => Err(self.refused(key, "a single value", &format!("{value:?}"))),
            },
        }
    }

    /// The value as a text.
    pub(super) fn text(&self, key: &'static str) -> Result<String, ConfigError> {
        match self.optional(key)? {
            Some(text) if !text.is_empty() => Ok(text),
            found => Err(self.refused(key, "a value", &found.unwrap_or_default())),
        }
    }

    /// A list: an array in the file, or texts between commas.
    pub(super) fn list(&self, key: &'static str) -> Result<Vec<String>, ConfigError> {
        if let Ok(Value::Array(_, items)) = self.figment.find_value(key) {
            return items
                .iter()
                .map(|item| {
                    scalar(item)
                        .ok_or_else(|| self.refused(key, "a list of texts", &format!("{item:?}")))
                })
                .collect();
        }
        let text = self.optional(key)?.unwrap_or_default();
        Ok(text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect())
    }

    /// The value read as a `T`.
    pub(super) fn parse<T: FromStr>(
        &self,
        key: &'static str,
        expected: &str,
    ) -> Result<T, ConfigError> {
        let text = self.text(key)?;
        text.parse().map_err(|_| self.refused(key, expected, &text))
    }

    /// The value read as a `T` that passes `accept`, none when no layer gives one.
    pub(super) fn parse_optional<T: FromStr>(
        &self,
        key: &'static str,
        expected: &str,
        accept: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, ConfigError> {
        let Some(text) = self.optional(key)? else {
            return Ok(None);
        };
        match text.parse() {
            Ok(value) if accept(&value) => Ok(Some(value)),
            _ => Err(self.refused(key, expected, &text)),
        }
    }

    /// The error for a value that `key` does not take.
    pub(super) fn refused(&self, key: &'static str, expected: &str, found: &str) -> ConfigError {
        ConfigError::Value {
            key,
            source_name: self.source_of(key),
            expected: expected.to_owned(),
            found: found.to_owned(),
        }
    }

    fn source_of(&self, key: &str) -> String {
        match self
            .figment
            .find_metadata(key)
            .map(|metadata| metadata.name.as_ref())
        {
            Some(ENVIRONMENT) => format!("from {}", variable_of(key)),
            Some(FLAGS) => format!("from --{}", key.replace('_', "-")),
            Some("defaults") | None => "default".to_owned(),
            Some(_) => match &self.file {
                Some(path) => format!("in {}", path.display()),
                None => "in the configuration file".to_owned(),
            },
        }
    }
}

/// The environment variable of a key.
fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.to_ascii_uppercase())
}

fn layer(name: &'static str, values: impl IntoIterator<Item = (&'static str, String)>) -> Layer {
    let values = values
        .into_iter()
        .map(|(key, value)| (key.to_owned(), Value::from(value)));
    Layer {
        name,
        values: values.collect(),
    }
}

fn read_file(path: &Path) -> Result<Figment, ConfigError> {
    let file = Figment::from(Toml::file_exact(path));
    let cause = |cause| ConfigError::File {
        path: path.to_owned(),
        cause: Box::new(cause),
    };
    let data = file.data().map_err(cause)?;
    for key in data.values().flat_map(Dict::keys) {
        if !KEYS.iter().any(|(known, _)| known == key) {
            let known: Vec<_> = KEYS.iter().map(|(key, _)| *key).collect();
            return Err(ConfigError::UnknownKey {
                key: key.clone(),
                path: path.to_owned(),
                known: known.join(", "),
            });
        }
    }
    Ok(file)
}

type Variables = Vec<(&'static str, String)>;

/// Our variables, and a warning for each that has our prefix and is none of ours: other tools share
/// the prefix, so that is no error. An empty variable counts as one that is not set.
fn read_environment(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<(Variables, Vec<String>), ConfigError> {
    let mut variables = Vec::new();
    let mut warnings = Vec::new();
    for (name, value) in environment {
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else {
            continue;
        };
        let Some((key, _)) = KEYS.iter().find(|(key, _)| variable_of(key) == name) else {
            warnings.push(format!(
                "the environment variable {name} is none of this program's"
            ));
            continue;
        };
        let value = value
            .into_string()
            .map_err(|_| ConfigError::NotUtf8(name.to_owned()))?;
        if !value.is_empty() {
            variables.push((*key, value));
        }
    }
    warnings.sort();
    Ok((variables, warnings))
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(_, text) => Some(text.trim().to_owned()),
        Value::Bool(_, switch) => Some(if *switch { "on" } else { "off" }.to_owned()),
        Value::Num(_, number) => number
            .to_i128()
            .map(|number| number.to_string())
            .or_else(|| number.to_f64().map(|number| number.to_string())),
        _ => None,
    }
}
