//! A PostgreSQL of a test's own, for whoever stops and starts it.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::database::programs;

/// A server with one empty database, on a Unix socket in a folder of its own. What it acknowledged is on
/// disk: unlike the server that other tests share, it waits for its syncs.
#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    /// Whom it runs as: it refuses to be root.
    user: Option<String>,
}

impl Cluster {
    /// Makes one and starts it.
    pub fn start() -> Self {
        // Not under TMPDIR: the path of a Unix socket may have no more than 107 characters.
        let folder = tempfile::Builder::new()
            .prefix("reveille-cluster-")
            .tempdir_in("/tmp")
            .unwrap();
        let user = (said("id", &["-u"]) == "0").then(ordinary_user);
        if let Some(user) = &user {
            said("chown", &[user, &folder.path().display().to_string()]);
        }
        let cluster = Self { folder, user };
        let data = cluster.data();
        let own = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
        let mut arguments = vec!["-D", &data, "-U", "reveille"];
        arguments.extend(own);
        cluster.run("initdb", &arguments);
        cluster.resume();
        // The server under test is another user.
        said("chmod", &["0755", &cluster.path().display().to_string()]);
        cluster
    }

    /// What `REVEILLE_DATABASE_URL` is set to.
    pub fn url(&self) -> String {
        let socket = self.path().display().to_string().replace('/', "%2F");
        format!("postgres://reveille@{socket}/postgres")
    }

    /// Ends it as a crash would: no transaction is finished, no client is told anything else.
    pub fn crash(&self) {
        self.run(
            "pg_ctl",
            &["-D", &self.data(), "-m", "immediate", "-w", "stop"],
        );
    }

    /// Starts it again on the same data; it replays its log first.
    pub fn resume(&self) {
        let folder = self.path().display();
        let log = format!("{folder}/server.log");
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{folder}' \
             -c unix_socket_permissions=0777 -c fsync=on -c max_connections=100"
        );
        let data = self.data();
        self.run(
            "pg_ctl",
            &["-D", &data, "-l", &log, "-w", "-o", &options, "start"],
        );
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn data(&self) -> String {
        self.path().join("data").display().to_string()
    }

    /// Runs one of the programs of PostgreSQL. Its output goes to a file: a server that it starts keeps
    /// what it inherits, and would keep a pipe open.
    fn run(&self, program: &str, arguments: &[&str]) {
        let path = programs().unwrap_or_default().join(program);
        let mut command = match &self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(path);
                command
            }
            None => Command::new(path),
        };
        let said = tempfile::tempfile().unwrap();
        let done = command
            .args(arguments)
            .current_dir(self.path())
            .stdout(said.try_clone().unwrap())
            .stderr(said.try_clone().unwrap())
            .status()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(done.success(), "{program}: {}", read_again(said));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.path().join("data/postmaster.pid").exists() {
            self.crash();
        }
    }
}

fn read_again(mut file: std::fs::File) -> String {
    use std::io::{Read, Seek};
    let mut text = String::new();
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut text));
    text
}

/// A user of the system that lends its name.
fn ordinary_user() -> String {
    let known = Command::new("id").arg("postgres").output();
    let known = known.is_ok_and(|output| output.status.success());
    if known { "postgres" } else { "nobody" }.to_owned()
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {output:?}"
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
