//! Compares a group's resource usage with its limits; the sampling interval of each resource depends on its cost.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::containment::Containment;
use crate::group::{Group, Usage};
use crate::job::Limits;
use crate::outcome::Outcome;
use crate::scratch::usage::bytes_used;

/// Interval between samples of the whole group.
const GROUP_INTERVAL: Duration = Duration::from_millis(20);
/// [`GROUP_INTERVAL`] of a child that seccomp keeps in one process, which is longer: scanning /proc takes a considerable part
/// of a small job's time.
const SINGLE_PROCESS_INTERVAL: Duration = Duration::from_secs(1);
/// Interval between measurements of the scratch directory.
const SCRATCH_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum number of threads of a group: far more than engines start, far fewer than a machine supports.
const MAX_THREADS: u64 = 512;

/// Monitors the resource usage of one run.
pub(crate) struct LimitMonitor<'a> {
    group: Group,
    scratch: Option<&'a Path>,
    limits: &'a Limits,
    started: Instant,
    /// CPU time used before `started`.
    cpu_before: Duration,
    next_group: Instant,
    next_scratch: Instant,
    /// Largest sampled CPU time.
    pub(crate) cpu: Duration,
    /// Largest sampled resident memory, in bytes.
    pub(crate) peak_resident: u64,
}

impl<'a> LimitMonitor<'a> {
    /// Starts monitoring, with a scratch directory if its size is limited. Wall-clock time counts from `started`, and CPU
    /// time excludes `cpu_before`.
    pub(crate) fn start(
        group: Group,
        scratch: Option<&'a Path>,
        limits: &'a Limits,
        (started, cpu_before): (Instant, Duration),
    ) -> Self {
        Self {
            group,
            scratch,
            limits,
            started,
            cpu_before,
            next_group: started + group_interval(limits),
            next_scratch: started + SCRATCH_INTERVAL,
            cpu: Duration::ZERO,
            peak_resident: 0,
        }
    }

    /// Samples the usage and returns the outcome for an exceeded limit.
    pub(crate) fn exceeded(&mut self) -> Option<Outcome> {
        let now = Instant::now();
        if now.duration_since(self.started) >= self.limits.wall {
            return Some(Outcome::TimedOut);
        }
        let usage = if now >= self.next_group {
            self.next_group = now + group_interval(self.limits);
            self.group.usage()
        } else {
            self.group.leader_usage()
        };
        self.record(usage);
        self.usage_exceeded(usage)
            .or_else(|| self.scratch_exceeded(now))
    }

    /// Takes a last sample after the leader has ended.
    pub(crate) fn finish(&mut self) {
        self.record(match is_kept_single(self.limits) {
            true => self.group.leader_usage(),
            false => self.group.usage(),
        });
    }

    fn record(&mut self, usage: Usage) {
        self.cpu = self.cpu.max(usage.cpu);
        self.peak_resident = self.peak_resident.max(usage.resident);
    }

    fn usage_exceeded(&self, usage: Usage) -> Option<Outcome> {
        if usage.cpu.saturating_sub(self.cpu_before) >= self.limits.cpu {
            return Some(Outcome::TimedOut);
        }
        let memory = usage.resident > self.limits.resident;
        let processes = usage.processes > self.limits.processes;
        let threads = usage.threads > MAX_THREADS;
        (memory || processes || threads).then_some(Outcome::OutOfMemory)
    }

    fn scratch_exceeded(&mut self, now: Instant) -> Option<Outcome> {
        let scratch = self.scratch?;
        if now < self.next_scratch {
            return None;
        }
        // After a slow measurement the interval grows, so that measuring takes at most about a fifth of the time.
        let deleted = match is_kept_single(self.limits) {
            true => self.group.leader_deleted_bytes(),
            false => self.group.deleted_bytes(),
        };
        let used = bytes_used(scratch).saturating_add(deleted);
        self.next_scratch = now + SCRATCH_INTERVAL.max(now.elapsed() * 5);
        (used > self.limits.scratch).then_some(Outcome::ScratchFull)
    }
}

fn group_interval(limits: &Limits) -> Duration {
    match is_kept_single(limits) {
        true => SINGLE_PROCESS_INTERVAL,
        false => GROUP_INTERVAL,
    }
}

/// Whether seccomp keeps the child in one process.
pub(crate) fn is_kept_single(limits: &Limits) -> bool {
    is_single_process(limits) && Containment::limits_processes()
}

/// Whether the child is limited to one process.
pub(crate) fn is_single_process(limits: &Limits) -> bool {
    limits.processes <= 1
}
