//! How a child ended, and what that says about the document.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::child::{EXIT_OUT_OF_MEMORY, EXIT_SCRATCH_FULL};
use crate::job::{Limits, Work};

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// By itself. The code is no evidence of success: the caller checks what was written.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// By a signal that no limit explains.
    Crashed {
        /// The signal's number.
        signal: i32,
    },
    /// It reached the limit of wall clock or processor time.
    TimedOut,
    /// It reached a limit of memory, of processes or of threads (512 in the group).
    OutOfMemory,
    /// It reached a limit of file size or scratch space.
    ScratchFull,
    /// The caller's stop flag was raised.
    Stopped,
}

/// A child that is gone, with its whole process group.
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// Processor time of the group in steps of 10 ms, without processes that ended after their parent; of a standby, from
    /// its beginning.
    pub cpu: Duration,
    /// Time by the clock from start to end; of a standby, from when it was told its work.
    pub wall: Duration,
    /// Largest sampled sum of resident memory of the group, bytes.
    pub peak_resident: u64,
    /// The first mebibyte that was written to standard output.
    pub stdout: Vec<u8>,
    /// Whether more than that was written.
    pub stdout_truncated: bool,
    /// The last 4 KiB of standard error: for classification and debugging only, as it may quote the document.
    pub stderr_tail: String,
}

impl fmt::Debug for Finished {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Finished")
            .field("outcome", &self.outcome)
            .field("cpu", &self.cpu)
            .field("wall", &self.wall)
            .field("peak_resident", &self.peak_resident)
            .field("stdout_bytes", &self.stdout.len())
            .field("stderr_bytes", &self.stderr_tail.len())
            .finish_non_exhaustive()
    }
}

/// What is known about a child that ended without being killed by the parent.
pub(crate) struct Evidence<'a> {
    pub(crate) status: ExitStatus,
    pub(crate) cpu: Duration,
    pub(crate) peak_resident: u64,
    pub(crate) stderr_tail: &'a str,
}

/// What allocators say before they abort: Rust's standard library, C++ runtimes, glibc and glib.
const ALLOCATION_FAILURES: [&str; 5] = [
    "memory allocation of ",
    "std::bad_alloc",
    "Cannot allocate memory",
    "Out of memory",
    "failed to allocate ",
];

impl Evidence<'_> {
    /// Tells a reached limit from a crash and both from an ordinary end.
    pub(crate) fn classify(&self, work: &Work, limits: &Limits) -> Outcome {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => self.classify_exit(code, work),
            (None, Some(signal)) => self.classify_signal(signal, limits),
            (None, None) => Outcome::Crashed { signal: 0 },
        }
    }

    fn classify_exit(&self, code: i32, work: &Work) -> Outcome {
        match (code, work) {
            (EXIT_OUT_OF_MEMORY, Work::Entry { .. }) => Outcome::OutOfMemory,
            (EXIT_SCRATCH_FULL, Work::Entry { .. }) => Outcome::ScratchFull,
            (0, _) => Outcome::Exited { code },
            _ if self.allocation_failed() => Outcome::OutOfMemory,
            _ => Outcome::Exited { code },
        }
    }

    fn classify_signal(&self, signal: i32, limits: &Limits) -> Outcome {
        match signal {
            libc::SIGXCPU => Outcome::TimedOut,
            libc::SIGXFSZ => Outcome::ScratchFull,
            // The hard limit of processor time, or else the kernel's own out-of-memory killer.
            libc::SIGKILL if self.cpu >= limits.cpu => Outcome::TimedOut,
            libc::SIGKILL => Outcome::OutOfMemory,
            _ if self.allocation_failed() || self.near_memory_limit(limits) => Outcome::OutOfMemory,
            _ => Outcome::Crashed { signal },
        }
    }

    fn allocation_failed(&self) -> bool {
        ALLOCATION_FAILURES
            .iter()
            .any(|text| self.stderr_tail.contains(text))
    }

    /// Whether at least 90 % of the resident memory that was granted was in use: an allocation is the likely culprit.
    fn near_memory_limit(&self, limits: &Limits) -> bool {
        let granted = limits.resident.min(limits.address_space);
        self.peak_resident >= granted - granted / 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXIT: i32 = 256;

    fn classify(status: i32, cpu: u64, peak_resident: u64, stderr_tail: &str) -> Outcome {
        let program = Work::Program {
            executable: "/bin/true".into(),
            args: Vec::new(),
            env: Vec::new(),
        };
        Evidence {
            status: ExitStatus::from_raw(status),
            cpu: Duration::from_secs(cpu),
            peak_resident,
            stderr_tail,
        }
        .classify(&program, &Limits::default())
    }

    #[test]
    fn a_limit_is_told_from_a_crash() {
        assert_eq!(
            classify(libc::SIGSEGV, 0, 0, ""),
            Outcome::Crashed { signal: 11 }
        );
        assert_eq!(
            classify(libc::SIGABRT, 0, 0, "assertion failed"),
            Outcome::Crashed { signal: 6 }
        );
        assert_eq!(
            classify(libc::SIGABRT, 0, 0, "what():  std::bad_alloc"),
            Outcome::OutOfMemory
        );
        assert_eq!(
            classify(libc::SIGSEGV, 0, 1000 << 20, ""),
            Outcome::OutOfMemory
        );
        assert_eq!(classify(libc::SIGKILL, 0, 0, ""), Outcome::OutOfMemory);
        assert_eq!(classify(libc::SIGKILL, 61, 0, ""), Outcome::TimedOut);
        assert_eq!(classify(libc::SIGXCPU, 0, 0, ""), Outcome::TimedOut);
        assert_eq!(classify(libc::SIGXFSZ, 0, 0, ""), Outcome::ScratchFull);
    }

    #[test]
    fn an_exit_code_means_a_limit_only_in_an_entry() {
        let status = EXIT_SCRATCH_FULL * EXIT;
        assert_eq!(
            classify(status, 0, 0, ""),
            Outcome::Exited {
                code: EXIT_SCRATCH_FULL
            }
        );
        let evidence = Evidence {
            status: ExitStatus::from_raw(status),
            cpu: Duration::ZERO,
            peak_resident: 0,
            stderr_tail: "",
        };
        let entry = Work::Entry {
            name: "convert".to_owned(),
            request: serde_json::Value::Null,
        };
        assert_eq!(
            evidence.classify(&entry, &Limits::default()),
            Outcome::ScratchFull
        );
    }

    #[test]
    fn success_is_not_reinterpreted() {
        assert_eq!(
            classify(0, 0, u64::MAX, "std::bad_alloc"),
            Outcome::Exited { code: 0 }
        );
        assert_eq!(classify(EXIT, 0, 0, "std::bad_alloc"), Outcome::OutOfMemory);
        assert_eq!(classify(EXIT, 0, 0, ""), Outcome::Exited { code: 1 });
    }
}
