//! The signing keys of the user pool, which its issuer publishes over HTTP.

use std::time::Duration;

use async_trait::async_trait;
use domain::ports::{PortError, ReadSigningKeys};
use http::Uri;
use http_body_util::{BodyExt, Empty, Limited};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::error::unavailable;
use crate::services::Services;

const SERVICE: &str = "identity provider";
/// Where an issuer publishes its keys, behind its own URL.
const KEY_SET: &str = ".well-known/jwks.json";
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// A key set holds two or three keys of some 400 bytes.
const MOST_BYTES: usize = 64 * 1024;

#[async_trait]
impl ReadSigningKeys for Services {
    async fn signing_keys(&self, issuer: &str) -> Result<Value, PortError> {
        let url = address(issuer, self.config.endpoint_url())?;
        let answer = tokio::time::timeout(ANSWER_WITHIN, get(url)).await;
        let body = answer.map_err(|_| unavailable(SERVICE, "no answer in time"))??;
        serde_json::from_slice(&body)
            .map_err(|_| unavailable(SERVICE, "its signing keys are not JSON"))
    }
}

async fn get(url: Uri) -> Result<Vec<u8>, PortError> {
    let failed = |error: &dyn std::error::Error| unavailable(SERVICE, error.to_string());
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(rustls::crypto::ring::default_provider())
        .map_err(|error| failed(&error))?
        // Plain HTTP is for the local stack, whose endpoint is what its environment says.
        .https_or_http()
        .enable_http1()
        .build();
    let client = Client::builder(TokioExecutor::new()).build::<_, Empty<bytes::Bytes>>(connector);
    let answer = client.get(url).await.map_err(|error| failed(&error))?;
    let status = answer.status();
    if !status.is_success() {
        return Err(unavailable(SERVICE, format!("answered {status}")));
    }
    let body = Limited::new(answer.into_body(), MOST_BYTES).collect().await;
    let body = body.map_err(|error| unavailable(SERVICE, error.to_string()))?;
    Ok(body.to_bytes().to_vec())
}

/// Where the keys of `issuer` are. On a local stack, whose endpoint stands for all of AWS, a pool's issuer keeps its
/// AWS name, and the last part of that is the path of the pool.
fn address(issuer: &str, endpoint: Option<&str>) -> Result<Uri, PortError> {
    let issuer = issuer.trim_end_matches('/');
    let base = match (endpoint, issuer.rsplit_once('/')) {
        (Some(endpoint), Some((_, pool))) => format!("{}/{pool}", endpoint.trim_end_matches('/')),
        _ => issuer.to_owned(),
    };
    format!("{base}/{KEY_SET}")
        .parse()
        .map_err(|_| unavailable(SERVICE, "the issuer is not a URL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lie_behind_the_issuer_and_locally_behind_the_endpoint() {
        let issuer = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc";
        assert_eq!(
            address(issuer, None).unwrap(),
            "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc/.well-known/jwks.json"
        );
        assert_eq!(
            address(issuer, Some("http://localhost:4566/")).unwrap(),
            "http://localhost:4566/eu-central-1_Abc/.well-known/jwks.json"
        );
    }
}
