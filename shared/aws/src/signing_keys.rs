//! The signing keys of the user pool, which its issuer publishes over HTTP.

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
/// Where an issuer publishes its keys, behind its own URL.
const KEY_SET: &str = ".well-known/jwks.json";
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// A key set holds two or three keys of some 400 bytes.
const MOST_BYTES: usize = 64 * 1024;

impl Services {
    /// The JSON Web Key Set of `issuer`.
    pub(crate) async fn key_set(&self, issuer: &str) -> Result<Value, PortError> {
        let url = address(issuer, self.config.endpoint_url())?;
        let body = get(url).await?;
        serde_json::from_slice(&body)
            .map_err(|_| unavailable(SERVICE, "its signing keys are not JSON"))
    }
}

async fn get(url: Url) -> Result<Vec<u8>, PortError> {
    let failed = |error: reqwest::Error| unavailable(SERVICE, error.without_url().to_string());
    let mut response = client()?.get(url).send().await.map_err(failed)?;
    let status = response.status();
    if !status.is_success() {
        return Err(unavailable(SERVICE, format!("answered {status}")));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        body.extend_from_slice(&chunk);
        if body.len() > MOST_BYTES {
            return Err(unavailable(SERVICE, "its signing keys are too large"));
        }
    }
    Ok(body)
}

/// A client that trusts the system's authorities. It takes plain HTTP, too, for the local stack, whose endpoint comes from
/// the environment.
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
        .timeout(ANSWER_WITHIN)
        .http1_only()
        .build()
        .map_err(|error| unavailable(SERVICE, error.to_string()))
}

/// Where the keys of `issuer` are. On a local stack, whose endpoint stands for all of AWS, a pool's issuer keeps its
/// AWS name, and the last part of that is the path of the pool.
fn address(issuer: &str, endpoint: Option<&str>) -> Result<Url, PortError> {
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
            address(issuer, None).unwrap().as_str(),
            "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc/.well-known/jwks.json"
        );
        assert_eq!(
            address(issuer, Some("http://localhost:4566/"))
                .unwrap()
                .as_str(),
            "http://localhost:4566/eu-central-1_Abc/.well-known/jwks.json"
        );
    }
}
