//! Time budget of a job, shared by its children.

use std::time::{Duration, Instant};

use domain::processor::Processor;
use sandbox::Limits;

/// Deadline of a job.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    ends: Instant,
}

impl Budget {
    /// Starts the budget for all steps of a job: below the time-out of the processor's function, with room for fetching the
    /// source and storing the result.
    pub(crate) fn begin(processor: Processor) -> Self {
        let seconds = match processor {
            Processor::ProcessOffice => 240,
            Processor::ProcessPdf => 840,
            Processor::ProcessImage => 140,
            Processor::ProcessOcr | Processor::ProcessPipeline => 840,
            Processor::ProcessWeb => 90,
        };
        Self {
            ends: Instant::now() + Duration::from_secs(seconds),
        }
    }

    /// Caps the wall-clock limit at the remaining time.
    pub(crate) fn cap(self, limits: Limits) -> Limits {
        let left = self.ends.saturating_duration_since(Instant::now());
        Limits {
            wall: limits.wall.min(left),
            ..limits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time-out of a processor's function in seconds, as declared in `template.yaml`.
    fn timeout(function: &str) -> u64 {
        let template = concat!(env!("CARGO_MANIFEST_DIR"), "/../../template.yaml");
        let template = std::fs::read_to_string(template).unwrap();
        let mut lines = template.lines().skip_while(|line| *line != function);
        let seconds = lines.find_map(|line| line.trim().strip_prefix("Timeout: "));
        seconds.unwrap().parse().unwrap()
    }

    #[test]
    fn budget_ends_before_the_function_times_out() {
        for (processor, function) in [
            (Processor::ProcessOffice, "  ProcessOfficeFunction:"),
            (Processor::ProcessPdf, "  ProcessPdfFunction:"),
            (Processor::ProcessImage, "  ProcessImageFunction:"),
            (Processor::ProcessOcr, "  ProcessOcrFunction:"),
            (Processor::ProcessWeb, "  ProcessWebFunction:"),
            (Processor::ProcessPipeline, "  ProcessPipelineFunction:"),
        ] {
            let left = Budget::begin(processor).ends - Instant::now();
            let most = Duration::from_secs(timeout(function));
            assert!(left + Duration::from_secs(30) < most, "{function}");
            assert!(left > most / 2, "{function}");
        }
    }
}
