//! Processes of the running stack: the function each serves, memory, CPU time, and killing them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use crate::stack::stack;
use crate::wire::state_directory;

/// `USER_HZ`, the unit of CPU time in `/proc`.
const TICKS_PER_SECOND: u64 = 100;

/// Start of the names of coordinators.
const COORDINATORS: &str = "process-";

/// Environment variable of coordinators with the name of their processor.
const PROCESSOR: &str = "PROCESSOR";

/// Working directory of the first step's engine, relative to the document's directory.
const FIRST_STEP: &str = "step-0";

/// A process by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Process(i32);

/// Directory of the binaries that the stack was deployed from.
pub fn binaries() -> PathBuf {
    Path::new(&stack().admin[0]).parent().unwrap().to_owned()
}

/// The binary of a function. Coordinators have the same one.
pub fn binary(function: &str) -> PathBuf {
    let is_coordinator = function.starts_with(COORDINATORS);
    binaries().join(if is_coordinator { "process" } else { function })
}

/// The emulator behind the running stack.
pub fn emulator() -> Process {
    let state = state_directory();
    let of_stack = |process: &Process| {
        let arguments = process.arguments();
        let launcher = |argument: &String| argument.ends_with("/launch.py");
        let of_state = |argument: &String| Path::new(argument) == state;
        arguments.get(1).is_some_and(launcher) && arguments.get(2).is_some_and(of_state)
    };
    all()
        .into_iter()
        .find(of_stack)
        .unwrap_or_else(|| panic!("no running emulator of {}", state.display()))
}

/// Returns the processes that serve `function`, each with one invocation at a time.
pub fn workers(function: &str) -> BTreeSet<Process> {
    let workers = children(emulator()).into_iter();
    workers.filter(|worker| worker.serves(function)).collect()
}

/// Waits for a process of an engine function that has a document's child in the working directory of the first step. Children
/// run for a second or two, so the cheap checks come first and the function's binary is compared last.
pub async fn engine_at_work(function: &str, timeout: Duration) -> Process {
    let (emulator, deadline) = (emulator(), Instant::now() + timeout);
    let is_engine =
        |process: &Process| process.parent() == Some(emulator) && process.serves(function);
    loop {
        let mut children = all();
        children.retain(|process| process.works_in(FIRST_STEP));
        let mut above = children.into_iter().flat_map(Process::ancestors);
        if let Some(engine) = above.find(is_engine) {
            return engine;
        }
        assert!(
            Instant::now() < deadline,
            "no document's child of {function}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Kills every coordinator of a processor: the one that waits for an engine function does not differ from idle ones in `/proc`.
pub fn kill_coordinators(processor: &str) {
    let coordinators = workers(processor);
    assert!(!coordinators.is_empty(), "no coordinator {processor}");
    coordinators.into_iter().for_each(Process::kill);
}

/// Whether an unpacked executable is this function's binary. The comparison is cached.
fn is_of(path: &Path, function: &str) -> bool {
    static KNOWN: Mutex<BTreeMap<(PathBuf, String), bool>> = Mutex::new(BTreeMap::new());
    let key = (path.to_owned(), function.to_owned());
    *KNOWN.lock().unwrap().entry(key).or_insert_with(|| {
        let binary = binary(function);
        let length = |path: &Path| fs::metadata(path).ok().map(|found| found.len());
        let is_equal = || fs::read(path).is_ok_and(|bytes| bytes == fs::read(&binary).unwrap());
        length(path) == length(&binary) && is_equal()
    })
}

impl Process {
    /// The process with this id.
    pub fn of(number: u32) -> Self {
        Self(number.try_into().unwrap())
    }

    /// Sends SIGKILL, as the kernel's OOM killer does.
    pub fn kill(self) {
        self.signal(Signal::KILL);
    }

    /// Sends SIGABRT, as a library does after heap corruption.
    pub fn crash(self) {
        self.signal(Signal::ABORT);
    }

    /// Ignores processes that have exited.
    fn signal(self, signal: Signal) {
        match kill_process(Pid::from_raw(self.0).unwrap(), signal) {
            Ok(()) | Err(Errno::SRCH) => {}
            Err(error) => panic!("{self:?}: {error}"),
        }
    }

    /// Whether it is running.
    pub fn is_alive(self) -> bool {
        !self.arguments().is_empty()
    }

    /// Whether its command line has this argument.
    pub fn was_given(self, argument: &str) -> bool {
        self.arguments().iter().any(|given| given == argument)
    }

    /// The processes of the document that this engine function works on.
    pub fn document_children(self) -> Vec<Process> {
        let mut children = self.descendants();
        children.retain(|process| process.works_in(FIRST_STEP));
        children
    }

    /// Whether its working directory has this suffix.
    fn works_in(self, end: &str) -> bool {
        let directory = fs::read_link(format!("/proc/{}/cwd", self.0));
        directory.is_ok_and(|path| path.ends_with(end))
    }

    /// Whether it is a worker of this function.
    fn serves(self, function: &str) -> bool {
        let arguments = self.arguments();
        let path = arguments.first().map(String::as_str).unwrap_or_default();
        // Coordinators share a binary. Comparing binaries takes seconds, in which a job can complete.
        let serves = || match function.starts_with(COORDINATORS) {
            true => self.coordinates(function),
            false => is_of(Path::new(path), function),
        };
        path.ends_with("/bootstrap") && serves()
    }

    /// Whether it is a coordinator of this processor.
    fn coordinates(self, processor: &str) -> bool {
        let is_processor =
            |(name, value): &(String, String)| name == PROCESSOR && value == processor;
        self.environment().iter().any(is_processor)
    }

    /// Its ancestors, parent first.
    fn ancestors(self) -> Vec<Process> {
        std::iter::successors(self.parent(), |process| process.parent()).collect()
    }

    /// Its descendants.
    pub fn descendants(self) -> Vec<Process> {
        let mut found = children(self);
        let mut next = 0;
        while next < found.len() {
            found.extend(children(found[next]));
            next += 1;
        }
        found
    }

    /// Peak resident memory in bytes.
    pub fn peak_memory(self) -> u64 {
        self.status("VmHWM:")
    }

    /// Resident memory in bytes.
    pub fn memory(self) -> u64 {
        self.status("VmRSS:")
    }

    /// Private memory in bytes; 0 if the process is not dumpable.
    pub fn private_memory(self) -> u64 {
        let path = format!("/proc/{}/smaps_rollup", self.0);
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter(|line| line.starts_with("Private_"));
        let kilobytes =
            lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kilobytes.sum::<u64>() * 1024
    }

    /// CPU time of the process and its reaped children; zero if it has exited.
    pub fn cpu_time(self) -> Duration {
        self.ticks(4)
    }

    /// CPU time of the process itself; zero if it has exited.
    pub fn own_cpu_time(self) -> Duration {
        self.ticks(2)
    }

    /// Sum of the first fields of: user, system, children's user, children's system time.
    fn ticks(self, count: usize) -> Duration {
        let stat = self.stat();
        let ticks: u64 = stat
            .iter()
            .skip(11)
            .take(count)
            .map(|ticks| ticks.parse::<u64>().unwrap())
            .sum();
        Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND)
    }

    /// The process and its running descendants.
    pub fn family(self) -> Vec<Self> {
        std::iter::once(self).chain(self.descendants()).collect()
    }

    /// Its environment; empty if it has exited, or if it is not dumpable and the caller not privileged.
    pub fn environment(self) -> Vec<(String, String)> {
        let bytes = fs::read(format!("/proc/{}/environ", self.0)).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap();
        let variables = text
            .split_terminator('\0')
            .filter_map(|variable| variable.split_once('='));
        variables
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn status(self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes = line.map(|rest| rest.trim().trim_end_matches(" kB"));
        kilobytes.map_or(0, |count| count.parse::<u64>().unwrap() * 1024)
    }

    /// Empty if the process has exited.
    fn arguments(self) -> Vec<String> {
        let bytes = fs::read(format!("/proc/{}/cmdline", self.0)).unwrap_or_default();
        let arguments = bytes.split_inclusive(|byte| *byte == 0);
        let text = |argument: &[u8]| {
            String::from_utf8_lossy(argument)
                .trim_end_matches('\0')
                .to_owned()
        };
        arguments.map(text).collect()
    }

    fn parent(self) -> Option<Process> {
        self.stat().get(1)?.parse().ok().map(Process)
    }

    /// Fields of `/proc/<pid>/stat` from the state on [proc(5)]; empty if the process has exited.
    fn stat(self) -> Vec<String> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0)).unwrap_or_default();
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        after_name.split_whitespace().map(str::to_owned).collect()
    }
}

fn all() -> Vec<Process> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.map(Process).collect()
}

fn children(parent: Process) -> Vec<Process> {
    let mut all = all();
    all.retain(|process| process.parent() == Some(parent));
    all
}
