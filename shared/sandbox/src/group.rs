//! A process group: who is in it, what it uses, and its end.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use crate::error::SandboxError;
use crate::statistics::Statistics;
use crate::unchecked;

/// How long killed processes may take to go. They only need to be scheduled once, or to leave a disk operation.
const GRACE: Duration = Duration::from_secs(5);

/// What a group uses at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) processes: u64,
    pub(crate) threads: u64,
    pub(crate) cpu: Duration,
    pub(crate) resident: u64,
}

/// A group whose leader has not been reaped, or only just, so that its id cannot mean another group.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    leader: Pid,
}

impl Group {
    /// The group that a process leads.
    pub(crate) fn led_by(leader: Pid) -> Self {
        Self { leader }
    }

    /// What the leader alone uses: one small read.
    pub(crate) fn leader_usage(self) -> Usage {
        Statistics::of(self.leader)
            .into_iter()
            .fold(Usage::default(), Usage::plus)
    }

    /// What all members use.
    pub(crate) fn usage(self) -> Usage {
        self.statistics().fold(Usage::default(), Usage::plus)
    }

    /// Bytes of files that members keep open after deleting them, which no walk over a directory sees.
    pub(crate) fn deleted_bytes(self) -> u64 {
        deleted_bytes(self.members())
    }

    /// The same of the leader alone.
    pub(crate) fn leader_deleted_bytes(self) -> u64 {
        deleted_bytes(std::iter::once(self.leader))
    }

    /// Kills every member.
    pub(crate) fn kill(self) -> Result<(), SandboxError> {
        match kill_process_group(self.leader, Signal::KILL) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(errno) => Err(SandboxError::Watch(errno.into())),
        }
    }

    /// Whether there is no member any more, not even an unreaped one. To be asked right after the leader was reaped: its id
    /// names another group only after every other id was given away.
    pub(crate) fn is_gone(self) -> bool {
        test_kill_process_group(self.leader) == Err(Errno::SRCH)
    }

    /// Kills every member and waits until none runs any more, so that nothing writes to the scratch directory again.
    pub(crate) fn end(self) -> Result<(), SandboxError> {
        let deadline = Instant::now() + GRACE;
        loop {
            self.kill()?;
            if !self.statistics().any(|member| member.alive) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                return Err(SandboxError::Survivors);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn statistics(self) -> impl Iterator<Item = Statistics> {
        let group = self.leader.as_raw_nonzero().get();
        self.members()
            .filter_map(Statistics::of)
            .filter(move |member| member.group == group)
    }

    /// Asking for the group of each process is far cheaper than reading about each.
    fn members(self) -> impl Iterator<Item = Pid> {
        let group = self.leader.as_raw_nonzero().get();
        std::fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter(move |pid| unchecked::group_of(*pid) == Some(group))
            .filter_map(Pid::from_raw)
    }
}

fn deleted_bytes(processes: impl Iterator<Item = Pid>) -> u64 {
    let mut seen = HashSet::new();
    processes
        .filter_map(|pid| std::fs::read_dir(format!("/proc/{}/fd", pid.as_raw_nonzero())).ok())
        .flatten()
        .filter_map(|entry| std::fs::metadata(entry.ok()?.path()).ok())
        .filter(|file| file.is_file() && file.nlink() == 0)
        .filter(|file| seen.insert((file.dev(), file.ino())))
        .map(|file| file.blocks() * 512)
        .sum()
}

impl Usage {
    fn plus(self, member: Statistics) -> Self {
        Self {
            processes: self.processes + u64::from(member.alive),
            threads: self.threads + member.threads,
            cpu: self.cpu + member.cpu,
            resident: self.resident.saturating_add(member.resident),
        }
    }
}
