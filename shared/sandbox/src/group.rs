//! Process groups: members, resource usage, killing.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use crate::error::SandboxError;
use crate::statistics::Statistics;
use crate::unchecked;

/// Maximum time until killed processes have ended. They must be scheduled once or finish a disk operation.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// A sample of a group's resource usage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) processes: u64,
    pub(crate) threads: u64,
    pub(crate) cpu: Duration,
    pub(crate) resident: u64,
}

/// A group whose leader is not reaped or was reaped just now, so that its id has not been reused.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    leader: Pid,
}

impl Group {
    /// The group of this leader.
    pub(crate) fn led_by(leader: Pid) -> Self {
        Self { leader }
    }

    /// Usage of the leader only, which reads a single file of `/proc`.
    pub(crate) fn leader_usage(self) -> Usage {
        Statistics::of(self.leader)
            .into_iter()
            .fold(Usage::default(), Usage::add)
    }

    /// Usage of all members.
    pub(crate) fn usage(self) -> Usage {
        self.statistics().fold(Usage::default(), Usage::add)
    }

    /// Bytes of deleted files that members keep open, which a directory walk does not find.
    pub(crate) fn deleted_bytes(self) -> u64 {
        deleted_bytes(self.members())
    }

    /// Bytes of deleted files that the leader keeps open.
    pub(crate) fn leader_deleted_bytes(self) -> u64 {
        deleted_bytes(std::iter::once(self.leader))
    }

    /// Kills every member.
    pub(crate) fn kill(self) -> Result<(), SandboxError> {
        match kill_process_group(self.leader, Signal::KILL) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(errno) => Err(SandboxError::LimitMonitor(errno.into())),
        }
    }

    /// Whether the group has no members, not even zombies. Call it right after reaping the leader: the kernel reuses the id
    /// only after all other process ids.
    pub(crate) fn is_gone(self) -> bool {
        test_kill_process_group(self.leader) == Err(Errno::SRCH)
    }

    /// Kills every member and waits until all have ended, so that nothing writes to the scratch directory afterwards.
    pub(crate) fn end(self) -> Result<(), SandboxError> {
        let deadline = Instant::now() + KILL_TIMEOUT;
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

    /// The members. Calling getpgid for each process is much cheaper than reading its `/proc/<pid>/stat`.
    pub(crate) fn members(self) -> impl Iterator<Item = Pid> {
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
    fn add(self, member: Statistics) -> Self {
        Self {
            processes: self.processes + u64::from(member.alive),
            threads: self.threads + member.threads,
            cpu: self.cpu + member.cpu,
            resident: self.resident.saturating_add(member.resident),
        }
    }
}
