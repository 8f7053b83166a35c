//! Sandbox jobs: work, scratch directory, readable files, network access, limits.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One piece of work for one child.
#[derive(Debug)]
pub struct Job<'a> {
    /// What the child does.
    pub work: Work,
    /// The only directory that the child may write to; also its working directory, `HOME` and `TMPDIR`.
    pub scratch: &'a Path,
    /// Files and directories that the child may read, in addition to system directories and the launcher's directory.
    pub readable: &'a [PathBuf],
    /// The child's network access.
    pub network: Network,
    /// The child's resource limits.
    pub limits: Limits,
}

/// Network access of a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// No network: only local socket pairs can be created.
    #[default]
    None,
    /// A proxy on loopback at this port, over TCP (IPv4). Datagram sockets, listening, local servers and IPv6 are denied.
    /// With Landlock ABI 4 or later, all other ports are denied. On older kernels the program must be configured to use the
    /// proxy, because a seccomp filter cannot see the destination address of `connect`.
    Proxy(u16),
}

/// The work of a confined child.
#[derive(Clone, Serialize, Deserialize)]
pub enum Work {
    /// Executes another program.
    Program {
        /// Absolute path of the program.
        executable: PathBuf,
        /// The arguments, without the program name.
        args: Vec<String>,
        /// Environment variables in addition to `PATH`, `HOME`, `TMPDIR` and `LANG`, which they may override.
        env: Vec<(String, String)>,
    },
    /// Returns an entry to the `main` of the launcher's executable, which serves it in the same process.
    Entry {
        /// The name of the entry.
        name: String,
        /// The request. Not printed by `Debug`, because it may contain passwords.
        request: serde_json::Value,
    },
}

impl fmt::Debug for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program { executable, .. } => formatter
                .debug_struct("Program")
                .field("executable", executable)
                .field("args", &"***")
                .field("env", &"***")
                .finish(),
            Self::Entry { name, .. } => formatter
                .debug_struct("Entry")
                .field("name", name)
                .field("request", &"***")
                .finish(),
        }
    }
}

/// Resource limits of a child and its descendants. `u64::MAX` disables a limit on bytes, files or processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time of the whole run. Default 60 s.
    pub wall: Duration,
    /// CPU time; enforced per process by the kernel (RLIMIT_CPU, rounded up to seconds) and per group by the parent. Default
    /// 60 s.
    pub cpu: Duration,
    /// Address space of each process in bytes (RLIMIT_AS). Default 4 GiB.
    pub address_space: u64,
    /// Resident memory of the group in bytes; shared pages count once per process. Default 1 GiB.
    pub resident: u64,
    /// Size of each written file in bytes (RLIMIT_FSIZE). Default 512 MiB.
    pub file_size: u64,
    /// Disk usage of the scratch directory in bytes, including the caller's files; each entry counts at least 4 KiB. Sampled
    /// every 100 ms, so it can be exceeded briefly. Default 1 GiB.
    pub scratch: u64,
    /// Open files per process (RLIMIT_NOFILE). Default 256.
    pub open_files: u64,
    /// Live processes in the group. With 1, seccomp denies starting processes; with more, and without seccomp, the parent
    /// samples their number every 20 ms. Default 16.
    pub processes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self {
            wall: Duration::from_secs(60),
            cpu: Duration::from_secs(60),
            address_space: 4096 * MIB,
            resident: 1024 * MIB,
            file_size: 512 * MIB,
            scratch: 1024 * MIB,
            open_files: 256,
            processes: 16,
        }
    }
}
