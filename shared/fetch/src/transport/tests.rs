//! Which addresses reqwest connects to, without the policy.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use super::*;
use crate::trust::TrustStore;

const STEP: Duration = Duration::from_secs(5);

/// Serves one TLS connection with the given certificate and returns the head of the request.
async fn serve(listener: TcpListener, certified: CertifiedKey<rcgen::KeyPair>) -> String {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(
        certified.signing_key.serialize_der(),
    ));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    let mut stream = TlsAcceptor::from(Arc::new(config))
        .accept(stream)
        .await
        .unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let response = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    stream.write_all(response).await.unwrap();
    stream.shutdown().await.unwrap();
    String::from_utf8(head).unwrap()
}

async fn get(url: &str, addresses: &[SocketAddr], trust: &TrustStore) -> Result<u16, FetchError> {
    let url = RemoteUrl::admitted(Url::parse(url).unwrap());
    let message = OutgoingRequest {
        method: Method::GET,
        headers: &HeaderMap::new(),
        accept_encoding: "identity",
        body: Bytes::new(),
    };
    let options = ConnectOptions {
        addresses: addresses.to_vec(),
        tls: trust.configuration(false),
        connect: STEP,
        headers: STEP,
    };
    let response = exchange(&url, message, options).await?;
    Ok(response.status().as_u16())
}

#[tokio::test]
async fn an_ip_literal_needs_a_certificate_for_that_address() {
    for host in ["127.0.0.1", "[::1]"] {
        let name = host.trim_matches(['[', ']']).to_owned();
        for (certified, works) in [(name, true), ("example.com".to_owned(), false)] {
            let listener = TcpListener::bind(format!("{host}:0")).await.unwrap();
            let address = listener.local_addr().unwrap();
            let certified = generate_simple_self_signed([certified]).unwrap();
            let trust = TrustStore::only(certified.cert.pem().as_bytes()).unwrap();
            let server = tokio::spawn(serve(listener, certified));
            let outcome = get(&format!("https://{address}/"), &[address], &trust).await;
            if works {
                assert_eq!(outcome.unwrap(), 200);
                let host = format!("\r\nhost: {address}\r\n");
                assert!(server.await.unwrap().contains(&host));
            } else {
                let tls = matches!(outcome, Err(FetchError::Failed(FailedStep::Tls)));
                assert!(tls, "{outcome:?}");
            }
        }
    }
}

#[tokio::test]
async fn an_ip_literal_other_than_the_checked_address_is_blocked() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let trust = TrustStore::system().unwrap();
    let other = SocketAddr::new(address.ip(), address.port() ^ 1);
    for checked in [&[][..], &[other], &[address, other]] {
        let outcome = get(&format!("https://{address}/"), checked, &trust).await;
        assert!(matches!(outcome, Err(FetchError::Blocked)), "{outcome:?}");
    }
    let never = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
    assert!(never.is_err());
}

/// Every machine resolves `localhost`, here to an address other than the checked one.
#[tokio::test]
async fn a_name_is_connected_to_at_the_checked_address_and_port_only() {
    let decoy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let certified = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let trust = TrustStore::only(certified.cert.pem().as_bytes()).unwrap();
    let server = tokio::spawn(serve(listener, certified));
    let port = decoy.local_addr().unwrap().port();
    let outcome = get(&format!("https://localhost:{port}/"), &[address], &trust).await;
    assert_eq!(outcome.unwrap(), 200);
    let host = format!("\r\nhost: localhost:{port}\r\n");
    assert!(server.await.unwrap().contains(&host));
    let never = tokio::time::timeout(Duration::from_millis(50), decoy.accept()).await;
    assert!(never.is_err());
}

#[tokio::test]
async fn only_the_name_in_the_url_resolves() {
    let checked = CheckedResolver {
        host: "example.com".to_owned(),
        addresses: vec![([93, 184, 216, 34], 443).into()],
    };
    for (name, found) in [("example.com", 1), ("localhost", 0), ("www.example.com", 0)] {
        let addresses = checked.resolve(name.parse().unwrap()).await;
        assert_eq!(addresses.map_or(0, Iterator::count), found, "{name}");
    }
}
