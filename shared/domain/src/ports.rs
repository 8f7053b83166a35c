//! Ports to the environment: one trait per aggregate. The trait bounds of a function name the aggregates that it uses; its
//! IAM role restricts the calls.

mod accounts;
mod callers;
mod deliveries;
mod engine_functions;
mod erasure;
mod events;
mod jobs;
mod keys;
mod library;
mod objects;
mod outbox;
mod queues;
mod remote;
mod secrets;
mod subscriptions;
mod uploads;
mod usage;

use thiserror::Error;

pub use accounts::Accounts;
pub use callers::Callers;
pub use deliveries::{Deliveries, DeliveryPage, DueDelivery, DueDeliveryPage};
pub use engine_functions::{EngineFunctions, InvokeError, PresignedGet, UploadForm};
pub use erasure::{AccountRecord, AccountRecordPage, Erasure, IN_FLIGHT, UPLOAD_URL_LIFETIME};
pub use events::Events;
pub use jobs::{AcceptOutcome, Acceptance, JobPage, Jobs, PreviousRequest};
pub use keys::{KeyCreation, Keys};
pub use library::{
    DocumentSlice, ImportStarted, Library, PendingCleanup, PendingCleanupPage, Posting,
    PostingSlice, PreviousImport,
};
pub use objects::{ObjectMetadata, Objects, StoredObject};
pub use outbox::{Due, DuePage, DuePosition, Outbox, OutboxKey};
pub use queues::Queues;
pub use remote::{CallReceivers, FetchRemote, RemoteFile, RemoteFileError};
pub use secrets::Secrets;
pub use subscriptions::{Subscribed, SubscriptionPage, SubscriptionRequest, Subscriptions};
pub use uploads::{RecordedUpload, UploadGrant, Uploads};
pub use usage::Usage;

/// A call to the environment failed.
#[derive(Debug, Error)]
pub enum PortError {
    /// Concurrent writes to the same rows exhausted the retries. The caller may retry soon.
    #[error("too much contention on the same rows")]
    Contended,
    /// The service did not respond, rejected the call, or sent an unreadable response.
    #[error("{service}: {reason}")]
    Unavailable {
        /// The service.
        service: &'static str,
        /// Reason for operators, without secrets, content and URLs.
        reason: String,
    },
}
