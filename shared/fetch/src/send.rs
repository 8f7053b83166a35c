//! Deliveries: a small body sent by POST, and the beginning of the answer.

use std::fmt;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout_at};

use crate::client::Client;
use crate::error::FetchError;
use crate::exchange::Message;
use crate::limits::Limits;
use crate::remote_url::RemoteUrl;

/// How much of an answer is read.
pub const MAX_ANSWER_BYTES: usize = 4096;

/// A message to deliver.
#[derive(Clone)]
pub struct Post {
    /// Where to.
    pub url: RemoteUrl,
    /// Content type, signature and the like; those that frame the message or name the host are left out.
    pub headers: HeaderMap,
    /// What is said.
    pub body: Bytes,
}

/// What the receiver said.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its status, whatever it is: a redirect is not followed.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, cut after [`MAX_ANSWER_BYTES`], or where it broke off or ran out of time.
    pub body: Bytes,
}

impl Client {
    /// Delivers a message and reads the beginning of the answer, all of it `within` that time.
    ///
    /// # Errors
    /// See [`FetchError`]: no status came back. Once it did, the delivery has an answer, however its body ends.
    pub async fn send(&self, post: &Post, within: Duration) -> Result<Answer, FetchError> {
        let deadline = Instant::now() + within;
        let limits = Limits {
            connect: within,
            headers: within,
            total: within,
            bytes: MAX_ANSWER_BYTES as u64,
        };
        let url = self.policy().judge(post.url.url().clone())?;
        let answer = timeout_at(deadline, self.exchange(&url, message(post), &limits)).await;
        let mut answer = answer.map_err(|_| FetchError::TimedOut)??;
        let mut body = BytesMut::new();
        timeout_at(deadline, read_beginning(&mut answer.body, &mut body))
            .await
            .ok();
        body.truncate(MAX_ANSWER_BYTES);
        Ok(Answer {
            status: answer.head.status.as_u16(),
            headers: answer.head.headers,
            body: body.freeze(),
        })
    }
}

fn message(post: &Post) -> Message<'_> {
    Message {
        method: Method::POST,
        headers: &post.headers,
        accept_encoding: HeaderValue::from_static("identity"),
        body: post.body.clone(),
    }
}

async fn read_beginning(body: &mut Incoming, beginning: &mut BytesMut) {
    while beginning.len() < MAX_ANSWER_BYTES {
        let Some(Ok(frame)) = body.frame().await else {
            return;
        };
        beginning.extend_from_slice(frame.data_ref().map_or(&[], AsRef::as_ref));
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

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Answer")
            .field("status", &self.status)
            .field("headers", &"***")
            .field("body", &"***")
            .finish()
    }
}
