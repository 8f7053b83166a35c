//! Web pages over TLS, of trusted and other hosts.

use std::net::SocketAddr;
use std::sync::Arc;

use domain::job::JobErrorCode;
use engine::EngineError;
use engine_function::PAGE;
use fetch::TrustStore;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::internet::{Internet, html};
use crate::support::{engines_of, run, runtime};

/// Starts a server with a self-signed CA certificate and returns its address and the certificate.
fn serve(name: &str) -> (SocketAddr, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed([name.to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = runtime()
        .block_on(TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    runtime().spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(mut stream) = acceptor.accept(stream).await {
                    assert!(stream.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0));
                    stream.write_all(&html("<p>a page over TLS")).await.ok();
                    stream.shutdown().await.ok();
                }
            });
        }
    });
    (address, cert.pem())
}

#[test]
fn certificates_of_trusted_hosts_are_verified() {
    let internet = Internet::default();
    let (wiki, authority) = serve("wiki");
    let (fake, _) = serve("fake");
    internet.route("10.0.0.5:9443", wiki);
    internet.route("10.0.0.6:9443", fake);
    internet.name("site.example.com", &["93.184.216.34"]);
    internet.route("93.184.216.34:443", wiki);
    let trust = TrustStore::system().unwrap();
    let trust = trust
        .with_trusted_host_authorities(authority.as_bytes())
        .unwrap();
    let client = internet.client_of("wiki:9443=10.0.0.5,fake:9443=10.0.0.6", trust);
    let engines = engines_of(client, PAGE);
    let text = run(&engines, "https://wiki:9443/").unwrap();
    assert!(text.contains("a page over TLS"), "{text}");
    // The browser rejects certificates of other hosts, the proxy those of trusted hosts.
    for url in ["https://site.example.com/", "https://fake:9443/"] {
        match run(&engines, url) {
            Err(EngineError::Document(error)) => {
                assert_eq!(error.code, JobErrorCode::FetchFailed, "{url}")
            }
            other => panic!("{url}: {other:?}"),
        }
    }
}
