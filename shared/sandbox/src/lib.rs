//! Sandbox for every process that parses customer data: process group, rlimits, seccomp-bpf, Landlock, no capabilities.
//!
//! The parent starts its own executable again as the child, so that no code runs between `fork` and `exec` in a
//! multi-threaded process. In the child, [`child::enter`] confines the process first: own process group, rlimits, empty
//! capability sets, `no_new_privs`, Landlock, seccomp filters. Then it executes a program or returns the entry that `main`
//! serves. A layer that the platform does not grant is left out and reported ([`Containment`]), never required: AWS Lambda
//! refuses `prctl`, seccomp filters and Landlock. The parent ([`run`]) samples wall-clock time, CPU time, memory and scratch
//! space of the process group and kills it when a limit is exceeded. Where no filter keeps processes in their group, it
//! afterwards kills those that have left it.
//!
//! Variants that save start-up time, with the same confinement and limits:
//! - [`run_forked`] runs a job in a fork of a single-threaded process that has initialized a slow library.
//! - [`Zygote`] is a fork server whose forks are children of the parent itself.
//! - [`PrewarmedChild`] is started before its work is known.
//!
//! The crate is synchronous; asynchronous callers run it on blocking threads.

#[cfg(not(target_os = "linux"))]
compile_error!("the sandbox requires Linux");

mod channel;
pub mod child;
mod containment;
mod error;
mod fork;
mod group;
mod job;
mod launcher;
mod lifeline;
mod limit_monitor;
mod outcome;
mod output;
mod parent;
mod prewarmed;
mod probe;
mod run;
mod scratch;
mod statistics;
mod strays;
mod unchecked;
pub mod zygote;

pub use child::{EXIT_OUT_OF_MEMORY, EXIT_SCRATCH_FULL, Entry, thread_names};
pub use containment::Containment;
pub use error::SandboxError;
pub use fork::{Supervisor, kill_orphans, run_forked};
pub use job::{Job, Limits, Network, Work};
pub use launcher::Launcher;
pub use outcome::{FinishedChild, Outcome};
pub use parent::{Hardening, harden_parent};
pub use prewarmed::{PrewarmedChild, PrewarmedJob, await_work};
pub use probe::probe;
pub use run::run;
pub use scratch::{Scratch, remove_stale_scratch, remove_tree};
pub use strays::end_left_behind;
pub use unchecked::exit_now;
pub use zygote::Zygote;
