//! Why the content of a result was not compared with that of its source.

use serde::{Deserialize, Serialize};

/// The reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unverified {
    /// The source is encrypted.
    Password,
    /// The result has selected pages of a source that is not divided into pages.
    Pages,
    /// The result is a selected table.
    Table,
    /// The source or the result cannot be read.
    Unreadable,
}

impl Unverified {
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Password => {
                "Nothing shows that the result is complete: the source is encrypted, so its words were not counted."
            }
            Self::Pages => {
                "Nothing shows that the result is complete: which words are on the selected pages is not known."
            }
            Self::Table => {
                "Nothing shows that the result is complete: which words are in the selected table is not known."
            }
            Self::Unreadable => {
                "Nothing shows that the result is complete: the words of the source or of the result could not be counted."
            }
        }
    }
}
