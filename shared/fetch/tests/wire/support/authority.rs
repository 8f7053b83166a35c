//! A certificate authority for tests, and the certificates that it signs.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd,
};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

pub(crate) struct Authority {
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

/// A server's certificate and private key.
#[derive(Clone)]
pub(crate) struct Identity(pub(crate) Arc<ServerConfig>);

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
            .distinguished_name
            .push(DnType::CommonName, "an authority of tests");
        let key = KeyPair::generate().unwrap();
        Self {
            certificate: params.self_signed(&key).unwrap(),
            issuer: Issuer::new(params, key),
        }
    }

    pub(crate) fn pem(&self) -> String {
        self.certificate.pem()
    }

    pub(crate) fn identity(&self, name: &str) -> Identity {
        self.sign(CertificateParams::new(vec![name.to_owned()]).unwrap())
    }

    pub(crate) fn expired_identity(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2019, 1, 1);
        params.not_after = date_time_ymd(2020, 1, 1);
        self.sign(params)
    }

    fn sign(&self, params: CertificateParams) -> Identity {
        let key = KeyPair::generate().unwrap();
        Identity::of(&params.signed_by(&key, &self.issuer).unwrap(), &key)
    }
}

impl Identity {
    pub(crate) fn self_signed(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        Self::of(&params.self_signed(&key).unwrap(), &key)
    }

    fn of(certificate: &Certificate, key: &KeyPair) -> Self {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        Self(Arc::new(config))
    }
}
