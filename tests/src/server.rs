//! The real program, started for one test.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::backend::Backend;
use crate::client::Client;
use crate::database::Database;
use crate::metrics::{self, Figures};

const START: Duration = Duration::from_secs(30);
const STOP: Duration = Duration::from_secs(30);

/// A server on a port of its own, with a throw-away data folder and database.
#[derive(Debug)]
pub struct TestServer {
    // Before the database and the folder, so that the process ends first.
    process: Option<Process>,
    database: Database,
    environment: Vec<(String, String)>,
    folder: TempDir,
    backend: Backend,
    /// How large a file of the process may become, in bytes.
    file_limit: Option<u64>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    /// Lines of stdout; it disconnects when the program has ended. In a mutex so that tests may share
    /// the server between threads.
    stdout: Mutex<Receiver<String>>,
    url: String,
}

impl TestServer {
    /// Starts one with the settings of tests: no rate limits, no metrics, moves of a second.
    pub fn start(backend: Backend) -> Self {
        Self::start_with(backend, &[])
    }

    /// Starts one with more environment variables.
    pub fn start_with(backend: Backend, environment: &[(&str, &str)]) -> Self {
        let mut server = Self::prepare(backend, environment);
        server.restart();
        server
    }

    /// Everything but the process: see [`Self::restart`] and [`Self::command`].
    pub fn prepare(backend: Backend, environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("reveille-test-")
            .tempdir()
            .unwrap();
        let data = folder.path().join("data");
        let database = Database::create(backend, &data);
        let mut settings = vec![
            ("REVEILLE_LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("REVEILLE_METRICS_LISTEN".to_owned(), "off".to_owned()),
            ("REVEILLE_RATE_LIMITS".to_owned(), "off".to_owned()),
            ("REVEILLE_MIN_TIME_PER_MOVE".to_owned(), "PT1S".to_owned()),
            ("REVEILLE_DATA_DIR".to_owned(), data.display().to_string()),
            (
                "REVEILLE_DATABASE_URL".to_owned(),
                database.url().to_owned(),
            ),
        ];
        for (name, value) in environment {
            settings.retain(|(other, _)| other != name);
            settings.push(((*name).to_owned(), (*value).to_owned()));
        }
        Self {
            process: None,
            database,
            environment: settings,
            folder,
            backend,
            file_limit: None,
        }
    }

    /// From the next start on no file may become larger than so many bytes.
    pub fn limit_files(&mut self, bytes: Option<u64>) {
        self.file_limit = bytes;
    }

    /// Starts another node on the same database and data folder, so with the same keys. It is to end
    /// before this one, which owns both.
    #[must_use]
    pub fn another_node(&self) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("reveille-test-")
            .tempdir()
            .unwrap();
        let mut node = Self {
            process: None,
            database: self.database.shared(),
            environment: self.environment.clone(),
            folder,
            backend: self.backend,
            file_limit: None,
        };
        node.restart();
        node
    }

    /// Starts the program again on the same data, after [`Self::stop`] or [`Self::kill`].
    pub fn restart(&mut self) {
        assert!(self.process.is_none(), "it runs already");
        let stderr = File::options()
            .create(true)
            .append(true)
            .open(self.stderr_file())
            .unwrap();
        let mut child = self
            .command(&["serve"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", binary().display()));
        let stdout = lines_of(&mut child);
        let end = Instant::now() + START;
        loop {
            match stdout.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    if let Some((_, url)) = line.split_once("listening on ") {
                        let url = url.trim().to_owned();
                        self.process = Some(Process {
                            child,
                            stdout: Mutex::new(stdout),
                            url,
                        });
                        return;
                    }
                }
                Err(error) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    panic!(
                        "the server did not say where it listens ({error}): {}",
                        self.stderr()
                    );
                }
            }
        }
    }

    /// A command of the program with this server's environment, not yet run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match self.file_limit {
            None => Command::new(binary()),
            Some(bytes) => limited(bytes),
        };
        command.args(arguments).current_dir(self.folder.path());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("REVEILLE_") {
                command.env_remove(name);
            }
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// `http://ADDRESS`.
    pub fn url(&self) -> &str {
        &self.process.as_ref().expect("the server runs").url
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.process.as_ref().expect("the server runs").child.id()
    }

    /// `HOST:PORT`.
    pub fn address(&self) -> &str {
        self.url()
            .trim_start_matches("http://")
            .trim_end_matches('/')
    }

    /// An anonymous caller.
    pub fn client(&self) -> Client {
        Client::new(self.url())
    }

    /// A new account whose name begins with `prefix`.
    pub fn register(&self, prefix: &str) -> Client {
        Client::register(self.url(), prefix)
    }

    /// Its database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// On which database it runs.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The folder of the embedded database and the keys.
    pub fn data_folder(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// What the program has written to stderr so far.
    pub fn stderr(&self) -> String {
        fs::read_to_string(self.stderr_file()).unwrap_or_default()
    }

    /// Its figures, if it was started with `REVEILLE_METRICS_LISTEN`.
    pub fn figures(&self) -> Option<Figures> {
        let stderr = self.stderr();
        let (_, rest) = stderr.rsplit_once("metrics at ")?;
        let (url, _) = rest.split_once("/metrics")?;
        Some(metrics::scrape(url))
    }

    /// One of its figures, which must be on.
    pub fn figure(&self, name: &str) -> f64 {
        let figures = self.figures().expect("figures are on");
        *figures.get(name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// Asks it to end (SIGTERM) and waits until it has.
    pub fn stop(&mut self) -> ExitStatus {
        let mut process = self.process.take().expect("the server runs");
        signal(&process.child, "TERM");
        let end = Instant::now() + STOP;
        loop {
            let lines = process.stdout.get_mut().unwrap();
            match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return process.child.wait().unwrap(),
                Err(RecvTimeoutError::Timeout) => {
                    let _ = process.child.kill();
                    let _ = process.child.wait();
                    panic!("the server did not end within {STOP:?}: {}", self.stderr());
                }
            }
        }
    }

    /// Ends it at once, as a power cut would.
    pub fn kill(&mut self) {
        let mut process = self.process.take().expect("the server runs");
        process.child.kill().unwrap();
        process.child.wait().unwrap();
    }

    fn stderr_file(&self) -> PathBuf {
        self.folder.path().join("stderr.log")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
        if thread::panicking() {
            let stderr = self.stderr();
            let lines: Vec<&str> = stderr.lines().collect();
            let last = lines.len().saturating_sub(30);
            eprintln!(
                "--- the server's last lines on stderr\n{}",
                lines[last..].join("\n")
            );
        }
    }
}

/// The program under a limit on the size of its files. The shell counts in blocks of 512 bytes; the
/// signal that comes with the limit is ignored, as the error of the write tells the same.
fn limited(bytes: u64) -> Command {
    let mut command = Command::new("sh");
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"",
        bytes / 512
    );
    command.args(["-c", &script]).arg(binary());
    command
}

/// The program under test: `REVEILLE_BIN`, else the one built beside the tests.
pub fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("REVEILLE_BIN") {
        return PathBuf::from(named);
    }
    let test = std::env::current_exe().unwrap();
    // A test stands in target/PROFILE/deps, a program in target/PROFILE.
    let folder = test.parent().expect("target/PROFILE or its deps");
    let profile = if folder.ends_with("deps") {
        folder.parent().expect("target/PROFILE")
    } else {
        folder
    };
    let binary = profile.join("reveille");
    assert!(
        binary.exists(),
        "{} is missing: cargo build --workspace",
        binary.display()
    );
    binary
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let stdout = child.stdout.take().expect("stdout is piped");
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The shell's own `kill`: the program of that name is not on every system.
fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -{name} {}", child.id())])
        .status();
    assert!(sent.unwrap().success(), "SIG{name} could not be sent");
}
