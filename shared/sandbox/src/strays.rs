//! Ends processes that have left the process group of their job, where no seccomp filter keeps them in it.
//!
//! Such a process would survive its document and could read the next one. It is recognized by resource limits that only
//! sandboxed processes have and that no process of an ordinary user can raise again. A process is a stray if its group has no
//! sandboxed leader whose parent is a sandboxing process, or if this process is the parent and has not started the leader.

use std::collections::{HashMap, HashSet};
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
use crate::unchecked;

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
    let (mut search, mut searches) = (Search::default(), 0);
    let mut newest = newest_process();
    search.run(false);
    // A process that forks and exits in a loop is not found by each search, but creates processes.
    while search.has_found || (newest_process() != newest && searches < SEARCHES) {
        if Instant::now() >= deadline {
            match search.has_found {
                true => return Err(SandboxError::Survivors),
                false => break,
            }
        }
        std::thread::sleep(Duration::from_millis(1));
        newest = newest_process();
        search.run(true);
        searches = if search.has_found { 0 } else { searches + 1 };
    }
    // Those that made themselves children of this process (CLONE_PARENT).
    for stray in &search.killed {
        waitpid(Some(*stray), WaitOptions::NOHANG).ok();
    }
    if !search.killed.is_empty() {
        tracing::error!("processes left their group and were killed");
    }
    Ok(!search.killed.is_empty())
}

/// Repeated searches for strays.
#[derive(Default)]
struct Search {
    /// Processes that are no strays or have ended.
    others: HashSet<Pid>,
    killed: HashSet<Pid>,
    /// Whether the last search has found a living stray.
    has_found: bool,
}

/// What a search does with the sandboxed processes of a group.
#[derive(Clone, Copy)]
enum Verdict {
    /// The group belongs to a running job.
    Keep,
    /// It was killed.
    Killed,
    /// Ordinary processes are in it as well.
    KillEach,
}

impl Search {
    /// Kills the strays among the processes that are not known from an earlier search, newest first. `stops` each process while
    /// it is examined: otherwise one that forks and exits in a loop ends before that.
    fn run(&mut self, stops: bool) {
        self.has_found = false;
        let new = processes().filter(|process| !self.others.contains(process));
        let mut new: Vec<Pid> = new.collect();
        new.sort_unstable_by_key(|process| std::cmp::Reverse(process.as_raw_nonzero()));
        let mut groups = HashMap::new();
        for process in new {
            let is_stopped = stops && kill_process(process, Signal::STOP).is_ok();
            if !self.kill_if_stray(process, &mut groups) {
                self.others.insert(process);
                if is_stopped {
                    kill_process(process, Signal::CONT).ok();
                }
            }
        }
    }

    /// Returns whether the process is a living stray.
    fn kill_if_stray(&mut self, process: Pid, groups: &mut HashMap<Pid, Verdict>) -> bool {
        let group = unchecked::group_of(process.as_raw_nonzero().get()).and_then(Pid::from_raw);
        let Some(group) = group else { return false };
        let verdict = match groups.get(&group) {
            Some(verdict) => *verdict,
            None if !is_sandboxed(process) => return false,
            None => *groups.entry(group).or_insert(self.kill_stray_group(group)),
        };
        match verdict {
            Verdict::Keep => false,
            Verdict::Killed => is_alive(process),
            Verdict::KillEach => {
                let is_stray = is_sandboxed(process) && is_alive(process);
                if is_stray {
                    // It may have ended meanwhile.
                    kill_process(process, Signal::KILL).ok();
                    self.killed.insert(process);
                    self.has_found = true;
                }
                is_stray
            }
        }
    }

    /// Kills a group at once if it is one of strays only. A process that forks and exits in a loop cannot be killed alone: it has
    /// a successor in its group before that, and leaves a predecessor by which the group is found.
    fn kill_stray_group(&mut self, group: Pid) -> Verdict {
        let number = group.as_raw_nonzero().get();
        if leaders(|leaders| leaders.contains(&number)) || is_monitored(number) {
            return Verdict::Keep;
        }
        let members: Vec<Pid> = Group::led_by(group).members().collect();
        if number == INIT || members.iter().any(|member| is_ordinary(*member)) {
            return Verdict::KillEach;
        }
        let living = members.into_iter().filter(|member| is_alive(*member));
        let living: Vec<Pid> = living.collect();
        // Also if none was seen alive: the last one may have started a successor meanwhile.
        kill_process_group(group, Signal::KILL).ok();
        self.has_found |= !living.is_empty();
        self.killed.extend(living);
        Verdict::Killed
    }
}

fn is_alive(process: Pid) -> bool {
    Statistics::of(process).is_some_and(|found| found.alive)
}

/// The id of the newest process of the system, the last field of `/proc/loadavg`.
fn newest_process() -> Option<u32> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_ascii_whitespace().last()?.parse().ok()
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
