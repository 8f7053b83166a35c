//! Ends processes that have left the process group of their job, where no seccomp filter keeps them in it.
//!
//! Such a process would survive its document and could read the next one. It is recognized by resource limits that only
//! sandboxed processes have and that no process of an ordinary user can raise again. A process is a stray if no sandboxing
//! process is the parent of its group's leader any more, or if this one is and does not know the leader.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt as _;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Signal, geteuid, getpid, getrlimit, kill_process};

use crate::error::SandboxError;
use crate::statistics::Statistics;

/// The limit of message queues of sandboxed processes, in bytes: too small for any queue, and distinctive.
pub(crate) const MESSAGE_QUEUE_LIMIT: u64 = 7;
/// The process that orphans become children of.
const INIT: i32 = 1;
/// Maximum time until killed processes have ended.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Leaders of the running groups.
static LEADERS: Mutex<Option<HashSet<i32>>> = Mutex::new(None);
/// Read-locked while a child is started and not yet among the leaders.
static STARTING: RwLock<()> = RwLock::new(());

/// Keeps [`end`] waiting while a child is started.
pub(crate) fn starting() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the leader of a group.
pub(crate) fn add(leader: Pid) {
    leaders(|leaders| leaders.insert(leader.as_raw_nonzero().get()));
}

/// Removes the leader of a group that has ended.
pub(crate) fn remove(leader: Pid) {
    leaders(|leaders| leaders.remove(&leader.as_raw_nonzero().get()));
}

fn leaders<T>(access: impl FnOnce(&mut HashSet<i32>) -> T) -> T {
    let mut leaders = LEADERS.lock().unwrap_or_else(PoisonError::into_inner);
    access(leaders.get_or_insert_default())
}

/// Kills all strays of this user and waits for their end. Does nothing for root, whose limits prove nothing.
///
/// # Errors
/// [`SandboxError::Survivors`] if one does not end.
pub(crate) fn end() -> Result<(), SandboxError> {
    let own_limit = getrlimit(Resource::Msgqueue).maximum;
    if geteuid().is_root() || own_limit.is_some_and(|limit| limit <= MESSAGE_QUEUE_LIMIT) {
        return Ok(());
    }
    let _none_is_starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let strays: Vec<Pid> = sandboxed_processes().filter(is_stray).collect();
        if strays.is_empty() {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(SandboxError::Survivors);
        }
        tracing::error!(
            count = strays.len(),
            "processes left their group and are killed"
        );
        for stray in strays {
            // It may have ended meanwhile.
            kill_process(stray, Signal::KILL).ok();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The living processes of this user with the limits of sandboxed ones.
fn sandboxed_processes() -> impl Iterator<Item = Pid> {
    let user = geteuid().as_raw();
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(move |entry| {
            let entry = entry.ok()?;
            let process = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
            (entry.metadata().ok()?.uid() == user).then_some(process)
        })
        .filter(|process| is_sandboxed(*process))
}

fn is_sandboxed(process: Pid) -> bool {
    let path = format!("/proc/{}/limits", process.as_raw_nonzero());
    let limits = std::fs::read_to_string(path).unwrap_or_default();
    let hard = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
    };
    hard("Max core file size") == Some(0)
        && hard("Max msgqueue size").is_some_and(|limit| limit <= MESSAGE_QUEUE_LIMIT)
}

fn is_stray(process: &Pid) -> bool {
    let Some(found) = Statistics::of(*process).filter(|found| found.alive) else {
        return false;
    };
    if leaders(|leaders| leaders.contains(&found.group)) {
        return false;
    }
    let parent = Pid::from_raw(found.group)
        .and_then(Statistics::of)
        .and_then(|leader| Pid::from_raw(leader.parent));
    // Another sandboxing process, such as a zygote, monitors its own groups.
    let is_monitored = parent.is_some_and(|parent| {
        parent.as_raw_nonzero().get() != INIT && parent != getpid() && !is_sandboxed(parent)
    });
    !is_monitored
}
