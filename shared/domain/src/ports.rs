//! What the rules need of the world: one trait for each aggregate. A function names in its bounds the aggregates that it
//! works on; its role is what restricts the calls.

mod accounts;
mod callers;
mod deliveries;
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
pub use erasure::{Erasure, IN_FLIGHT, Trace, TracePage, UPLOADS_ARRIVE};
pub use events::Events;
pub use jobs::{Acceptance, Accepted, Earlier, JobPage, Jobs};
pub use keys::{KeyCreation, Keys};
pub use library::{
    Chore, ChorePage, DocumentSlice, EarlierImport, ImportBegun, Library, Posting, PostingSlice,
};
pub use objects::{Objects, SourceFacts};
pub use outbox::{Due, DuePage, DuePosition, Outbox, OutboxKey};
pub use queues::Queues;
pub use remote::{CallReceivers, FetchRemote, RemoteFault, RemoteFile};
pub use secrets::Secrets;
pub use subscriptions::{Subscribed, SubscriptionPage, SubscriptionRequest, Subscriptions};
pub use uploads::{Remembered, UploadGrant, Uploads};
pub use usage::Usage;

/// The world did not do what was asked of it.
#[derive(Debug, Error)]
pub enum PortError {
    /// Others write the same rows; the attempts allowed for that are used up. The caller may try again soon.
    #[error("too much contention on the same rows")]
    Contended,
    /// The service did not answer, refused, or answered something that cannot be read.
    #[error("{service}: {reason}")]
    Unavailable {
        /// Which service.
        service: &'static str,
        /// What it said, for operators; holds no secret, content or URL.
        reason: String,
    },
}
