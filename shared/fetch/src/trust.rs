//! Which certificate authorities a server's certificate may come from.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, Error as TlsError, RootCertStore};

/// The authorities of public hosts, and those of trusted hosts, who may have one more.
#[derive(Clone)]
pub struct Trust {
    authorities: RootCertStore,
    public: Arc<ClientConfig>,
    trusted: Arc<ClientConfig>,
}

/// Why no TLS connection could ever be trusted.
#[derive(Debug, Error)]
pub enum TrustError {
    /// The system has no certificate authorities, or the text holds none.
    #[error("there are no certificate authorities to trust")]
    NoAuthorities,
    /// The text is not PEM, or holds a certificate that cannot be an authority's.
    #[error("a certificate authority cannot be read")]
    Unreadable,
    /// No certificate could be made for browsers.
    #[error("no certificate can be made")]
    NoStandIn,
    /// The TLS library refuses its own defaults.
    #[error("TLS cannot be set up")]
    Setup(#[from] TlsError),
}

impl Trust {
    /// The authorities that the system trusts, as its package or `SSL_CERT_FILE` gives them. Reads files, so it is for
    /// start-up only.
    ///
    /// # Errors
    /// There are none, or TLS cannot be set up.
    pub fn system() -> Result<Self, TrustError> {
        let mut authorities = RootCertStore::empty();
        authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        Self::of(authorities)
    }

    /// The authorities of a PEM text and no others.
    ///
    /// # Errors
    /// There are none, one cannot be read, or TLS cannot be set up.
    pub fn only(pem: &[u8]) -> Result<Self, TrustError> {
        let mut authorities = RootCertStore::empty();
        add(&mut authorities, pem)?;
        Self::of(authorities)
    }

    /// Trusted hosts, and no others, may also have certificates from the authorities of a PEM text.
    ///
    /// # Errors
    /// There are none, one cannot be read, or TLS cannot be set up.
    pub fn with_authorities_of_trusted_hosts(mut self, pem: &[u8]) -> Result<Self, TrustError> {
        let mut authorities = self.authorities.clone();
        add(&mut authorities, pem)?;
        self.trusted = configuration(authorities)?;
        Ok(self)
    }

    /// Whether trusted hosts have an authority of their own.
    pub(crate) fn has_own_authority(&self) -> bool {
        !Arc::ptr_eq(&self.public, &self.trusted)
    }

    pub(crate) fn configuration(&self, trusted_host: bool) -> Arc<ClientConfig> {
        Arc::clone(if trusted_host {
            &self.trusted
        } else {
            &self.public
        })
    }

    fn of(authorities: RootCertStore) -> Result<Self, TrustError> {
        if authorities.is_empty() {
            return Err(TrustError::NoAuthorities);
        }
        let public = configuration(authorities.clone())?;
        Ok(Self {
            authorities,
            trusted: Arc::clone(&public),
            public,
        })
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Trust")
            .field("authorities", &self.authorities.len())
            .finish_non_exhaustive()
    }
}

fn add(authorities: &mut RootCertStore, pem: &[u8]) -> Result<(), TrustError> {
    let mut found = false;
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|_| TrustError::Unreadable)?;
        authorities
            .add(certificate)
            .map_err(|_| TrustError::Unreadable)?;
        found = true;
    }
    found.then_some(()).ok_or(TrustError::NoAuthorities)
}

fn configuration(authorities: RootCertStore) -> Result<Arc<ClientConfig>, TrustError> {
    let mut configuration = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(authorities)
        .with_no_client_auth();
    configuration.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(configuration))
}

#[cfg(test)]
mod tests {
    use super::{Trust, TrustError};

    #[test]
    fn the_system_has_authorities() {
        assert!(Trust::system().is_ok());
    }

    #[test]
    fn no_authority_is_a_fault_at_start() {
        assert!(matches!(Trust::only(b""), Err(TrustError::NoAuthorities)));
        let junk = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(matches!(Trust::only(junk), Err(TrustError::Unreadable)));
    }
}
