//! Changes of a document by its owner.

use crate::filename::Filename;
use crate::timestamp::Timestamp;

use super::record::{Document, DocumentStatus};

/// A partial update: `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// New name.
    pub filename: Option<Filename>,
    /// New folder.
    pub folder_id: Option<String>,
    /// New group; `Some(None)` removes the document from its group.
    pub group_id: Option<Option<String>>,
    /// New tags, normalized.
    pub tags: Option<Vec<String>>,
    /// Whether the document is archived.
    pub archived: Option<bool>,
}

impl Change {
    /// Returns the document after the change; `None` if nothing changed.
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
