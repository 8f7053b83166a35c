//! Where a job stands, and where it may go from there.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// Accepted; no processor has taken it yet.
    Queued,
    /// A processor works on it.
    Processing,
    /// An attempt failed for a reason that may pass; another one is due.
    Retrying,
    /// The result is there.
    Completed,
    /// The input or the request is at fault, or the job was cancelled.
    Failed,
    /// The service is at fault and has used up its attempts.
    DeadLetter,
}

impl JobStatus {
    /// Every status.
    pub const ALL: [Self; 6] = [
        Self::Queued,
        Self::Processing,
        Self::Retrying,
        Self::Completed,
        Self::Failed,
        Self::DeadLetter,
    ];

    /// The name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Retrying => "retrying",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::DeadLetter => "dead_letter",
        }
    }

    /// Whether the job has ended.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::DeadLetter)
    }

    /// Whether a job may move from here to `next`.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        match self {
            Self::Queued => matches!(next, Self::Processing | Self::Failed | Self::DeadLetter),
            Self::Processing => matches!(
                next,
                Self::Completed | Self::Failed | Self::Retrying | Self::DeadLetter
            ),
            Self::Retrying => matches!(next, Self::Processing | Self::Failed | Self::DeadLetter),
            Self::DeadLetter => next == Self::Queued,
            Self::Completed | Self::Failed => false,
        }
    }
}

impl fmt::Display for JobStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_decided_edges_are_legal() {
        use JobStatus::{Completed, DeadLetter, Failed, Processing, Queued, Retrying};
        let legal = [
            (Queued, Processing),
            (Queued, Failed),
            (Queued, DeadLetter),
            (Processing, Completed),
            (Processing, Failed),
            (Processing, Retrying),
            (Processing, DeadLetter),
            (Retrying, Processing),
            (Retrying, Failed),
            (Retrying, DeadLetter),
            (DeadLetter, Queued),
        ];
        for from in JobStatus::ALL {
            for to in JobStatus::ALL {
                assert_eq!(
                    from.may_become(to),
                    legal.contains(&(from, to)),
                    "{from} to {to}"
                );
            }
        }
    }
}
