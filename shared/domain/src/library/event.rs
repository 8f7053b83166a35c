//! Events of saved documents.

use crate::event::{DocumentEventData, Event, EventData, EventType};
use crate::id::{AccountId, EventId};
use crate::timestamp::Timestamp;

use super::record::Version;
use super::removal::Removal;

impl DocumentEventData {
    fn of_version(version: &Version) -> Self {
        Self {
            document_id: version.document_id.clone(),
            version_id: Some(version.id.clone()),
            job_id: version.job_id.clone(),
            filename: Some(version.filename.clone()),
            content_type: Some(version.content_type.clone()),
            size_bytes: Some(version.size_bytes),
        }
    }
}

impl Event {
    /// Creates the event of an import with its first version.
    #[must_use]
    pub fn of_import(version: &Version) -> Self {
        let data = DocumentEventData::of_version(version);
        let (name, at) = (EventType::DocumentImported, version.created_at);
        Self::of_document(name, &version.account_id, version.id.as_str(), at, data)
    }

    /// Creates the event of a version that a job created.
    #[must_use]
    pub fn of_version(version: &Version) -> Self {
        let data = DocumentEventData::of_version(version);
        let (name, at) = (EventType::DocumentVersionCreated, version.created_at);
        Self::of_document(name, &version.account_id, version.id.as_str(), at, data)
    }

    /// Creates the event of a deletion.
    #[must_use]
    pub fn of_removal(removal: &Removal) -> Self {
        let document = &removal.document_id;
        let data = DocumentEventData::of(document);
        let (name, at) = (EventType::DocumentDeleted, removal.removed_at);
        Self::of_document(name, &removal.account_id, document.as_str(), at, data)
    }

    fn of_document(
        event_type: EventType,
        account: &AccountId,
        name: &str,
        occurred_at: Timestamp,
        data: DocumentEventData,
    ) -> Self {
        Self {
            // Deletion and creation of a version happen once, at a stored time: a retry uses the same time and so the same
            // identifier.
            id: EventId::derive(occurred_at, &format!("{name}/{event_type}")),
            event_type,
            account_id: account.clone(),
            occurred_at,
            data: EventData::Document(data),
        }
    }
}
