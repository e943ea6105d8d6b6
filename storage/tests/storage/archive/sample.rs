//! Rows of every table with the least and the greatest that may stand in them.

mod games;

use storage::archive::{Row, TABLES, Table, Value};

use self::games::{
    a_change, a_move, a_rating, clock_entries, conditional_moves, course, events, facts, games,
    offers, recorded_game, rollup, setups,
};

const MAX: Value = Value::Integer(i64::MAX);
const MIN: Value = Value::Integer(i64::MIN);
const ZERO: Value = Value::Integer(0);
const ARMY: &str = "6527M3538B36228B74462B245622795FB43S3B2B";

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// As many bytes as that, all alike.
fn bytes(byte: u8, length: usize) -> Value {
    Value::Bytes(vec![byte; length])
}

fn id(byte: u8) -> Value {
    bytes(byte, 16)
}

fn table(name: &str) -> &'static Table {
    TABLES.iter().find(|table| table.name == name).unwrap()
}

/// A row of which these columns are set and all others NULL.
fn row(name: &str, set: &[(&str, Value)]) -> Row {
    let columns = table(name).columns;
    let mut row = vec![Value::Null; columns.len()];
    for (name, value) in set {
        let place = columns.iter().position(|column| column.name == *name);
        row[place.unwrap()] = value.clone();
    }
    row
}

/// The rows of each table, sorted by its key.
pub(super) fn rows() -> Vec<Vec<Row>> {
    TABLES.iter().map(|table| of(table.name)).collect()
}

#[expect(clippy::too_many_lines, reason = "one arm for each table")]
fn of(table: &str) -> Vec<Row> {
    match table {
        "players" => players(),
        "refresh_families" => refresh_families(),
        "personal_tokens" => personal_tokens(),
        "player_blocks" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("blocked_id", id(2)),
                ("created_at", MIN),
            ],
        )],
        "audit_log" => audit_log(),
        "saved_setups" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("id", id(0)),
                ("name", text("\"\\\u{8}\n\u{7f}\u{2028}</script>")),
                ("ruleset", text("original")),
                ("setup", text(ARMY)),
                ("created_at", ZERO),
                ("updated_at", MAX),
            ],
        )],
        "games" => games(),
        "ratings" => vec![a_rating(1, 1), a_rating(i64::MAX, i64::MAX)],
        "rating_history" => vec![a_change(1, 2), a_change(i64::MAX, 3)],
        "setups" => setups(),
        "moves" => (0..3).map(a_move).collect(),
        "recorded_games" => vec![recorded_game()],
        "pseudonym_key" => vec![row(
            table,
            &[("id", Value::Integer(1)), ("secret", bytes(9, 32))],
        )],
        "imports" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("id", id(0)),
                ("status", text("done")),
                ("imported", ZERO),
                ("duplicates", MAX),
                ("rejected", MAX),
                ("report", text("[]")),
                ("created_at", MIN),
                ("finished_at", MAX),
                ("seen_at", MIN),
            ],
        )],
        "game_facts" => vec![facts()],
        "game_courses" => vec![course()],
        "facts_to_fold" => vec![row(table, &[("game_id", id(3))])],
        "rollups" => vec![rollup()],
        "conditional_moves" => conditional_moves(),
        "offers" => offers(),
        "events" => events(),
        "clock_entries" => clock_entries(),
        "vacations" => vacations(),
        "heartbeat" => vec![row(
            table,
            &[
                ("id", Value::Integer(1)),
                ("beat_at", MAX),
                ("outage_from", Value::Integer(1)),
                ("outage_until", MAX),
            ],
        )],
        "player_games" => vec![row(
            table,
            &[("player_id", id(1)), ("game_id", id(2)), ("told", MAX)],
        )],
        "player_outbox" | "player_events" => vec![player_event(table, 0), player_event(table, 1)],
        "player_feeds" => vec![row(table, &[("player_id", id(1)), ("announced", MAX)])],
        "event_tickets" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("hash", bytes(0, 32)),
                ("expires_at", MIN),
                ("stream_until", MAX),
                ("credential_id", id(3)),
            ],
        )],
        "subscriptions" => subscriptions(),
        "challenges" => challenges(),
        "notes" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("game_id", id(2)),
                ("text", text(&"𝔘\r\n".repeat(3_333))),
                ("updated_at", MAX),
            ],
        )],
        "idempotency_keys" => idempotency_keys(),
        "mail_state" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("version", MAX),
                ("unsubscribe_key", bytes(255, 32)),
                ("turns_told", MIN),
                ("turns_mailed_at", ZERO),
                ("digest_day", Value::Integer(-1)),
                ("digest_told", MAX),
            ],
        )],
        "mail_near" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("game_id", id(2)),
                ("ply", Value::Integer(-1)),
                ("told_at", MAX),
            ],
        )],
        "mail_outbox" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("kind", text("password_changed")),
                ("asked_at", MIN),
                ("due_at", MAX),
                ("attempts", MAX),
            ],
        )],
        "mail_tokens" => vec![row(
            table,
            &[
                ("player_id", id(1)),
                ("hash", bytes(0, 32)),
                ("kind", text("reset")),
                ("address", text("ü@x")),
                ("created_at", MIN),
                ("expires_at", MAX),
            ],
        )],
        "mail_reset_requests" => ["", "a@x", "é@x"]
            .map(|address| row(table, &[("address", text(address)), ("asked_at", ZERO)]))
            .to_vec(),
        unknown => panic!("the sample has no rows of {unknown}"),
    }
}

fn players() -> Vec<Row> {
    let long = "€".repeat(70_000);
    let names = ["plain", "Ωμέγα 𝔘𝔫𝔦 👩‍👩‍👧 e\u{301}", ""];
    let mut players = Vec::new();
    for (number, name) in (1..).zip(names) {
        let erased = name.is_empty();
        let or_null = |value| if erased { Value::Null } else { value };
        players.push(row(
            "players",
            &[
                ("id", id(number)),
                ("username", text(name)),
                ("username_key", text(name)),
                (
                    "password_hash",
                    or_null(text("$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA")),
                ),
                ("email", or_null(text(""))),
                ("verified_email", or_null(text(""))),
                ("preferences", text(if number == 2 { &long } else { "{}" })),
                (
                    "created_at",
                    [MIN, ZERO, MAX][usize::from(number) - 1].clone(),
                ),
                ("erased_at", if erased { ZERO } else { Value::Null }),
                ("is_admin", Value::Bool(number == 1)),
                ("suspended_at", if number == 2 { MAX } else { Value::Null }),
            ],
        ));
    }
    players
}

fn refresh_families() -> Vec<Row> {
    let family = |number, previous, ended, agent| {
        row(
            "refresh_families",
            &[
                ("player_id", id(1)),
                ("id", id(number)),
                ("current_hash", bytes(number, 32)),
                ("previous_hash", previous),
                ("created_at", Value::Integer(1)),
                ("rotated_at", Value::Integer(-1)),
                ("expires_at", MAX),
                ("ended_at", ended),
                ("user_agent", agent),
            ],
        )
    };
    vec![
        family(0, Value::Null, Value::Null, Value::Null),
        family(255, bytes(0, 32), ZERO, text(&"a".repeat(200))),
    ]
}

fn personal_tokens() -> Vec<Row> {
    let token = |number, name: &str, more: Value| {
        row(
            "personal_tokens",
            &[
                ("player_id", id(1)),
                ("id", id(number)),
                ("hash", bytes(number, 32)),
                ("name", text(name)),
                ("scopes", text("play read")),
                ("created_at", MIN),
                ("expires_at", more.clone()),
                ("last_used_at", more.clone()),
                ("ended_at", more),
            ],
        )
    };
    vec![token(0, "", Value::Null), token(255, &"€".repeat(100), MAX)]
}

fn audit_log() -> Vec<Row> {
    let entry = |number, action: &str, more: &[(&str, Value)]| {
        let set = [
            ("id", id(number)),
            ("action", text(action)),
            ("happened_at", MAX),
        ];
        row("audit_log", &[&set, more].concat())
    };
    let reason = text(&"é".repeat(500));
    vec![
        entry(0, "grant_admin", &[("player_id", id(1))]),
        entry(
            255,
            "annul_game",
            &[("actor_id", id(1)), ("game_id", id(2)), ("reason", reason)],
        ),
    ]
}

fn subscriptions() -> Vec<Row> {
    let least = [
        ("player_id", id(1)),
        ("id", id(0)),
        ("channel", text("webhook")),
        ("url", text("")),
        ("secret", bytes(0, 0)),
        ("kinds", text("")),
        ("created_at", MIN),
        ("told", ZERO),
        ("attempts", ZERO),
    ];
    let most = [
        ("id", id(255)),
        ("channel", text("push")),
        ("url", text("https://example.org/€?a=\"&b='")),
        ("secret", bytes(255, 300)),
        ("public_key", bytes(4, 65)),
        ("kinds", text("game.move,game.offer")),
        ("told", MAX),
        ("attempts", Value::Integer(i64::from(i32::MAX))),
        ("failing_since", MIN),
        ("last_error", text("status_500")),
        ("delivered_at", ZERO),
        ("disabled_at", MAX),
        ("due_at", MAX),
        ("lease", id(7)),
    ];
    let mut greatest = row("subscriptions", &least);
    for (place, value) in row("subscriptions", &most).into_iter().enumerate() {
        if value != Value::Null {
            greatest[place] = value;
        }
    }
    vec![row("subscriptions", &least), greatest]
}

fn vacations() -> Vec<Row> {
    let vacation = |number, active, more: &[(&str, Value)]| {
        let set = [
            ("player_id", id(number)),
            ("held", MAX),
            ("held_at", MIN),
            ("active", Value::Bool(active)),
        ];
        row("vacations", &[&set[..], more].concat())
    };
    let away = [("from_at", ZERO), ("until_at", MAX), ("due_at", MIN)];
    vec![vacation(1, false, &[]), vacation(2, true, &away)]
}

fn player_event(table: &str, number: i64) -> Row {
    let set = [
        ("player_id", id(1)),
        ("source_id", id(2)),
        ("source_number", Value::Integer(i64::MAX - 1 + number)),
        (
            "source",
            text(if number == 0 { "challenge" } else { "game" }),
        ),
        ("happened_at", MIN),
    ];
    let own_number = [("number", Value::Integer(1 + number))];
    let more: &[_] = if table == "player_events" {
        &own_number
    } else {
        &[]
    };
    row(table, &[&set[..], more].concat())
}

fn challenges() -> Vec<Row> {
    let terms: Vec<(&str, Value)> = vec![
        ("creator_id", id(1)),
        ("ruleset", text("barrage")),
        ("aggressor_advantage", Value::Bool(false)),
        ("silent_defense", Value::Bool(true)),
        ("rescue", Value::Bool(false)),
        ("more_squares", Value::Bool(true)),
        ("two_squares", text("forfeit_turn")),
        ("two_squares_limit", Value::Integer(2)),
        ("time_kind", text("unlimited")),
        ("rated", Value::Bool(false)),
        ("private", Value::Bool(true)),
        ("vacation", Value::Bool(false)),
        ("weekends", Value::Bool(true)),
        ("created_at", ZERO),
        ("expires_at", MAX),
    ];
    let word = "no ".repeat(66);
    let kinds: [&[(&str, Value)]; 3] = [
        &[("id", id(1))],
        &[
            ("id", id(2)),
            ("opponent_id", id(2)),
            ("color", text("blue")),
            ("no_progress_plies", Value::Integer(50)),
            ("closing", text("accepted")),
            ("closed_at", ZERO),
            ("game_id", id(3)),
            ("rematch_of", id(2)),
        ],
        &[
            ("id", id(3)),
            ("opponent_id", id(2)),
            ("closing", text("declined")),
            ("closed_at", MAX),
            ("decline_reason", text(&word)),
        ],
    ];
    kinds
        .iter()
        .map(|kind| row("challenges", &[&terms[..], kind].concat()))
        .collect()
}

/// More than are read at once, under keys whose order differs between locales.
fn idempotency_keys() -> Vec<Row> {
    let mut rows = Vec::new();
    for caller in [vec![0], vec![0, 0], vec![255; 32]] {
        for path in ["/B", "/_", "/a", "/b", "/é", "/𝔘"] {
            for number in 0..70_u8 {
                let key = format!("{}{number}", char::from(b'0' + number));
                rows.push(row(
                    "idempotency_keys",
                    &[
                        ("caller", Value::Bytes(caller.clone())),
                        ("path", text(path)),
                        ("idempotency_key", text(&key)),
                        ("fingerprint", bytes(number, 32)),
                        ("resource_id", id(number)),
                        ("created_at", Value::Integer(number.into())),
                    ],
                ));
            }
        }
    }
    rows
}
