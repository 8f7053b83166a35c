//! TLS interception for trusted hosts whose certificate authority is not in the browser's trust store.
//!
//! The proxy verifies the host's certificate itself and presents a self-signed certificate to the browser, which accepts
//! its key by a command-line option. TLS to all other hosts is passed through and verified by the browser.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertifiedKey, PublicKeyData as _, generate_simple_self_signed};
use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::trust::TrustStoreError;

/// Terminates the browser's TLS connections to trusted hosts.
#[derive(Clone)]
pub(super) struct TlsInterceptor {
    /// Accepts the browser's TLS connection.
    pub(super) acceptor: TlsAcceptor,
    /// Base64 SHA-256 of the SPKI, the format of Chromium's `--ignore-certificate-errors-spki-list`.
    pub(super) key_hash: String,
}

impl TlsInterceptor {
    /// Generates a key, which never leaves this process, and a self-signed certificate.
    pub(super) fn generate() -> Result<Self, TrustStoreError> {
        let generated = generate_simple_self_signed(["page-proxy.invalid".to_owned()]);
        let CertifiedKey { cert, signing_key } =
            generated.map_err(|_| TrustStoreError::Certificate)?;
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], private)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            key_hash: STANDARD.encode(Sha256::digest(signing_key.subject_public_key_info())),
        })
    }
}
