//! Medians and 95th percentiles.

use std::time::Duration;

/// A sample of durations in milliseconds.
#[derive(Default)]
pub(crate) struct Sample(Vec<f64>);

impl Sample {
    /// The percentile at `share`, 0 to 1 (nearest-rank method).
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted[rank.clamp(1, sorted.len()) - 1]
    }

    pub(crate) fn add(&mut self, milliseconds: f64) {
        self.0.push(milliseconds);
    }
}

impl FromIterator<Duration> for Sample {
    fn from_iter<I: IntoIterator<Item = Duration>>(durations: I) -> Self {
        let milliseconds = durations
            .into_iter()
            .map(|duration| duration.as_secs_f64() * 1_000.0);
        Self(milliseconds.collect())
    }
}

impl std::fmt::Display for Sample {
    /// Median and 95th percentile.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:>9.1}{:>9.1}",
            self.percentile(0.5),
            self.percentile(0.95)
        )
    }
}
