//! Speaks TLS with the browser for trusted hosts, whose authority no browser knows.
//!
//! The certificate of such a host is checked here, by the client's own rules; towards the browser stands a certificate of
//! this process, whose key the browser is told at its start. Every other host's TLS is the browser's business, and
//! passes untouched.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertifiedKey, PublicKeyData as _, generate_simple_self_signed};
use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::trust::TrustError;

/// What stands for trusted hosts towards a browser.
#[derive(Clone)]
pub(super) struct StandIn {
    /// Takes the browser's connection.
    pub(super) acceptor: TlsAcceptor,
    /// SHA-256 of the key, as browsers take it on their command line.
    pub(super) key: String,
}

impl StandIn {
    /// Makes a key that never leaves this process.
    pub(super) fn make() -> Result<Self, TrustError> {
        let made = generate_simple_self_signed(["stand-in.invalid".to_owned()]);
        let CertifiedKey { cert, signing_key } = made.map_err(|_| TrustError::NoStandIn)?;
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], private)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            key: STANDARD.encode(Sha256::digest(signing_key.subject_public_key_info())),
        })
    }
}
