//! What the conformance suite needs beside the ports: a clock, chance, and an HTTP client for presigned URLs.

use async_trait::async_trait;
use domain::ports::{
    Accounts, Callers, Deliveries, Erasure, Events, Jobs, Keys, Library, Objects, Outbox, Queues,
    Secrets, Subscriptions, Uploads, Usage,
};
use domain::timestamp::Timestamp;

/// Every port.
pub trait Ports:
    Accounts
    + Callers
    + Deliveries
    + Erasure
    + Events
    + Jobs
    + Keys
    + Library
    + Objects
    + Outbox
    + Queues
    + Secrets
    + Subscriptions
    + Uploads
    + Usage
{
}

impl<P> Ports for P where
    P: Accounts
        + Callers
        + Deliveries
        + Erasure
        + Events
        + Jobs
        + Keys
        + Library
        + Objects
        + Outbox
        + Queues
        + Secrets
        + Subscriptions
        + Uploads
        + Usage
{
}

/// The answer to a GET of a presigned URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: String,
    /// `Content-Disposition`.
    pub disposition: String,
    /// The bytes.
    pub body: Vec<u8>,
}

/// The world that ports are tried in.
#[async_trait]
pub trait World: Send + Sync {
    /// The present time.
    fn now(&self) -> Timestamp;
    /// A number that is not drawn again.
    fn random(&self) -> u128;
    /// Sends `body` to a presigned URL with exactly these headers (and the length that `body` has) and returns the
    /// status of the answer.
    async fn put(&self, url: &str, headers: &[(String, String)], body: Vec<u8>) -> u16;
    /// Reads a presigned URL.
    async fn get(&self, url: &str) -> Download;
}
