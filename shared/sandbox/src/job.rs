//! What to run in a sandbox, where, and within which limits.

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
    /// Files and directories that the child may read beside the system's and the launcher's own directory.
    pub readable: &'a [PathBuf],
    /// What it may reach over a network.
    pub network: Network,
    /// What it may use.
    pub limits: Limits,
}

/// What a child may reach over a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// Nothing: no socket but local pairs can be made.
    #[default]
    Nothing,
    /// A proxy on the loopback address at this port, over TCP (IPv4). Datagrams, listening, local servers and IPv6 stay
    /// refused. Landlock refuses every other port where the kernel has version 4 of it; elsewhere the program has to be
    /// told to use the proxy, since no filter of system calls sees where a connection leads.
    Proxy(u16),
}

/// What a child does once it is confined.
#[derive(Clone, Serialize, Deserialize)]
pub enum Work {
    /// Executes another program.
    Program {
        /// Absolute path of the program.
        executable: PathBuf,
        /// Its arguments, without the name of the program.
        args: Vec<String>,
        /// Variables beside `PATH`, `HOME`, `TMPDIR` and `LANG`; these win over those.
        env: Vec<(String, String)>,
    },
    /// Returns to `main` of the launcher's executable, which serves the entry in the same process.
    Entry {
        /// Which entry.
        name: String,
        /// What it is asked; never shown, for it may hold passwords.
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

/// What a child and its descendants may use. `u64::MAX` lifts a limit that counts bytes, files or processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time by the clock, for the whole run. Default 60 s.
    pub wall: Duration,
    /// Processor time: of each process by the kernel (whole seconds, rounded up), of the group by the parent. Default 60 s.
    pub cpu: Duration,
    /// Bytes of address space of each process. Default 4 GiB.
    pub address_space: u64,
    /// Bytes of resident memory of the group; pages that processes share count once for each. Default 1 GiB.
    pub resident: u64,
    /// Bytes of each file that is written. Default 512 MiB.
    pub file_size: u64,
    /// Bytes that the scratch directory takes, what the caller put there included; an entry counts at least 4 KiB.
    /// Sampled every 100 ms, so a fast disk overshoots. Default 1 GiB.
    pub scratch: u64,
    /// Files that each process may have open. Default 256.
    pub open_files: u64,
    /// Processes alive at once in the group; with 1 the kernel lets none be started, with more the parent samples them
    /// (every 20 ms). Default 16.
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
