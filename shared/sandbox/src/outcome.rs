//! Outcome of a child: classifies exit status and resource usage as exit, crash or exceeded limit.

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
    /// It exited. The code does not prove success: the caller checks the output.
    Exited {
        /// The exit code.
        code: i32,
    },
    /// It was killed by a signal that is not caused by a limit.
    Crashed {
        /// The signal number.
        signal: i32,
    },
    /// It exceeded the limit of wall-clock or CPU time.
    TimedOut,
    /// It exceeded a limit of memory, processes or threads (512 in the group).
    OutOfMemory,
    /// It exceeded the limit of file size or scratch space.
    ScratchFull,
    /// The caller set the stop flag.
    Stopped,
}

/// Result of a child whose whole process group has ended.
pub struct FinishedChild {
    /// How it ended.
    pub outcome: Outcome,
    /// CPU time of the group in steps of 10 ms, without processes that ended after their parent. For a prewarmed child it
    /// includes start-up.
    pub cpu: Duration,
    /// Wall-clock time from start to end; for a prewarmed child, from the request.
    pub wall: Duration,
    /// Largest sampled resident memory of the group, in bytes.
    pub peak_resident: u64,
    /// The first mebibyte of standard output.
    pub stdout: Vec<u8>,
    /// Whether standard output exceeded that.
    pub stdout_truncated: bool,
    /// The last 4 KiB of standard error: for classification and debugging only, because it may quote the document.
    pub stderr_tail: String,
}

impl fmt::Debug for FinishedChild {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FinishedChild")
            .field("outcome", &self.outcome)
            .field("cpu", &self.cpu)
            .field("wall", &self.wall)
            .field("peak_resident", &self.peak_resident)
            .field("stdout_bytes", &self.stdout.len())
            .field("stderr_bytes", &self.stderr_tail.len())
            .finish_non_exhaustive()
    }
}

/// Exit status and resource usage of a child that was not killed by the parent.
pub(crate) struct ExitEvidence<'a> {
    pub(crate) status: ExitStatus,
    pub(crate) cpu: Duration,
    pub(crate) peak_resident: u64,
    pub(crate) stderr_tail: &'a str,
}

/// Messages of failed allocations: Rust's standard library, C++ runtimes, glibc and glib.
const ALLOCATION_FAILURES: [&str; 5] = [
    "memory allocation of ",
    "std::bad_alloc",
    "Cannot allocate memory",
    "Out of memory",
    "failed to allocate ",
];

impl ExitEvidence<'_> {
    /// Classifies the end as exit, crash or exceeded limit.
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
            // The hard limit of CPU time, or else the kernel's OOM killer.
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

    /// Whether at least 90 % of the memory limit was in use, so that a failed allocation is the likely cause of a crash.
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
        ExitEvidence {
            status: ExitStatus::from_raw(status),
            cpu: Duration::from_secs(cpu),
            peak_resident,
            stderr_tail,
        }
        .classify(&program, &Limits::default())
    }

    #[test]
    fn exceeded_limits_are_distinguished_from_crashes() {
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
    fn limit_exit_codes_apply_to_entries_only() {
        let status = EXIT_SCRATCH_FULL * EXIT;
        assert_eq!(
            classify(status, 0, 0, ""),
            Outcome::Exited {
                code: EXIT_SCRATCH_FULL
            }
        );
        let evidence = ExitEvidence {
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
    fn exit_code_zero_is_never_an_exceeded_limit() {
        assert_eq!(
            classify(0, 0, u64::MAX, "std::bad_alloc"),
            Outcome::Exited { code: 0 }
        );
        assert_eq!(classify(EXIT, 0, 0, "std::bad_alloc"), Outcome::OutOfMemory);
        assert_eq!(classify(EXIT, 0, 0, ""), Outcome::Exited { code: 1 });
    }
}
