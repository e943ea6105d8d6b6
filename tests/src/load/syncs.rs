//! How often the server made sure that its disk has what it wrote.

use std::process::{Child, Command, Stdio};

use tempfile::NamedTempFile;

use crate::metrics::Figures;

/// A count that goes on.
pub(super) enum Count {
    /// strace counts the calls.
    Traced(Child, NamedTempFile),
    /// The server counts by itself.
    Figures(f64),
    /// Nobody counts.
    Unknown,
}

impl Count {
    /// Traces the process when there is one to trace, else looks into the server's own figures.
    pub(super) fn begin(traced: Option<u32>, figures: Option<&Figures>) -> Self {
        if let Some(pid) = traced {
            match trace(pid) {
                Ok((child, report)) => return Self::Traced(child, report),
                Err(fault) => println!("syncs are not traced: strace: {fault}"),
            }
        }
        figures.and_then(of).map_or(Self::Unknown, Self::Figures)
    }

    /// The number of syncs since the beginning, and who counted them.
    pub(super) fn end(self, figures: Option<&Figures>) -> Option<(u64, &'static str)> {
        match self {
            Self::Traced(mut child, report) => {
                // It writes its report when it is interrupted.
                let interrupt = format!("kill -INT {}", child.id());
                Command::new("sh").args(["-c", &interrupt]).status().ok()?;
                child.wait().ok()?;
                let report = std::fs::read_to_string(report.path()).ok()?;
                Some((counted(&report), "strace"))
            }
            Self::Figures(before) => {
                let grown = figures.and_then(of)? - before;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a count that only grows"
                )]
                Some((grown as u64, "the server"))
            }
            Self::Unknown => None,
        }
    }
}

fn trace(pid: u32) -> std::io::Result<(Child, NamedTempFile)> {
    let report = NamedTempFile::new()?;
    let child = Command::new("strace")
        .args(["-f", "-c", "-e", "trace=fsync,fdatasync", "-o"])
        .arg(report.path())
        .args(["-p", &pid.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // It holds the process from then on.
    while !is_traced(pid) {
        std::thread::yield_now();
    }
    Ok((child, report))
}

fn is_traced(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    !status.contains("TracerPid:\t0\n")
}

/// The calls in a table of `strace -c`: seconds, share, microseconds a call, calls, perhaps errors, name.
fn counted(report: &str) -> u64 {
    let calls = report.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_sync = matches!(fields.last(), Some(&("fsync" | "fdatasync")));
        is_sync
            .then(|| fields.get(3)?.parse::<u64>().ok())
            .flatten()
    });
    calls.sum()
}

/// The sum of the server's counters of syncs, if it has any.
fn of(figures: &Figures) -> Option<f64> {
    let syncs = figures.iter().filter(|(name, _)| {
        name.contains("sync") && !name.contains("_bucket") && !name.contains("_sum")
    });
    let counts: Vec<f64> = syncs.map(|(_, count)| *count).collect();
    (!counts.is_empty()).then(|| counts.iter().sum())
}
