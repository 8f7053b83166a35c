//! Why the content of a result was not compared with that of its source.

use serde::{Deserialize, Serialize};

/// The reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unverified {
    /// The source cannot be read, and the request has a password.
    Password,
    /// The result has selected pages of a source that the converter divides into pages.
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
                "The content of the result was not compared with the source, because a password protects the source."
            }
            Self::Pages => {
                "The content of the result was not compared with the source, because pages are selected that only the converter knows."
            }
            Self::Table => {
                "The content of the result was not compared with the source, because a table is selected that only the converter knows."
            }
            Self::Unreadable => {
                "The content of the result was not compared with the source, because one of them could not be read."
            }
        }
    }
}
