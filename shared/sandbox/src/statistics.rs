//! Parses `/proc/<pid>/stat` (proc_pid_stat(5)).

use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::Pid;

/// A sample of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statistics {
    /// Whether it is neither a zombie nor dead.
    pub(crate) alive: bool,
    /// Process id of the parent.
    pub(crate) parent: i32,
    /// Process group id.
    pub(crate) group: i32,
    /// CPU time of the process and of the children it has reaped.
    pub(crate) cpu: Duration,
    /// Resident memory in bytes.
    pub(crate) resident: u64,
    /// Number of threads.
    pub(crate) threads: u64,
    /// Start time in clock ticks since boot. Together with the process id it identifies a process uniquely.
    pub(crate) started: u64,
}

impl Statistics {
    /// Reads a sample; `None` if there is no such process.
    pub(crate) fn of(pid: Pid) -> Option<Self> {
        let path = format!("/proc/{}/stat", pid.as_raw_nonzero());
        // The process name may contain any bytes, so the text may not be UTF-8.
        let text = std::fs::read(path).ok()?;
        Self::parse(&String::from_utf8_lossy(&text))
    }

    fn parse(text: &str) -> Option<Self> {
        // Field 2 is the process name in parentheses, which may itself contain spaces and parentheses.
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        // Field numbers of the manual page; the state is field 3.
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let ticks = number(14)? + number(15)? + number(16)? + number(17)?;
        Some(Self {
            alive: !matches!(*fields.first()?, "Z" | "X" | "x"),
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            cpu: Duration::from_millis(ticks.saturating_mul(1000) / clock_ticks_per_second()),
            resident: number(24)?.saturating_mul(page_size() as u64),
            threads: number(20)?,
            started: number(22)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_shifts_no_field() {
        let text = "42 (a) Z 1 1 (b) S 1 40 40 0 -1 4194304 1 2 3 4 100 50 25 25 20 0 1 0 777 1000000 10 18446744073709551615 1";
        let expected = Statistics {
            alive: true,
            parent: 1,
            group: 40,
            cpu: Duration::from_millis(200 * 1000 / clock_ticks_per_second()),
            resident: 10 * page_size() as u64,
            threads: 1,
            started: 777,
        };
        assert_eq!(Statistics::parse(text), Some(expected));
    }

    #[test]
    fn this_process_is_alive() {
        let statistics = Statistics::of(rustix::process::getpid()).unwrap();
        assert!(statistics.alive);
        assert!(statistics.resident > 100_000);
        assert_eq!(Statistics::parse("1 (x) S"), None);
    }
}
