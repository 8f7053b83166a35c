//! Exponential back-off with full jitter for write conflicts and throttling, limited to two seconds.

use std::time::Duration;

use domain::ports::PortError;
use tokio::time::Instant;

const BUDGET: Duration = Duration::from_secs(2);
const BASE_DELAY: Duration = Duration::from_millis(25);
const MAX_DELAY: Duration = Duration::from_millis(400);

/// The remaining time for retries of one operation.
pub(crate) struct RetryBudget {
    ends: Instant,
    attempt: u32,
}

impl RetryBudget {
    /// A budget of two seconds, starting now.
    pub(crate) fn new() -> Self {
        Self {
            ends: Instant::now() + BUDGET,
            attempt: 0,
        }
    }

    /// Sleeps for the next back-off delay.
    ///
    /// # Errors
    /// [`PortError::Contended`] if the budget is exhausted.
    pub(crate) async fn wait(&mut self) -> Result<(), PortError> {
        let pause = BASE_DELAY
            .saturating_mul(1 << self.attempt.min(8))
            .min(MAX_DELAY)
            .mul_f64(rand::random_range(0.0..1.0));
        self.attempt += 1;
        if Instant::now() + pause > self.ends {
            return Err(PortError::Contended);
        }
        tokio::time::sleep(pause).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_end_after_two_seconds_and_several_attempts() {
        let start = Instant::now();
        let mut retries = RetryBudget::new();
        let mut attempts = 0;
        while retries.wait().await.is_ok() {
            attempts += 1;
        }
        assert!((6..200).contains(&attempts), "{attempts}");
        assert!(start.elapsed() <= BUDGET);
        assert!(start.elapsed() >= BUDGET - MAX_DELAY);
    }
}
