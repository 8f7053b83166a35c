//! Test environment of the conformance suite: clock, random numbers, and an HTTP client for presigned URLs.

use async_trait::async_trait;
use domain::ports::{
    Accounts, Callers, Deliveries, Erasure, Events, Jobs, Keys, Library, Objects, Outbox,
    PresignedGet, Queues, Secrets, Subscriptions, UploadForm, Uploads, Usage,
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

/// Response to a GET of a presigned URL.
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

/// The environment in which ports are tested.
#[async_trait]
pub trait Environment: Send + Sync {
    /// The present time.
    fn now(&self) -> Timestamp;
    /// A unique random number.
    fn random(&self) -> u128;
    /// PUTs `body` to a presigned URL with exactly these headers and its `Content-Length`; returns the response status.
    async fn put(&self, url: &str, headers: &[(String, String)], body: Vec<u8>) -> u16;
    /// GETs a presigned URL.
    async fn get(&self, url: &str) -> Download;
    /// GETs an engine function's input with the signed headers.
    async fn get_input(&self, request: &PresignedGet) -> Download;
    /// POSTs `file` with the fields of the form, then its media type; returns the response status.
    async fn post(&self, form: &UploadForm, content_type: &str, file: Vec<u8>) -> u16;
}
