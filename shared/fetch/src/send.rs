//! Sends a delivery by POST and reads the beginning of the response.

use std::fmt;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method};
use tokio::time::{Instant, timeout_at};

use crate::client::Client;
use crate::error::FetchError;
use crate::remote_url::RemoteUrl;
use crate::source::Limits;
use crate::transport::OutgoingRequest;

/// Maximum number of bytes read from a response body.
pub const MAX_RESPONSE_BYTES: usize = 4096;

/// A POST request to send.
#[derive(Clone)]
pub struct PostRequest {
    /// The receiver's URL.
    pub url: RemoteUrl,
    /// Headers such as content type and signature. Those that control framing or host are ignored.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// The receiver's response.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// The status code. Redirects are not followed.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, truncated after [`MAX_RESPONSE_BYTES`] or where reading failed or timed out.
    pub body: Bytes,
}

impl Client {
    /// Sends the request and reads the beginning of the response, within `time_limit`.
    ///
    /// # Errors
    /// See [`FetchError`]: no status was received. After the status, an incomplete body is no error.
    pub async fn send(
        &self,
        post: &PostRequest,
        time_limit: Duration,
    ) -> Result<Response, FetchError> {
        let deadline = Instant::now() + time_limit;
        let limits = Limits {
            connect: time_limit,
            headers: time_limit,
            total: time_limit,
            bytes: MAX_RESPONSE_BYTES as u64,
        };
        let url = self.policy().check(post.url.url().clone())?;
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

fn message(post: &PostRequest) -> OutgoingRequest<'_> {
    OutgoingRequest {
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

impl fmt::Debug for PostRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PostRequest")
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
