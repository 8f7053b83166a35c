//! Trust stores: the certificate authorities for public hosts and for trusted hosts.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, Error as TlsError, RootCertStore};

/// The certificate authorities for public hosts, and those for trusted hosts, which may include additional ones.
#[derive(Clone)]
pub struct TrustStore {
    authorities: RootCertStore,
    public: Arc<ClientConfig>,
    trusted: Arc<ClientConfig>,
}

/// Why the trust store cannot be set up.
#[derive(Debug, Error)]
pub enum TrustStoreError {
    /// The system or the PEM text contains no certificate authorities.
    #[error("no certificate authorities found")]
    NoAuthorities,
    /// The text is not PEM, or contains an invalid certificate.
    #[error("a certificate authority cannot be parsed")]
    Unreadable,
    /// The certificate for TLS interception could not be generated.
    #[error("the certificate of the page proxy cannot be generated")]
    Certificate,
    /// The TLS library rejected its configuration.
    #[error("TLS cannot be set up: {0}")]
    Setup(#[from] TlsError),
}

impl TrustStore {
    /// The system's authorities, from its CA bundle or `SSL_CERT_FILE`. Reads files, so call it at start-up only.
    ///
    /// # Errors
    /// The system has no authorities, or TLS cannot be set up.
    pub fn system() -> Result<Self, TrustStoreError> {
        let mut authorities = RootCertStore::empty();
        authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        Self::of(authorities)
    }

    /// Only the authorities of a PEM text.
    ///
    /// # Errors
    /// The text contains no authority or an invalid one, or TLS cannot be set up.
    pub fn only(pem: &[u8]) -> Result<Self, TrustStoreError> {
        let mut authorities = RootCertStore::empty();
        add(&mut authorities, pem)?;
        Self::of(authorities)
    }

    /// Adds the authorities of a PEM text for trusted hosts only.
    ///
    /// # Errors
    /// The text contains no authority or an invalid one, or TLS cannot be set up.
    pub fn with_trusted_host_authorities(mut self, pem: &[u8]) -> Result<Self, TrustStoreError> {
        let mut authorities = self.authorities.clone();
        add(&mut authorities, pem)?;
        self.trusted = configuration(authorities)?;
        Ok(self)
    }

    /// The TLS configuration for public hosts, for clients that need no guard.
    #[must_use]
    pub fn client_config(&self) -> ClientConfig {
        ClientConfig::clone(&self.public)
    }

    /// Whether there are additional authorities for trusted hosts.
    pub(crate) fn has_trusted_host_authorities(&self) -> bool {
        !Arc::ptr_eq(&self.public, &self.trusted)
    }

    pub(crate) fn configuration(&self, trusted_host: bool) -> Arc<ClientConfig> {
        Arc::clone(if trusted_host {
            &self.trusted
        } else {
            &self.public
        })
    }

    fn of(authorities: RootCertStore) -> Result<Self, TrustStoreError> {
        if authorities.is_empty() {
            return Err(TrustStoreError::NoAuthorities);
        }
        let public = configuration(authorities.clone())?;
        Ok(Self {
            authorities,
            trusted: Arc::clone(&public),
            public,
        })
    }
}

impl fmt::Debug for TrustStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TrustStore")
            .field("authorities", &self.authorities.len())
            .finish_non_exhaustive()
    }
}

fn add(authorities: &mut RootCertStore, pem: &[u8]) -> Result<(), TrustStoreError> {
    let mut found = false;
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|_| TrustStoreError::Unreadable)?;
        authorities
            .add(certificate)
            .map_err(|_| TrustStoreError::Unreadable)?;
        found = true;
    }
    found.then_some(()).ok_or(TrustStoreError::NoAuthorities)
}

fn configuration(authorities: RootCertStore) -> Result<Arc<ClientConfig>, TrustStoreError> {
    let mut configuration = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(authorities)
        .with_no_client_auth();
    configuration.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(configuration))
}

#[cfg(test)]
mod tests {
    use super::{TrustStore, TrustStoreError};

    #[test]
    fn the_system_has_authorities() {
        assert!(TrustStore::system().is_ok());
    }

    #[test]
    fn missing_or_invalid_authorities_are_errors() {
        assert!(matches!(
            TrustStore::only(b""),
            Err(TrustStoreError::NoAuthorities)
        ));
        let junk = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(matches!(
            TrustStore::only(junk),
            Err(TrustStoreError::Unreadable)
        ));
    }
}
