//! What the system says of a process.

use std::fs;
use std::time::Duration;

/// The clock in which `/proc` counts processor time: a hundred ticks a second on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// Memory in KiB.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) resident: u64,
    pub(super) peak: u64,
}

/// One line of `/proc/PID/stat`.
#[derive(Debug, Clone)]
pub(super) struct Stat {
    pub(super) name: String,
    pub(super) parent: u32,
    /// Of all its threads, in user and system mode.
    pub(super) own: Duration,
    /// Of its children that have ended.
    pub(super) of_ended_children: Duration,
}

impl Stat {
    /// `None` when there is no such process any more.
    pub(super) fn of(pid: &str) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (front, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ticks = |index: usize| fields.get(index)?.parse::<u32>().ok();
        Some(Self {
            name: front.split_once('(')?.1.to_owned(),
            parent: fields.get(1)?.parse().ok()?,
            own: TICK * (ticks(11)? + ticks(12)?),
            of_ended_children: TICK * (ticks(13)? + ticks(14)?),
        })
    }
}

/// The processor time of a process, in user and system mode.
pub(super) fn processor_time(pid: u32) -> Duration {
    Stat::of(&pid.to_string()).map_or(Duration::ZERO, |stat| stat.own)
}

/// The processor time of this process.
pub(super) fn own_processor_time() -> Duration {
    Stat::of("self").map_or(Duration::ZERO, |stat| stat.own)
}

/// The memory of a process.
pub(super) fn memory(pid: u32) -> Memory {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
        number.unwrap_or_default()
    };
    Memory {
        resident: field("VmRSS:"),
        peak: field("VmHWM:"),
    }
}

/// Every process there is.
pub(super) fn all() -> Vec<(u32, Stat)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid: u32| Some((pid, Stat::of(&pid.to_string())?)))
        .collect()
}
