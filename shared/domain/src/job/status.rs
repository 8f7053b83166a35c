//! Where a job stands, and where it may go from there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

/// Where a job stands.
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
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
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
                    from.may_become(*to),
                    legal.contains(&(*from, *to)),
                    "{from} to {to}"
                );
            }
        }
    }
}
