//! Compares what a group uses with what it was granted, each resource as often as its sampling costs allow.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::group::{Group, Usage};
use crate::job::Limits;
use crate::outcome::Outcome;
use crate::scratch::usage::bytes_used;

/// Between two samples of the whole group.
const GROUP_INTERVAL: Duration = Duration::from_millis(20);
/// The same for a child that may start no other process: the kernel sees to that, and looking for others in the list of
/// all processes costs a good part of a small job.
const ALONE_INTERVAL: Duration = Duration::from_secs(1);
/// Between two walks over the scratch directory.
const SCRATCH_INTERVAL: Duration = Duration::from_millis(100);
/// Threads of a group: far more than engines start, far fewer than a machine has room for.
const THREADS: u64 = 512;

/// The watch over one run.
pub(crate) struct Watch<'a> {
    group: Group,
    scratch: Option<&'a Path>,
    limits: &'a Limits,
    started: Instant,
    /// Processor time that was used before.
    before: Duration,
    next_group: Instant,
    next_scratch: Instant,
    /// The largest processor time seen.
    pub(crate) cpu: Duration,
    /// The largest resident memory seen, bytes.
    pub(crate) peak_resident: u64,
}

impl<'a> Watch<'a> {
    /// Begins to watch; without a scratch directory its size is not. Time counts since a moment, and processor time without
    /// what had been used by then.
    pub(crate) fn begin(
        group: Group,
        scratch: Option<&'a Path>,
        limits: &'a Limits,
        (started, before): (Instant, Duration),
    ) -> Self {
        Self {
            group,
            scratch,
            limits,
            started,
            before,
            next_group: started + group_interval(limits),
            next_scratch: started + SCRATCH_INTERVAL,
            cpu: Duration::ZERO,
            peak_resident: 0,
        }
    }

    /// The limit that is exceeded now, if any is.
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
        self.note(usage);
        self.usage_exceeded(usage)
            .or_else(|| self.scratch_exceeded(now))
    }

    /// Takes a last sample, when the leader has ended.
    pub(crate) fn finish(&mut self) {
        self.note(match is_alone(self.limits) {
            true => self.group.leader_usage(),
            false => self.group.usage(),
        });
    }

    fn note(&mut self, usage: Usage) {
        self.cpu = self.cpu.max(usage.cpu);
        self.peak_resident = self.peak_resident.max(usage.resident);
    }

    fn usage_exceeded(&self, usage: Usage) -> Option<Outcome> {
        if usage.cpu.saturating_sub(self.before) >= self.limits.cpu {
            return Some(Outcome::TimedOut);
        }
        let memory = usage.resident > self.limits.resident;
        let processes = usage.processes > self.limits.processes;
        let threads = usage.threads > THREADS;
        (memory || processes || threads).then_some(Outcome::OutOfMemory)
    }

    fn scratch_exceeded(&mut self, now: Instant) -> Option<Outcome> {
        let scratch = self.scratch?;
        if now < self.next_scratch {
            return None;
        }
        // A slow walk must not become all that the parent does.
        let deleted = match is_alone(self.limits) {
            true => self.group.leader_deleted_bytes(),
            false => self.group.deleted_bytes(),
        };
        let used = bytes_used(scratch).saturating_add(deleted);
        self.next_scratch = now + SCRATCH_INTERVAL.max(now.elapsed() * 5);
        (used > self.limits.scratch).then_some(Outcome::ScratchFull)
    }
}

fn group_interval(limits: &Limits) -> Duration {
    match is_alone(limits) {
        true => ALONE_INTERVAL,
        false => GROUP_INTERVAL,
    }
}

/// Whether the child may start no other process.
pub(crate) fn is_alone(limits: &Limits) -> bool {
    limits.processes <= 1
}
