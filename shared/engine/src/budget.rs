//! The time that is left for a job, from which each child gets a part.

use std::time::{Duration, Instant};

use domain::operation::Processor;
use sandbox::Limits;

/// The time that is left.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    ends: Instant,
}

impl Budget {
    /// All steps of a job together: below the time-out of the processor's function (300 s for office documents, 180 s
    /// else), with room for fetching the source and storing the result.
    pub(crate) fn begin(processor: Processor) -> Self {
        let seconds = match processor {
            Processor::ProcessOffice => 240,
            Processor::ProcessPdf | Processor::ProcessImage => 140,
        };
        Self {
            ends: Instant::now() + Duration::from_secs(seconds),
        }
    }

    /// The limits, with the wall clock no longer than what is left.
    pub(crate) fn cap(self, limits: Limits) -> Limits {
        let left = self.ends.saturating_duration_since(Instant::now());
        Limits {
            wall: limits.wall.min(left),
            ..limits
        }
    }
}
