//! The processes of PostgreSQL, when the server keeps its games there.

use std::fs;
use std::time::Duration;

use super::options::Options;
use super::process;

/// PostgreSQL's first process: as given, or the one whose command line names the socket folder or the port
/// of the URL, or the only one there is.
pub(super) fn find(options: &Options) -> Option<u32> {
    let url = options.database_url.as_ref()?;
    if !url.starts_with("postgres") {
        return None;
    }
    if options.postgres_pid.is_some() {
        return options.postgres_pid;
    }
    let all = process::all();
    let is_postgres = |pid: u32| {
        all.iter()
            .any(|(other, stat)| *other == pid && stat.name == "postgres")
    };
    let first: Vec<u32> = all
        .iter()
        .filter(|(_, stat)| stat.name == "postgres" && !is_postgres(stat.parent))
        .map(|(pid, _)| *pid)
        .collect();
    let host = host(url);
    let named = first.iter().find(|pid| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        host.len() > 1 && String::from_utf8_lossy(&line).contains(&host)
    });
    match (named, &first[..]) {
        (Some(pid), _) | (None, [pid]) => Some(*pid),
        _ => None,
    }
}

/// What stands between the user and the database, decoded.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let server = rest.split(['/', '?']).next().unwrap_or_default();
    let server = server.rsplit('@').next().unwrap_or_default();
    server.replace("%2F", "/").replace("%2f", "/")
}

/// The processor time of the first process and all its children, ended ones too.
pub(super) fn processor_time(first: u32) -> Duration {
    let all = process::all();
    let of_family = all
        .iter()
        .filter(|(pid, stat)| *pid == first || stat.parent == first);
    of_family
        .map(|(pid, stat)| {
            let ended = if *pid == first {
                stat.of_ended_children
            } else {
                Duration::ZERO
            };
            stat.own + ended
        })
        .sum()
}
