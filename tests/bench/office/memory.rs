//! Samples the memory of an engine function's zygotes and their forks while they work.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tests::process::{Process, workers};

/// Sampling interval.
const INTERVAL: Duration = Duration::from_millis(20);
const MEGABYTE: u64 = 1_000_000;

/// Measured memory in MB.
pub(super) struct Memory {
    /// Median over the forks' peaks of private memory.
    pub(super) child: u64,
    /// Peak of a zygote.
    pub(super) zygote: u64,
}

/// Samples until `finish` is called.
pub(super) struct MemorySampler {
    done: Arc<AtomicBool>,
    sampler: JoinHandle<Memory>,
}

/// Starts sampling the zygotes of a function's processes.
pub(super) fn start_sampling(function: &str) -> MemorySampler {
    let zygotes: Vec<Process> = workers(function)
        .into_iter()
        .flat_map(Process::descendants)
        .filter(|process| process.was_given("office-zygote"))
        .collect();
    assert!(!zygotes.is_empty(), "no zygote of {function} is running");
    let done = Arc::new(AtomicBool::new(false));
    let sampler_done = Arc::clone(&done);
    let sampler = std::thread::spawn(move || sample(&zygotes, &sampler_done));
    MemorySampler { done, sampler }
}

impl MemorySampler {
    pub(super) fn finish(self) -> Memory {
        self.done.store(true, Ordering::Relaxed);
        self.sampler.join().unwrap()
    }
}

fn sample(zygotes: &[Process], done: &AtomicBool) -> Memory {
    let mut forks: BTreeMap<Process, u64> = BTreeMap::new();
    let mut zygote = 0;
    while !done.load(Ordering::Relaxed) {
        for parent in zygotes {
            zygote = zygote.max(parent.memory());
            for fork in parent.descendants() {
                // A fork that has exited, or that may not be inspected, has none.
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
        "the memory of the forks cannot be read without the capability CAP_SYS_PTRACE: run `make bench` as root"
    );
    each.sort_unstable();
    Memory {
        child: each[each.len() / 2] / MEGABYTE,
        zygote: zygote / MEGABYTE,
    }
}
