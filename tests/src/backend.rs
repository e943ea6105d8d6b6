//! Which database a test runs on, and the macro that runs it on both.

use crate::server::TestServer;

/// The two databases that the server keeps games in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The embedded one.
    Sqlite,
    /// A database of its own on the server that `REVEILLE_TEST_POSTGRES` names.
    Postgres,
}

impl Backend {
    /// Both, in the order in which tests compare them.
    pub const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];
}

/// A function that checks something on one database: it takes a running server, or the database
/// alone when it starts servers itself. `Argument` tells the two apart.
pub trait Check<Argument> {
    /// Runs the check on `backend`.
    fn run_on(&self, backend: Backend);
}

impl<F: Fn(&TestServer)> Check<&'static TestServer> for F {
    fn run_on(&self, backend: Backend) {
        self(&TestServer::start(backend));
    }
}

impl<F: Fn(Backend)> Check<Backend> for F {
    fn run_on(&self, backend: Backend) {
        self(backend);
    }
}

/// Makes two tests of each function that is listed, `name::sqlite` and `name::postgres`.
///
/// The function's only argument is `&TestServer` (a fresh one) or `Backend`.
#[macro_export]
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => { $(
        mod $name {
            #[test]
            fn sqlite() {
                $crate::backend::Check::run_on(&super::$name, $crate::Backend::Sqlite);
            }

            #[test]
            fn postgres() {
                $crate::backend::Check::run_on(&super::$name, $crate::Backend::Postgres);
            }
        }
    )+ };
}
