//! Deliveries: a small body sent by POST, and the beginning of the response.

use std::fmt;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method};
use tokio::time::{Instant, timeout_at};

use crate::client::Client;
use crate::error::FetchError;
use crate::remote_url::RemoteUrl;
use crate::source::Limits;
use crate::transport::Message;

/// How much of a response is read.
pub const MAX_RESPONSE_BYTES: usize = 4096;

/// A message to deliver.
#[derive(Clone)]
pub struct Post {
    /// Where to.
    pub url: RemoteUrl,
    /// Content type, signature and the like; those that frame the message or name the host are left out.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// What the receiver answered.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// Its status, whatever it is: a redirect is not followed.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, cut after [`MAX_RESPONSE_BYTES`], or where it broke off or ran out of time.
    pub body: Bytes,
}

impl Client {
    /// Delivers a message and reads the beginning of the response, all of it `within` that time.
    ///
    /// # Errors
    /// See [`FetchError`]: no status came back. Once it did, the delivery has a response, however its body ends.
    pub async fn send(&self, post: &Post, within: Duration) -> Result<Response, FetchError> {
        let deadline = Instant::now() + within;
        let limits = Limits {
            connect: within,
            headers: within,
            total: within,
            bytes: MAX_RESPONSE_BYTES as u64,
        };
        let url = self.policy().judge(post.url.url().clone())?;
        let response = timeout_at(deadline, self.exchange(&url, message(post), &limits)).await;
        let mut response = response.map_err(|_| FetchError::TimedOut)??;
        let mut body = BytesMut::new();
        timeout_at(deadline, read_beginning(&mut response, &mut body))
            .await
            .ok();
        body.truncate(MAX_RESPONSE_BYTES);
        Ok(Response {
            status: response.status().as_u16(),
            headers: std::mem::take(response.headers_mut()),
            body: body.freeze(),
        })
    }
}

fn message(post: &Post) -> Message<'_> {
    Message {
        method: Method::POST,
        headers: &post.headers,
        accept_encoding: "identity",
        body: post.body.clone(),
    }
}

async fn read_beginning(response: &mut reqwest::Response, beginning: &mut BytesMut) {
    while beginning.len() < MAX_RESPONSE_BYTES
        && let Ok(Some(chunk)) = response.chunk().await
    {
        beginning.extend_from_slice(&chunk);
    }
}

impl fmt::Debug for Post {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Post")
            .field("url", &self.url)
            .field("headers", &"***")
            .field("body", &"***")
            .finish()
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("status", &self.status)
            .field("headers", &"***")
            .field("body", &"***")
            .finish()
    }
}
