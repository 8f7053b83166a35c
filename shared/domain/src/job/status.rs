//! Job statuses and the transitions between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

/// The status of a job.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    Display,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum JobStatus {
    /// Accepted and waiting for a processor.
    Queued,
    /// Claimed by a processor.
    Processing,
    /// An attempt failed with a transient error; another attempt is scheduled.
    Retrying,
    /// The result is available.
    Completed,
    /// The input or the request is invalid, or the job was cancelled.
    Failed,
    /// The service failed in every attempt.
    DeadLetter,
}

impl JobStatus {
    /// Every status.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the status is final.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::DeadLetter)
    }

    /// Whether a transition from this status to `next` is allowed.
    #[must_use]
    pub fn can_become(self, next: Self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_transitions_are_allowed() {
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
                    from.can_become(*to),
                    legal.contains(&(*from, *to)),
                    "{from} to {to}"
                );
            }
        }
    }
}
