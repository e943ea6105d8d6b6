//! The rows of a game, changed behind the server's back.
//!
//! A server that is to find a change here must keep no game in memory (`REVEILLE_GAME_CACHE=0`), so that
//! each request reads the log again.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::backend::Backend;
use crate::database::Database;
use crate::worlds::World;

/// A connection of its own to the database of a server.
pub struct Tables {
    connection: Box<dyn SimpleConnection>,
    backend: Backend,
    /// The tables that hold rows of a game, `games` itself left out.
    of_games: Vec<String>,
}

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = Text)]
    name: String,
}

const OF_GAMES_SQLITE: &str = "SELECT t.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c \
     WHERE t.type = 'table' AND c.name = 'game_id' ORDER BY t.name";
const OF_GAMES_POSTGRES: &str = "SELECT table_name::text AS name FROM information_schema.columns \
     WHERE table_schema = 'public' AND column_name = 'game_id' ORDER BY table_name";

impl Tables {
    /// Connects. Foreign keys are not looked after here: rows are put back as they were.
    pub fn open(backend: Backend, database: &Database) -> Self {
        let (connection, named): (Box<dyn SimpleConnection>, Vec<Named>) = match backend {
            Backend::Sqlite => {
                let file = database.url().trim_start_matches("sqlite://");
                let mut connection = SqliteConnection::establish(file).unwrap();
                let own = "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF";
                connection.batch_execute(own).unwrap();
                let named = diesel::sql_query(OF_GAMES_SQLITE).load(&mut connection);
                (Box::new(connection), named.unwrap())
            }
            Backend::Postgres => {
                let mut connection = PgConnection::establish(database.url()).unwrap();
                let own =
                    "SET session_replication_role = replica; SET client_min_messages = warning";
                connection.batch_execute(own).unwrap();
                let named = diesel::sql_query(OF_GAMES_POSTGRES).load(&mut connection);
                (Box::new(connection), named.unwrap())
            }
        };
        let of_games: Vec<String> = named.into_iter().map(|named| named.name).collect();
        for known in ["setups", "moves", "offers", "events", "conditional_moves"] {
            assert!(
                of_games.iter().any(|name| name == known),
                "no {known} in {of_games:?}"
            );
        }
        Self {
            connection,
            backend,
            of_games,
        }
    }

    /// Makes the stored game that of another world: nothing but what was decided in secret changes.
    pub fn enter(&mut self, game: &str, world: &World) {
        let game = self.bytes(game);
        let mut statements = Vec::new();
        for (color, setup) in [("red", world.setups.red), ("blue", world.setups.blue)] {
            statements.push(format!(
                "UPDATE setups SET setup = '{setup}' WHERE game_id = {game} AND color = '{color}';"
            ));
        }
        for (ply, rank) in &world.rescues {
            let rank = rank.to_char();
            statements.push(format!(
                "UPDATE moves SET rescue_rank = '{rank}' WHERE game_id = {game} AND ply = {ply};"
            ));
        }
        self.run(&statements.concat());
    }

    /// Puts lines that a side has prepared after `since` moves into a game, in the words of the table, or
    /// takes them away.
    pub fn prepare(&mut self, game: &str, color: &str, since: u32, lines: Option<&str>) {
        let game = self.bytes(game);
        self.run(&format!(
            "DELETE FROM conditional_moves WHERE game_id = {game} AND color = '{color}';
             UPDATE games SET lines_version = lines_version + 1 WHERE id = {game};"
        ));
        if let Some(lines) = lines {
            self.run(&format!(
                "INSERT INTO conditional_moves (game_id, color, since_ply, lines)
                 VALUES ({game}, '{color}', {since}, '{lines}');"
            ));
        }
    }

    /// Remembers every row of a game.
    pub fn keep(&mut self, game: &str) {
        let game = self.bytes(game);
        let mut statements = Vec::new();
        for (table, key) in self.tables() {
            statements.push(format!(
                "DROP TABLE IF EXISTS kept_{table};
                 CREATE TEMPORARY TABLE kept_{table} AS SELECT * FROM {table} WHERE {key} = {game};"
            ));
        }
        self.run(&statements.concat());
    }

    /// Makes every row of a game what it was when they were last [kept](Self::keep).
    pub fn rewind(&mut self, game: &str) {
        let game = self.bytes(game);
        let mut statements = Vec::new();
        for (table, key) in self.tables() {
            statements.push(format!(
                "DELETE FROM {table} WHERE {key} = {game};
                 INSERT INTO {table} SELECT * FROM kept_{table};"
            ));
        }
        self.run(&statements.concat());
    }

    fn tables(&self) -> Vec<(&str, &str)> {
        let of_games = self.of_games.iter().map(|name| (name.as_str(), "game_id"));
        // What its players are told of it stands under another name.
        let own = [("games", "id"), ("player_events", "source_id")];
        own.into_iter().chain(of_games).collect()
    }

    /// An identifier as the database writes its bytes.
    fn bytes(&self, id: &str) -> String {
        let hex = id.replace('-', "");
        match self.backend {
            Backend::Sqlite => format!("x'{hex}'"),
            Backend::Postgres => format!("'\\x{hex}'::bytea"),
        }
    }

    fn run(&mut self, statements: &str) {
        let whole = format!("BEGIN; {statements} COMMIT;");
        self.connection
            .batch_execute(&whole)
            .unwrap_or_else(|error| panic!("{whole}: {error}"));
    }
}
