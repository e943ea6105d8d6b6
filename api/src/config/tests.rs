use std::ffi::OsString;
use std::io::Write;

use super::*;

fn load(file: &str, environment: &[(&str, &str)], flags: Flags) -> Result<Config, ConfigError> {
    let mut written = tempfile::NamedTempFile::new().unwrap();
    written.write_all(file.as_bytes()).unwrap();
    let environment = environment
        .iter()
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Config::from_sources(Some(written.path()), environment.collect::<Vec<_>>(), flags)
}

fn flag(key: &'static str, value: &str) -> Flags {
    Flags {
        config: None,
        values: vec![(key, value.to_owned())],
    }
}

#[test]
fn the_defaults_are_those_of_the_contract() {
    let config = Config::from_sources(None, Vec::new(), Flags::default()).unwrap();
    assert_eq!(config.listen, "127.0.0.1:8080".parse().unwrap());
    assert_eq!(
        config.database_url.expose_secret(),
        "sqlite://data/reveille.db"
    );
    assert_eq!(config.data_dir, Path::new("data"));
    assert!(config.signing_keys.is_empty());
    assert_eq!(config.min_time_per_move, Duration::from_mins(1));
    assert!(config.rate_limits.enabled);
    assert_eq!(
        config.metrics_listen,
        Some("127.0.0.1:9090".parse().unwrap())
    );
    assert_eq!(config.cors_origins, CorsOrigins::These(Vec::new()));
    assert!(config.trusted_proxies.is_empty());
    assert_eq!(
        config.graphql,
        GraphqlLimits {
            max_depth: 12,
            max_complexity: 2_000,
            max_complexity_analysis: 20_000,
            max_aliases: 30,
            max_root_fields: 15,
            max_query_bytes: 10_000,
            max_batch: 10,
            introspection: true,
            page: true,
        }
    );
    assert_eq!(config.log, "info");
    assert_eq!(config.shutdown_timeout, Duration::from_secs(10));
    assert!(config.warnings.is_empty());
}

#[test]
fn the_house_bot_is_off_or_has_a_level() {
    let config = Config::from_sources(None, Vec::new(), Flags::default()).unwrap();
    assert_eq!(config.house_bot, None);
    let config = load("house_bot = 3", &[], Flags::default()).unwrap();
    assert_eq!(config.house_bot, Some(Level::Strong));
    let refused = load("", &[("REVEILLE_HOUSE_BOT", "4")], Flags::default());
    let sentence = refused.unwrap_err().to_string();
    assert!(
        sentence.contains("off, or a level from 1 to 3"),
        "{sentence}"
    );
}

#[test]
fn later_layers_win() {
    let file = "listen = \"127.0.0.1:1\"\nrate_limits = false\nlog = \"debug\"";
    let config = load(file, &[], Flags::default()).unwrap();
    assert_eq!(config.listen.port(), 1);
    assert!(!config.rate_limits.enabled);

    let environment = [
        ("REVEILLE_LISTEN", "127.0.0.1:2"),
        ("REVEILLE_RATE_LIMITS", "on"),
    ];
    let config = load(file, &environment, Flags::default()).unwrap();
    assert_eq!(
        (config.listen.port(), config.rate_limits.enabled),
        (2, true)
    );
    assert_eq!(config.log, "debug");

    let config = load(file, &environment, flag("listen", "127.0.0.1:3")).unwrap();
    assert_eq!(config.listen.port(), 3);
}

#[test]
fn the_embedded_database_follows_the_data_folder() {
    let config = load("data_dir = \"/srv/r\"", &[], Flags::default()).unwrap();
    assert_eq!(
        config.database_url.expose_secret(),
        "sqlite:///srv/r/reveille.db"
    );
}

#[test]
fn lists_are_arrays_or_texts_between_commas() {
    for file in [
        "trusted_proxies = [\"10.0.0.0/8\", \"::1\"]\ncors_origins = [\"https://a.example\"]",
        "trusted_proxies = \"10.0.0.0/8, ::1\"\ncors_origins = \"https://A.example/\"",
    ] {
        let config = load(file, &[], Flags::default()).unwrap();
        let proxies: Vec<_> = config
            .trusted_proxies
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(proxies, ["10.0.0.0/8", "::1/128"]);
        assert_eq!(
            config.cors_origins,
            CorsOrigins::These(vec!["https://a.example".into()])
        );
    }
    let config = load("", &[("REVEILLE_CORS_ORIGINS", "*")], Flags::default()).unwrap();
    assert_eq!(config.cors_origins, CorsOrigins::Any);
}

#[test]
fn an_unknown_key_of_the_file_is_an_error_that_names_it() {
    let fault = load("listn = \"127.0.0.1:1\"", &[], Flags::default())
        .unwrap_err()
        .to_string();
    assert!(
        fault.contains("unknown key `listn`") && fault.contains("listen"),
        "{fault}"
    );
    let fault = load("[graphql]\nmax_depth = 3", &[], Flags::default())
        .unwrap_err()
        .to_string();
    assert!(fault.contains("unknown key `graphql`"), "{fault}");
}

#[test]
fn an_unknown_variable_is_a_warning_and_an_empty_one_is_not_set() {
    let environment = [
        ("REVEILLE_FIXTURES", "/x"),
        ("REVEILLE_LISTEN", ""),
        ("OTHER", "y"),
    ];
    let config = load("", &environment, Flags::default()).unwrap();
    assert_eq!(config.warnings.len(), 1);
    assert!(config.warnings[0].contains("REVEILLE_FIXTURES"));
    assert_eq!(config.listen.port(), 8080);
}

#[test]
fn each_bad_value_is_a_sentence_that_names_key_and_source() {
    for (variable, value, key) in [
        ("REVEILLE_LISTEN", "nowhere", "listen"),
        ("REVEILLE_DATABASE_URL", "mysql://x/y", "database_url"),
        ("REVEILLE_DATABASE_URL", "host=x dbname=y", "database_url"),
        ("REVEILLE_DATABASE_URL", "sqlite://", "database_url"),
        (
            "REVEILLE_DATABASE_READ_URL",
            "mysql://x/y",
            "database_read_url",
        ),
        (
            "REVEILLE_DATABASE_READ_URL",
            "postgres://db/r",
            "database_read_url",
        ),
        ("REVEILLE_DATABASE_POOL_SIZE", "0", "database_pool_size"),
        ("REVEILLE_MIN_TIME_PER_MOVE", "3 days", "min_time_per_move"),
        ("REVEILLE_MIN_TIME_PER_MOVE", "PT0S", "min_time_per_move"),
        ("REVEILLE_MIN_TIME_PER_MOVE", "P1M", "min_time_per_move"),
        ("REVEILLE_MIN_TIME_PER_MOVE", "P29D", "min_time_per_move"),
        ("REVEILLE_RATE_LIMITS", "maybe", "rate_limits"),
        ("REVEILLE_RATE_LIMIT_CALLER", "0/60", "rate_limit_caller"),
        ("REVEILLE_RATE_LIMIT_CALLER", "60", "rate_limit_caller"),
        ("REVEILLE_METRICS_LISTEN", "9090", "metrics_listen"),
        ("REVEILLE_CORS_ORIGINS", "example.org", "cors_origins"),
        (
            "REVEILLE_CORS_ORIGINS",
            "https://example.org/app",
            "cors_origins",
        ),
        ("REVEILLE_TRUSTED_PROXIES", "10.0.0.0/33", "trusted_proxies"),
        ("REVEILLE_WEBHOOK_NETWORKS", "private", "webhook_networks"),
        ("REVEILLE_VAPID_CONTACT", "me", "vapid_contact"),
        ("REVEILLE_GRAPHQL_MAX_DEPTH", "-1", "graphql_max_depth"),
        ("REVEILLE_LOG", "info,=,", "log"),
        ("REVEILLE_LOG", "nonsense", "log"),
        ("REVEILLE_LOG", "infos,api=debug", "log"),
        ("REVEILLE_SHUTDOWN_TIMEOUT", "3601", "shutdown_timeout"),
    ] {
        let fault = load("", &[(variable, value)], Flags::default())
            .map(|_| value)
            .unwrap_err();
        let sentence = fault.to_string();
        assert!(
            sentence.starts_with(key)
                && sentence.contains(variable)
                && sentence.contains("expected"),
            "{sentence}"
        );
    }
    let fault = load("listen = 80", &[], Flags::default())
        .unwrap_err()
        .to_string();
    assert!(
        fault.contains("in /") && fault.contains("\"80\""),
        "{fault}"
    );
    let fault = load("", &[], flag("listen", "x")).unwrap_err().to_string();
    assert!(fault.contains("from --listen"), "{fault}");
    assert!(load("listen = ", &[], Flags::default()).is_err());
}

#[test]
fn statistics_are_read_from_a_database_of_the_same_kind() {
    let main = ("REVEILLE_DATABASE_URL", "postgres://u@primary/r");
    let read = |url| {
        load(
            "",
            &[main, ("REVEILLE_DATABASE_READ_URL", url)],
            Flags::default(),
        )
    };
    let config = read("postgresql://u:hunter2@standby/r").unwrap();
    let url = config.database_read_url.as_ref().unwrap();
    assert_eq!(url.expose_secret(), "postgresql://u:hunter2@standby/r");
    assert!(!format!("{config:?}").contains("hunter2"));
    let fault = read("sqlite://r.db").unwrap_err().to_string();
    assert!(
        fault.contains("database_read_url") && fault.contains("database_url is one"),
        "{fault}"
    );
    assert!(
        load("", &[], Flags::default())
            .unwrap()
            .database_read_url
            .is_none()
    );
}

#[test]
fn no_message_and_no_debug_form_shows_a_password() {
    let url = "postgres://u:hunter2@db/r";
    let config = load("", &[("REVEILLE_DATABASE_URL", url)], Flags::default()).unwrap();
    assert!(!format!("{config:?}").contains("hunter2"));
    assert_eq!(
        config.warnings.len(),
        2,
        "one node's own keys would be refused by the others"
    );
    let wrong = [("REVEILLE_DATABASE_URL", "mysql://u:hunter2@db/r")];
    let fault = load("", &wrong, Flags::default()).unwrap_err().to_string();
    assert!(!fault.contains("hunter2"), "{fault}");
}

#[test]
fn mail_is_off_or_whole_and_its_password_is_not_shown() {
    let url = ("REVEILLE_SMTP_URL", "smtps://user:hush@mail.example.org");
    let from = ("REVEILLE_MAIL_FROM", "reveille@example.org");
    let public = ("REVEILLE_PUBLIC_URL", "https://reveille.example.org");
    let config = load("", &[from, public], Flags::default()).unwrap();
    assert!(config.mail.is_none());
    let config = load("", &[url, from, public], Flags::default()).unwrap();
    assert!(!format!("{config:?}").contains("hush"));
    assert_eq!(config.mail.unwrap().from, "reveille@example.org");
    let plain = ("REVEILLE_SMTP_URL", "smtp://user:hush@mail.example.org");
    for (environment, key) in [
        (vec![url], "mail_from"),
        (vec![url, from], "public_url"),
        (
            vec![url, public, ("REVEILLE_MAIL_FROM", "nobody")],
            "mail_from",
        ),
        (
            vec![url, from, ("REVEILLE_PUBLIC_URL", "reveille")],
            "public_url",
        ),
        (vec![plain, from, public], "smtp_url"),
    ] {
        let fault = load("", &environment, Flags::default())
            .unwrap_err()
            .to_string();
        assert!(fault.starts_with(key), "{fault}");
        assert!(!fault.contains("hush"), "{fault}");
    }
}
