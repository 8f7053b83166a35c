//! Waiting for others who write the same rows: full jitter, two seconds in all.

use std::time::Duration;

use domain::ports::PortError;
use tokio::time::Instant;

const IN_ALL: Duration = Duration::from_secs(2);
const FIRST: Duration = Duration::from_millis(25);
const LONGEST: Duration = Duration::from_millis(400);

/// The waits between attempts at one write.
pub(crate) struct Patience {
    ends: Instant,
    attempt: u32,
}

impl Patience {
    /// Two seconds of it, from now on.
    pub(crate) fn new() -> Self {
        Self {
            ends: Instant::now() + IN_ALL,
            attempt: 0,
        }
    }

    /// Waits a random while before the next attempt.
    ///
    /// # Errors
    /// [`PortError::Contended`] when the two seconds are over.
    pub(crate) async fn wait(&mut self) -> Result<(), PortError> {
        let pause = FIRST
            .saturating_mul(1 << self.attempt.min(8))
            .min(LONGEST)
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
    async fn patience_ends_after_two_seconds_and_several_attempts() {
        let start = Instant::now();
        let mut patience = Patience::new();
        let mut attempts = 0;
        while patience.wait().await.is_ok() {
            attempts += 1;
        }
        assert!((6..200).contains(&attempts), "{attempts}");
        assert!(start.elapsed() <= IN_ALL);
        assert!(start.elapsed() >= IN_ALL - LONGEST);
    }
}
