//! Fetches the JSON Web Key Set of the user pool from its issuer.

use std::sync::Arc;
use std::time::Duration;

use domain::ports::PortError;
use reqwest::{Client, Url, redirect};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;

use crate::error::unavailable;
use crate::services::Services;

const SERVICE: &str = "identity provider";
/// Path of the key set, relative to the issuer's URL.
const JWKS_PATH: &str = ".well-known/jwks.json";
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of a key set, which has two or three keys of about 400 bytes.
const MAX_BYTES: usize = 64 * 1024;

impl Services {
    /// Fetches the JSON Web Key Set of `issuer`.
    pub(crate) async fn key_set(&self, issuer: &str) -> Result<Value, PortError> {
        let url = key_set_url(issuer, self.config.endpoint_url())?;
        let body = get(url).await?;
        serde_json::from_slice(&body).map_err(|_| unavailable(SERVICE, "the JWKS is not JSON"))
    }
}

async fn get(url: Url) -> Result<Vec<u8>, PortError> {
    let failed = |error: reqwest::Error| unavailable(SERVICE, error.without_url().to_string());
    let mut response = client()?.get(url).send().await.map_err(failed)?;
    let status = response.status();
    if !status.is_success() {
        return Err(unavailable(SERVICE, format!("responded with {status}")));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BYTES {
            return Err(unavailable(SERVICE, "the JWKS is too large"));
        }
    }
    Ok(body)
}

/// An HTTP client that trusts the system's certificate authorities. Allows plain HTTP for the local stack, whose endpoint
/// comes from the environment.
fn client() -> Result<Client, PortError> {
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if authorities.is_empty() {
        return Err(unavailable(
            SERVICE,
            "the system has no certificate authorities",
        ));
    }
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| unavailable(SERVICE, error.to_string()))?
        .with_root_certificates(authorities)
        .with_no_client_auth();
    Client::builder()
        .tls_backend_preconfigured(tls)
        .no_proxy()
        .redirect(redirect::Policy::none())
        .timeout(TIMEOUT)
        .http1_only()
        .build()
        .map_err(|error| unavailable(SERVICE, error.to_string()))
}

/// The URL of the key set of `issuer`. On a local stack, the issuer has its AWS URL, but its keys are served by the
/// emulator's endpoint under the last path segment of the issuer.
fn key_set_url(issuer: &str, endpoint: Option<&str>) -> Result<Url, PortError> {
    let issuer = issuer.trim_end_matches('/');
    let base = match (endpoint, issuer.rsplit_once('/')) {
        (Some(endpoint), Some((_, pool))) => format!("{}/{pool}", endpoint.trim_end_matches('/')),
        _ => issuer.to_owned(),
    };
    format!("{base}/{JWKS_PATH}")
        .parse()
        .map_err(|_| unavailable(SERVICE, "the issuer is not a URL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_set_is_below_the_issuer_or_below_the_local_endpoint() {
        let issuer = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc";
        assert_eq!(
            key_set_url(issuer, None).unwrap().as_str(),
            "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc/.well-known/jwks.json"
        );
        assert_eq!(
            key_set_url(issuer, Some("http://localhost:4566/"))
                .unwrap()
                .as_str(),
            "http://localhost:4566/eu-central-1_Abc/.well-known/jwks.json"
        );
    }
}
