//! Implements the domain's port [`CallReceivers`]: posts webhook deliveries.

use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;
use domain::ports::CallReceivers;
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFailure, DeliveryOutcome, TIMEOUT};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::client::Client;
use crate::error::FetchError;
use crate::retry_after::retry_after;
use crate::send::{PostRequest, Response};

/// Posts deliveries to the URLs of subscriptions.
#[derive(Clone)]
pub struct Receivers {
    client: Client,
}

impl Receivers {
    /// Delivers with `client`.
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self { client }
    }

    /// Checks the URL again, because the policy may have changed since registration, and posts the delivery.
    async fn call(
        &self,
        url: &SourceUrl,
        headers: HeaderMap,
        body: &str,
    ) -> Result<Response, FetchError> {
        let post = PostRequest {
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
    ) -> DeliveryOutcome {
        match self.call(url, header_map(headers), body).await {
            Ok(response) => DeliveryOutcome::Responded {
                status: response.status,
                retry_after: retry_after(&response.headers, SystemTime::now()),
            },
            Err(error) => DeliveryOutcome::NoResponse(to_delivery_failure(&error)),
        }
    }
}

/// Drops invalid header values. A receiver that requires the header then rejects the delivery.
fn header_map(headers: &[(&'static str, String)]) -> HeaderMap {
    let pairs = headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::try_from(*name).ok()?;
        Some((name, HeaderValue::try_from(value).ok()?))
    });
    pairs.collect()
}

fn to_delivery_failure(error: &FetchError) -> DeliveryFailure {
    tracing::info!(%error, step = ?error.step(), "webhook delivery got no response");
    match error {
        FetchError::InvalidUrl | FetchError::Blocked => DeliveryFailure::UrlBlocked,
        FetchError::TimedOut => DeliveryFailure::TimedOut,
        FetchError::Failed(_) | FetchError::TooLarge | FetchError::Sink(_) => {
            DeliveryFailure::ConnectionFailed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::FailedStep;

    #[test]
    fn fetch_errors_map_to_delivery_failures() {
        for (error, expected) in [
            (FetchError::InvalidUrl, DeliveryFailure::UrlBlocked),
            (FetchError::Blocked, DeliveryFailure::UrlBlocked),
            (FetchError::TimedOut, DeliveryFailure::TimedOut),
            (
                FetchError::Failed(FailedStep::Tls),
                DeliveryFailure::ConnectionFailed,
            ),
        ] {
            assert_eq!(to_delivery_failure(&error), expected, "{error:?}");
        }
    }
}
