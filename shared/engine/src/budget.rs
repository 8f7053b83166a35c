//! Time budget of a job, shared by its children.

use std::time::{Duration, Instant};

use domain::engine_function::EngineResources;
use sandbox::Limits;

/// Deadline of a job.
///
/// It depends on the function only. A caller that has less time sets the stop flag of the request instead: a document is not
/// rejected as too slow because its caller was short of time.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    ends: Instant,
}

impl Budget {
    /// Starts the budget for all steps of a job.
    pub(crate) fn begin(resources: EngineResources) -> Self {
        Self {
            ends: Instant::now() + resources.work,
        }
    }

    /// Caps the wall-clock limit at the remaining time.
    pub(crate) fn cap(self, limits: Limits) -> Limits {
        Limits {
            wall: limits.wall.min(self.left()),
            ..limits
        }
    }

    fn left(self) -> Duration {
        self.ends.saturating_duration_since(Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use domain::engine_function::EngineFunction;

    use super::*;

    #[test]
    fn limits_are_capped_at_the_work_time_of_the_function() {
        for function in EngineFunction::ALL {
            let resources = function.resources();
            let budget = Budget::begin(resources);
            let wall = |wall| {
                let limits = Limits {
                    wall,
                    ..Limits::default()
                };
                budget.cap(limits).wall
            };
            assert_eq!(wall(Duration::from_secs(1)), Duration::from_secs(1));
            let longest = wall(Duration::MAX);
            assert!(longest <= resources.work && longest > resources.work / 2);
        }
    }
}
