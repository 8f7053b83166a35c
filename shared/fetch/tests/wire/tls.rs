//! TLS: certificates must match the host, be signed by a trusted authority, and be valid now.

use fetch::{FailedStep, FetchError, Policy, Source, TrustStore};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{Authority, Identity, Internet, Server, assert_fails, limits, ok};

async fn fails(internet: &Internet, identity: Identity) {
    let server = internet
        .serve_as("example.com", Some(identity), |_| ok("", b"x"))
        .await;
    let (outcome, sink) = internet.fetch("https://example.com/").await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Tls));
    assert_eq!(sink, b"");
    assert_eq!(server.requests(), [""; 0]);
}

#[tokio::test]
async fn invalid_certificates_are_rejected() {
    let internet = Internet::new();
    fails(&internet, Identity::self_signed("example.com")).await;
    fails(&internet, Authority::new().identity("example.com")).await;
    fails(
        &internet,
        internet.authority.expired_identity("example.com"),
    )
    .await;
    fails(&internet, internet.authority.identity("www.example.com")).await;
    fails(&internet, internet.authority.identity("93.184.216.1")).await;
}

#[tokio::test]
async fn the_handshake_sends_the_host_as_sni() {
    let internet = Internet::new();
    let server = internet.serve("example.com", |_| ok("", b"x")).await;
    let (outcome, _) = internet.fetch("https://example.com./").await;
    assert_eq!(outcome.unwrap().bytes, 1);
    assert_eq!(server.server_names(), [Some("example.com".to_owned())]);
}

#[tokio::test]
async fn no_request_is_sent_to_a_server_without_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let internet = Internet::new();
    internet.name("example.com", &[&["93.184.216.1"]]);
    internet.route("93.184.216.1:443", listener.local_addr().unwrap());
    let heard = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .await
            .unwrap();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).await.ok();
        heard
    });
    let (outcome, _) = internet.fetch("https://example.com/secret").await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Tls));
    let heard = String::from_utf8_lossy(&heard.await.unwrap()).into_owned();
    assert!(
        !heard.contains("GET") && !heard.contains("secret"),
        "{heard}"
    );
}

#[tokio::test]
async fn the_authority_of_trusted_hosts_is_not_trusted_for_other_hosts() {
    let company = Authority::new();
    let mut internet = Internet::new();
    let trust = TrustStore::only(internet.authority.pem().as_bytes())
        .unwrap()
        .with_trusted_host_authorities(company.pem().as_bytes())
        .unwrap();
    let server = Server::start(Some(company.identity("wiki.corp")), |_| ok("", b"x")).await;
    let port = server.address.port();
    let trusted = format!("wiki.corp:{port}=127.0.0.1").parse().unwrap();
    internet.policy = Policy::https(Vec::new(), trusted);
    let impostor = internet
        .serve_as("example.com", Some(company.identity("example.com")), |_| {
            ok("", b"x")
        })
        .await;

    let client = |trust: &TrustStore| fetch::Client::system(internet.policy.clone(), trust.clone());
    let source = Source::from(internet.url(&format!("https://wiki.corp:{port}/")));
    let outcome = client(&trust)
        .fetch(&source, &limits(), &mut Vec::new())
        .await;
    assert_eq!(outcome.unwrap().bytes, 1);
    let without = TrustStore::only(internet.authority.pem().as_bytes()).unwrap();
    let outcome = client(&without)
        .fetch(&source, &limits(), &mut Vec::new())
        .await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Tls));

    let client = internet.client_with(trust);
    let source = Source::from(internet.url("https://example.com/"));
    let outcome = client.fetch(&source, &limits(), &mut Vec::new()).await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Tls));
    assert_eq!(impostor.requests(), [""; 0]);
}
