//! Bounded child processes for everything that parses bytes which a customer sent.
//!
//! The processor's own executable is started again as the child, so no code runs between `fork` and `exec` in a
//! threaded parent. In the child [`child::enter`] confines the process before anything else happens: own process group,
//! resource limits, no capabilities, no new privileges, Landlock, seccomp. Then it executes a program or returns the
//! entry that `main` has to serve. The parent ([`run`]) watches wall clock, processor time, memory and scratch space of
//! the whole group and kills it at the limit. A process of one thread, which has begun a library that takes long to begin,
//! may run jobs in forks of itself instead ([`run_forked`]), confined and watched in the same way. A [`Zygote`] has such a
//! process fork children of the parent's own. A [`Standby`] is a child that is begun before its work is known.
//!
//! The crate is synchronous: asynchronous callers run it where blocking is allowed.

#[cfg(not(target_os = "linux"))]
compile_error!("the sandbox is built from Linux facilities");

mod channel;
pub mod child;
mod containment;
mod error;
mod fork;
mod group;
mod job;
mod launcher;
mod outcome;
mod output;
mod parent;
mod probe;
mod run;
mod scratch;
mod standby;
mod statistics;
mod unchecked;
mod watch;
pub mod zygote;

pub use child::{EXIT_OUT_OF_MEMORY, EXIT_SCRATCH_FULL, Entry, thread_names};
pub use containment::Containment;
pub use error::SandboxError;
pub use fork::{Overseer, end_orphans, run_forked};
pub use job::{Job, Limits, Network, Work};
pub use launcher::Launcher;
pub use outcome::{Finished, Outcome};
pub use parent::harden_parent;
pub use probe::probe;
pub use run::run;
pub use scratch::{Scratch, sweep_leftovers};
pub use standby::{Standby, StandbyJob, await_work};
pub use unchecked::end;
pub use zygote::Zygote;
