//! The port through which deliveries reach the receivers of customers.

use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;
use domain::ports::CallReceivers;
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFault, Outcome, TIMEOUT};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::client::Client;
use crate::error::FetchError;
use crate::retry_after::retry_after;
use crate::send::{Post, Response};

/// Posts messages to the URLs of subscriptions.
#[derive(Clone)]
pub struct Receivers {
    client: Client,
}

impl Receivers {
    /// Receivers that `client` reaches.
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self { client }
    }

    /// The URL is judged again: what is allowed may have changed since it was registered.
    async fn call(
        &self,
        url: &SourceUrl,
        headers: HeaderMap,
        body: &str,
    ) -> Result<Response, FetchError> {
        let post = Post {
            url: self.client.policy().admit(url.reveal())?,
            headers,
            body: Bytes::copy_from_slice(body.as_bytes()),
        };
        self.client.send(&post, TIMEOUT).await
    }
}

#[async_trait]
impl CallReceivers for Receivers {
    async fn call_receiver(
        &self,
        url: &SourceUrl,
        headers: &[(&'static str, String)],
        body: &str,
    ) -> Outcome {
        match self.call(url, header_map(headers), body).await {
            Ok(response) => Outcome::Answered {
                status: response.status,
                retry_after: retry_after(&response.headers, SystemTime::now()),
            },
            Err(error) => Outcome::NoAnswer(fault(&error)),
        }
    }
}

/// What cannot stand in a header is left out: a receiver that needs it then refuses the message.
fn header_map(headers: &[(&'static str, String)]) -> HeaderMap {
    let pairs = headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::try_from(*name).ok()?;
        Some((name, HeaderValue::try_from(value).ok()?))
    });
    pairs.collect()
}

fn fault(error: &FetchError) -> DeliveryFault {
    tracing::info!(%error, step = ?error.step(), "a receiver did not answer");
    match error {
        FetchError::InvalidUrl | FetchError::Blocked => DeliveryFault::UrlBlocked,
        FetchError::TimedOut => DeliveryFault::TimedOut,
        FetchError::Failed(_) | FetchError::TooLarge | FetchError::Sink(_) => {
            DeliveryFault::ConnectionFailed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Failure;

    #[test]
    fn every_way_to_no_answer_has_its_name() {
        for (error, expected) in [
            (FetchError::InvalidUrl, DeliveryFault::UrlBlocked),
            (FetchError::Blocked, DeliveryFault::UrlBlocked),
            (FetchError::TimedOut, DeliveryFault::TimedOut),
            (
                FetchError::Failed(Failure::Tls),
                DeliveryFault::ConnectionFailed,
            ),
        ] {
            assert_eq!(fault(&error), expected, "{error:?}");
        }
    }
}
