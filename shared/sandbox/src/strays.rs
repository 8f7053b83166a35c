//! Ends processes that have left the process group of their job, where no seccomp filter keeps them in it.
//!
//! Such a process would survive its document and could read the next one. It is recognized by resource limits that only
//! sandboxed processes have and that no process of an ordinary user can raise again. A process is a stray if its group has no
//! sandboxed leader whose parent is a sandboxing process, or if this process is the parent and has not started the leader.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt as _;
use std::sync::{LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Signal, WaitOptions, geteuid, getpid, getrlimit, kill_process,
    kill_process_group, waitpid,
};

use crate::error::SandboxError;
use crate::group::Group;
use crate::statistics::Statistics;

/// The limit of message queues of sandboxed processes, in bytes: too small for any queue, and distinctive.
pub(crate) const MESSAGE_QUEUE_LIMIT: u64 = 7;
/// The process that orphans become children of.
const INIT: i32 = 1;
/// Maximum time until killed processes have ended.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Number of searches without a result after which none is assumed, although other processes are being created.
const SEARCHES: u32 = 50;

/// Leaders of the running groups.
static LEADERS: Mutex<Option<HashSet<i32>>> = Mutex::new(None);
/// Read-locked while a child is started and not yet among the leaders.
static STARTING: RwLock<()> = RwLock::new(());

/// Whether limits distinguish sandboxed processes from others: not for root, and not if this process has the same limit.
/// Evaluated before the first child starts, because a child could lower the limits of this process (prlimit).
static ARE_RECOGNIZED: LazyLock<bool> = LazyLock::new(|| {
    let own = getrlimit(Resource::Msgqueue).maximum;
    !geteuid().is_root() && own.is_none_or(|limit| limit > MESSAGE_QUEUE_LIMIT)
});

/// Keeps [`end`] waiting while a child is started.
pub(crate) fn starting() -> RwLockReadGuard<'static, ()> {
    LazyLock::force(&ARE_RECOGNIZED);
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

/// Ends the processes that an earlier program of this process or an earlier process has left behind. Call it before anything
/// is started.
///
/// # Errors
/// [`SandboxError::Survivors`] if one does not end.
pub fn end_left_behind() -> Result<(), SandboxError> {
    // Children of the program that this one was executed by.
    while let Ok(Some(_)) = waitpid(None, WaitOptions::NOHANG) {}
    end().map(drop)
}

/// Kills all strays of this user, waits for their end, and returns whether there were any. Does nothing for root, whose limits
/// prove nothing.
///
/// # Errors
/// [`SandboxError::Survivors`] if one does not end.
pub(crate) fn end() -> Result<bool, SandboxError> {
    if !*ARE_RECOGNIZED {
        return Ok(false);
    }
    let _none_is_starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    let deadline = Instant::now() + TIMEOUT;
    let mut newest = newest_process();
    let (mut killed, mut others) = (Vec::new(), HashSet::new());
    for process in processes() {
        match kill_if_stray(process) {
            Some(strays) => killed.extend(strays),
            None => drop(others.insert(process)),
        }
    }
    let (mut found, mut searches) = (!killed.is_empty(), 0);
    // A process that forks and exits in a loop is not found by each search, but creates processes.
    while found || (newest_process() != newest && searches < SEARCHES) {
        if Instant::now() >= deadline {
            return Err(SandboxError::Survivors);
        }
        std::thread::sleep(Duration::from_millis(1));
        newest = newest_process();
        let strays = new_strays(&others);
        found = !strays.is_empty();
        searches = if found { 0 } else { searches + 1 };
        killed.extend(strays);
    }
    // Those that made themselves children of this process (CLONE_PARENT).
    for stray in &killed {
        waitpid(Some(*stray), WaitOptions::NOHANG).ok();
    }
    if !killed.is_empty() {
        tracing::error!("processes left their group and were killed");
    }
    Ok(!killed.is_empty())
}

/// Kills the strays that are not among these processes, and returns those killed. Stops each process while it is examined, newest
/// first: otherwise one that forks and exits in a loop ends before that.
fn new_strays(others: &HashSet<Pid>) -> Vec<Pid> {
    let mut new: Vec<Pid> = processes()
        .filter(|process| !others.contains(process))
        .collect();
    new.sort_unstable_by_key(|process| std::cmp::Reverse(process.as_raw_nonzero()));
    let mut killed = Vec::new();
    for process in new {
        let is_stopped = kill_process(process, Signal::STOP).is_ok();
        match kill_if_stray(process) {
            Some(strays) => killed.extend(strays),
            None if is_stopped => drop(kill_process(process, Signal::CONT)),
            None => {}
        }
    }
    killed
}

/// The id of the newest process of the system, the last field of `/proc/loadavg`.
fn newest_process() -> Option<u32> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_ascii_whitespace().last()?.parse().ok()
}

/// Kills a stray, and its whole group at once if only sandboxed processes are in it: a process that forks and exits in a loop
/// has a successor before it is killed, which is in the same group. Returns those killed; `None` if it is no stray.
fn kill_if_stray(process: Pid) -> Option<Vec<Pid>> {
    let group = stray_group(process)?;
    let mut killed: Vec<Pid> = Group::led_by(group).members().collect();
    let is_init = group.as_raw_nonzero().get() == INIT;
    // They may have ended meanwhile.
    if is_init || killed.iter().any(|member| is_ordinary(*member)) {
        kill_process(process, Signal::KILL).ok();
        return Some(vec![process]);
    }
    kill_process_group(group, Signal::KILL).ok();
    killed.push(process);
    Some(killed)
}

/// The processes of this user.
fn processes() -> impl Iterator<Item = Pid> {
    let user = geteuid().as_raw();
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(move |entry| {
            let entry = entry.ok()?;
            let process = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
            (entry.metadata().ok()?.uid() == user).then_some(process)
        })
}

fn is_sandboxed(process: Pid) -> bool {
    limits(process).is_some_and(|limits| are_sandboxed(&limits))
}

/// Whether the process exists and is not sandboxed.
fn is_ordinary(process: Pid) -> bool {
    limits(process).is_some_and(|limits| !are_sandboxed(&limits))
}

/// The resource limits of a process as a table; `None` if it has ended.
fn limits(process: Pid) -> Option<String> {
    let path = format!("/proc/{}/limits", process.as_raw_nonzero());
    let limits = std::fs::read_to_string(path).ok()?;
    (!limits.is_empty()).then_some(limits)
}

fn are_sandboxed(limits: &str) -> bool {
    let hard = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
    };
    hard("Max core file size") == Some(0)
        && hard("Max msgqueue size").is_some_and(|limit| limit <= MESSAGE_QUEUE_LIMIT)
}

/// The group of a process that is a stray.
fn stray_group(process: Pid) -> Option<Pid> {
    if !is_sandboxed(process) {
        return None;
    }
    let found = Statistics::of(process).filter(|found| found.alive)?;
    let is_stray = !leaders(|leaders| leaders.contains(&found.group)) && !is_monitored(found.group);
    Pid::from_raw(found.group).filter(|_| is_stray)
}

/// Whether another sandboxing process, such as a zygote, has started this group. Its leader is sandboxed before any other
/// member exists.
fn is_monitored(group: i32) -> bool {
    let leader = Pid::from_raw(group).filter(|leader| is_sandboxed(*leader));
    let parent = leader
        .and_then(Statistics::of)
        .and_then(|leader| Pid::from_raw(leader.parent));
    parent.is_some_and(|parent| {
        parent.as_raw_nonzero().get() != INIT && parent != getpid() && !is_sandboxed(parent)
    })
}
