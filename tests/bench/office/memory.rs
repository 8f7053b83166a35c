//! The memory of a processor's zygote and of its forks, looked at while they work.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tests::process::{Process, workers};

/// Between two looks.
const INTERVAL: Duration = Duration::from_millis(20);
const MEGABYTE: u64 = 1_000_000;

/// What was seen, in MB.
pub(super) struct Memory {
    /// The median of the most that each fork had for itself alone.
    pub(super) child: u64,
    /// The most that a zygote had.
    pub(super) zygote: u64,
}

/// Looks until it is told to finish.
pub(super) struct Watch {
    done: Arc<AtomicBool>,
    seen: JoinHandle<Memory>,
}

/// Begins to look at the zygotes of a function's processes.
pub(super) fn watch(function: &str) -> Watch {
    let zygotes: Vec<Process> = workers(function)
        .into_iter()
        .flat_map(Process::descendants)
        .filter(|process| process.was_given("office-zygote"))
        .collect();
    assert!(!zygotes.is_empty(), "{function} has no zygote");
    let done = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&done);
    let seen = std::thread::spawn(move || look(&zygotes, &told));
    Watch { done, seen }
}

impl Watch {
    pub(super) fn finish(self) -> Memory {
        self.done.store(true, Ordering::Relaxed);
        self.seen.join().unwrap()
    }
}

fn look(zygotes: &[Process], done: &AtomicBool) -> Memory {
    let mut forks: BTreeMap<Process, u64> = BTreeMap::new();
    let mut zygote = 0;
    while !done.load(Ordering::Relaxed) {
        for parent in zygotes {
            zygote = zygote.max(parent.memory());
            for fork in parent.descendants() {
                // One that has ended meanwhile has none, and one that does not let others look.
                let found = fork.private_memory();
                if found > 0 {
                    let most = forks.entry(fork).or_default();
                    *most = (*most).max(found);
                }
            }
        }
        std::thread::sleep(INTERVAL);
    }
    let mut each: Vec<u64> = forks.into_values().collect();
    assert!(
        !each.is_empty() && zygote > 0,
        "no fork's memory could be read, which takes the capability CAP_SYS_PTRACE: run `make bench` as root"
    );
    each.sort_unstable();
    Memory {
        child: each[each.len() / 2] / MEGABYTE,
        zygote: zygote / MEGABYTE,
    }
}
