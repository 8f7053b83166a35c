//! What the owner may change of a document.

use crate::filename::Filename;
use crate::timestamp::Timestamp;

use super::record::{Document, DocumentStatus};

/// A change; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Another name.
    pub filename: Option<Filename>,
    /// Another folder.
    pub folder_id: Option<String>,
    /// Another group, or none.
    pub group_id: Option<Option<String>>,
    /// Other tags, as they are kept.
    pub tags: Option<Vec<String>>,
    /// Whether it is put away.
    pub archived: Option<bool>,
}

impl Change {
    /// The document after the change; `None` when it is as it was.
    #[must_use]
    pub fn apply(&self, document: &Document, now: Timestamp) -> Option<Document> {
        let mut changed = document.clone();
        if let Some(filename) = &self.filename {
            changed.filename = filename.clone();
        }
        if let Some(folder_id) = &self.folder_id {
            changed.folder_id = folder_id.clone();
        }
        if let Some(group_id) = &self.group_id {
            changed.group_id = group_id.clone();
        }
        if let Some(tags) = &self.tags {
            changed.tags = tags.clone();
        }
        changed.status = match (self.archived, document.status) {
            (Some(true), _) => DocumentStatus::Archived,
            (Some(false), DocumentStatus::Archived) => DocumentStatus::Ready,
            (_, status) => status,
        };
        (changed != *document).then(|| {
            changed.revision = document.revision + 1;
            changed.updated_at = now;
            changed
        })
    }
}
