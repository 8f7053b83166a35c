//! The proxy of a page, with hand-written requests in place of a browser.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fetch::{PageLimits, PageProxies, PageProxy, Policy, TrustStore};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    self, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use crate::support::{Identity, Internet, Reply, Server, Step, ok};

const LIMITS: PageLimits = PageLimits {
    bytes: 1_000_000,
    total: Duration::from_secs(10),
};

fn open(internet: &Internet, limits: PageLimits) -> PageProxy {
    let client = internet.client().with_plain_http();
    PageProxies::new(client, Handle::current())
        .unwrap()
        .open(&limits)
        .unwrap()
}

async fn connect(proxy: &PageProxy) -> TcpStream {
    TcpStream::connect(("127.0.0.1", proxy.port()))
        .await
        .unwrap()
}

/// Sends `request` and reads the proxy's response until it closes the connection.
async fn send(proxy: &PageProxy, request: &str) -> String {
    let mut stream = connect(proxy).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    // A cut connection counts as closed.
    stream.read_to_end(&mut response).await.ok();
    String::from_utf8_lossy(&response).into_owned()
}

async fn get(proxy: &PageProxy, url: &str) -> String {
    let request = format!("GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    send(proxy, &request).await
}

/// Sends CONNECT; returns the status and the tunnel.
async fn tunnel(proxy: &PageProxy, authority: &str) -> (String, TcpStream) {
    let mut stream = connect(proxy).await;
    let request = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    (status(&String::from_utf8(head).unwrap()), stream)
}

fn status(response: &str) -> String {
    response.split(' ').nth(1).unwrap_or_default().to_owned()
}

async fn plain(
    internet: &Internet,
    response: impl Fn(&str) -> Reply + Send + Sync + 'static,
) -> Server {
    internet.serve_as("site.example.com", None, response).await
}

#[tokio::test]
async fn a_request_is_forwarded_in_origin_form_without_hop_by_hop_headers() {
    let internet = Internet::new();
    let server = plain(&internet, |_| {
        ok("Connection: x-mine\r\nX-Mine: 1\r\nX-Kept: 2\r\n", b"page")
    })
    .await;
    let proxy = open(&internet, LIMITS);
    let response = send(
        &proxy,
        "POST http://site.example.com/a?b=c HTTP/1.1\r\nHost: other.example.com\r\nProxy-Connection: keep-alive\r\n\
         Proxy-Authorization: Basic eDp5\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nCookie: k=v\r\nContent-Length: 4\r\n\r\nform",
    )
    .await;
    assert_eq!(status(&response), "200");
    assert!(response.ends_with("\r\n\r\npage"), "{response}");
    assert!(
        response.contains("x-kept: 2") && !response.contains("x-mine"),
        "{response}"
    );
    let request = server.requests()[0].clone();
    assert!(request.starts_with("POST /a?b=c HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with("form"), "{request}");
    let request = request.to_lowercase();
    assert!(request.contains("host: site.example.com\r\n"), "{request}");
    assert!(request.contains("cookie: k=v"), "{request}");
    for gone in ["proxy-", "x-hop", "other.example.com"] {
        assert!(!request.contains(gone), "{request}");
    }
    assert!(!proxy.traffic().exceeded);
    assert!(proxy.traffic().bytes > 100);
}

#[tokio::test]
async fn a_tunnel_relays_bytes_unchanged_in_both_directions() {
    let internet = Internet::new();
    let server = Server::start(None, |_| vec!["\x16\x03binary".into()]).await;
    internet.name("site.example.com", &[&["93.184.216.1"]]);
    internet.route("93.184.216.1:443", server.address);
    let proxy = open(&internet, LIMITS);
    let (status, mut stream) = tunnel(&proxy, "site.example.com:443").await;
    assert_eq!(status, "200");
    stream.write_all(b"hello\r\n\r\n").await.unwrap();
    let mut response = [0; 8];
    stream.read_exact(&mut response).await.unwrap();
    assert_eq!(&response, b"\x16\x03binary");
    assert_eq!(server.requests(), ["hello\r\n\r\n"]);
}

#[tokio::test]
async fn non_public_targets_are_blocked_before_they_are_dialed() {
    let internet = Internet::new();
    internet.name("inside.example.com", &[&["10.0.0.1"]]);
    internet.name("mixed.example.com", &[&["93.184.216.1", "127.0.0.1"]]);
    let proxy = open(&internet, LIMITS);
    let own = format!("127.0.0.1:{}", proxy.port());
    let blocked = [
        "inside.example.com:443",
        "mixed.example.com:443",
        "127.0.0.1:443",
        "localhost:443",
        "127.8.9.10:9001",
        "169.254.169.254:80",
        "169.254.100.1:9001",
        "169.254.100.1:2000",
        "sandbox.localdomain:4243",
        "[::1]:443",
        "[fe80::1]:9001",
        "[::ffff:10.0.0.1]:443",
        "[::ffff:169.254.100.1]:9001",
        "[::ffff:7f00:1]:9001",
        "0x7f000001:443",
        "api.octavo.app:443",
        "site.example.com:22",
        "site.example.com:25",
        "site.example.com:6000",
        own.as_str(),
    ];
    for authority in blocked {
        let (status, _) = tunnel(&proxy, authority).await;
        assert_eq!(status, "403", "CONNECT {authority}");
        assert_eq!(status_of(&proxy, authority).await, "403", "GET {authority}");
        assert!(
            proxy.has_blocked(&format!("https://{authority}/page")),
            "{authority}"
        );
    }
    assert_eq!(status(&get(&proxy, "ftp://site.example.com/").await), "403");
    assert_eq!(
        status(&get(&proxy, "http://user:pass@site.example.com/").await),
        "403"
    );
    assert_eq!(proxy.traffic().blocked, 2 * blocked.len() as u32 + 2);
    assert!(!proxy.has_blocked("https://other.example.com/"));
    assert_eq!(internet.dialed(), [""; 0]);
}

/// The runtime API, the telemetry API and other services on loopback, even where a trusted host has that address.
#[tokio::test]
async fn services_of_the_platform_are_not_reached() {
    let (runtime_api, telemetry_api) = (listener().await, listener().await);
    let mut internet = Internet::new();
    let trusted = format!("api:{}=127.0.0.1", port(&runtime_api));
    let policy = Policy::https_or_http(Vec::new(), trusted.parse().unwrap());
    internet.policy = policy.with_own_endpoint(&runtime_api.local_addr().unwrap().to_string());
    internet.name("rebound.example.com", &[&["127.0.0.1"]]);
    let proxies = PageProxies::new(internet.client(), Handle::current()).unwrap();
    let proxy = proxies.open(&LIMITS).unwrap();
    for host in [
        "127.0.0.1",
        "localhost",
        "api",
        "rebound.example.com",
        "[::ffff:127.0.0.1]",
    ] {
        for listener in [&runtime_api, &telemetry_api] {
            let authority = format!("{host}:{}", port(listener));
            let (status, _) = tunnel(&proxy, &authority).await;
            assert_eq!(status, "403", "CONNECT {authority}");
            assert_eq!(
                status_of(&proxy, &authority).await,
                "403",
                "GET {authority}"
            );
        }
    }
    for listener in [runtime_api, telemetry_api] {
        let accepted = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(accepted.is_err(), "a connection was accepted");
    }
}

async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

fn port(listener: &TcpListener) -> u16 {
    listener.local_addr().unwrap().port()
}

async fn status_of(proxy: &PageProxy, authority: &str) -> String {
    status(&get(proxy, &format!("http://{authority}/")).await)
}

#[tokio::test]
async fn each_request_is_checked() {
    let internet = Internet::new();
    let server = plain(&internet, |_| {
        ok("Location: http://169.254.169.254/\r\n", b"")
    })
    .await;
    let public = internet.dialed();
    assert!(public.is_empty());
    internet.name("site.example.com", &[&["93.184.216.1"], &["127.0.0.1"]]);
    internet.route("93.184.216.1:80", server.address);
    let proxy = open(&internet, LIMITS);
    assert_eq!(
        status(&get(&proxy, "http://site.example.com/").await),
        "200"
    );
    // The redirect target is the browser's next request, and so is the same name after DNS rebinding.
    assert_eq!(status(&get(&proxy, "http://169.254.169.254/").await), "403");
    assert_eq!(
        status(&get(&proxy, "http://site.example.com/").await),
        "403"
    );
    let (status, _) = tunnel(&proxy, "site.example.com:80").await;
    assert_eq!(status, "403");
    assert_eq!(internet.dialed(), ["93.184.216.1:80"]);
}

#[tokio::test]
async fn plain_http_needs_a_policy_that_allows_it() {
    let internet = Internet::new();
    let _server = plain(&internet, |_| ok("", b"page")).await;
    let strict = PageProxies::new(internet.client(), Handle::current()).unwrap();
    let proxy = strict.open(&LIMITS).unwrap();
    assert_eq!(
        status(&get(&proxy, "http://site.example.com/").await),
        "403"
    );
    assert_eq!(internet.dialed(), [""; 0]);
}

#[tokio::test]
async fn trusted_hosts_are_reached_at_their_address() {
    let mut internet = Internet::new();
    internet.policy = Policy::https(Vec::new(), "wiki:8080=10.0.0.5".parse().unwrap());
    let server = Server::start(None, |_| ok("", b"inside")).await;
    internet.route("10.0.0.5:8080", server.address);
    let proxy = open(&internet, LIMITS);
    assert!(get(&proxy, "http://wiki:8080/").await.ends_with("inside"));
    assert_eq!(status(&get(&proxy, "http://wiki/").await), "403");
    assert_eq!(internet.lookups(), [""; 0]);
}

#[tokio::test]
async fn tls_to_trusted_hosts_is_verified_and_intercepted_by_the_proxy() {
    let mut internet = Internet::new();
    internet.policy = Policy::https(
        Vec::new(),
        "wiki:8443=10.0.0.5,fake:8443=10.0.0.6".parse().unwrap(),
    );
    let response = |_: &str| ok("", b"inside");
    let server = Server::start(Some(internet.authority.identity("wiki")), response).await;
    let fake = Server::start(Some(Identity::self_signed("fake")), response).await;
    internet.route("10.0.0.5:8443", server.address);
    internet.route("10.0.0.6:8443", fake.address);
    let trust = TrustStore::system().unwrap();
    let trust = trust
        .with_trusted_host_authorities(internet.authority.pem().as_bytes())
        .unwrap();
    let client = internet.client_with(trust).with_plain_http();
    let proxies = PageProxies::new(client, Handle::current()).unwrap();
    assert_eq!(proxies.interception_key_hash().map(str::len), Some(44));
    let proxy = proxies.open(&LIMITS).unwrap();

    let (status, stream) = tunnel(&proxy, "wiki:8443").await;
    assert_eq!(status, "200");
    let mut stream = connector_without_verification()
        .connect("wiki".try_into().unwrap(), stream)
        .await
        .unwrap();
    let shown = stream.get_ref().1.peer_certificates().unwrap()[0].clone();
    assert!(shown.windows(18).any(|part| part == b"page-proxy.invalid"));
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: wiki\r\n\r\n")
        .await
        .unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.ok();
    assert!(response.ends_with(b"inside"));
    assert_eq!(server.server_names(), [Some("wiki".to_owned())]);

    let (status, _) = tunnel(&proxy, "fake:8443").await;
    assert_eq!(status, "502");
    assert_eq!(fake.requests(), [""; 0]);
    // Without an authority for trusted hosts there is no interception.
    let plain = PageProxies::new(internet.client(), Handle::current()).unwrap();
    assert_eq!(plain.interception_key_hash(), None);
}

/// A client that accepts any certificate, like a browser with an exception for this one.
fn connector_without_verification() -> TlsConnector {
    let provider = Arc::new(ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    config
        .dangerous()
        .set_certificate_verifier(Arc::new(AcceptAnyCertificate));
    TlsConnector::from(Arc::new(config))
}

#[derive(Debug)]
struct AcceptAnyCertificate;

impl ServerCertVerifier for AcceptAnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider()
            .signature_verification_algorithms
            .supported_schemes()
    }
}

#[tokio::test]
async fn unreachable_servers_are_distinguished_from_blocked_ones() {
    let internet = Internet::new();
    internet.name("dead.example.com", &[&["93.184.216.9"]]);
    let _server = plain(&internet, |_| vec![Step::Cut]).await;
    let proxy = open(&internet, LIMITS);
    for url in [
        "http://unknown.example.com/",
        "http://dead.example.com/",
        "http://site.example.com/",
    ] {
        assert_eq!(status(&get(&proxy, url).await), "502", "{url}");
        assert!(!proxy.has_blocked(url), "{url}");
    }
    assert_eq!(proxy.traffic().blocked, 0);
    for nonsense in [
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT x HTTP/1.1\r\n\r\n",
    ] {
        assert_eq!(
            status(&send(&proxy, &format!("{nonsense}\0\r\n\r\n")).await),
            "400",
            "{nonsense}"
        );
    }
}

#[tokio::test]
async fn bytes_are_counted_over_all_connections_and_capped() {
    let internet = Internet::new();
    let _server = plain(&internet, |_| ok("", &[7; 400_000])).await;
    let limits = PageLimits {
        bytes: 1_000_000,
        ..LIMITS
    };
    let proxy = open(&internet, limits);
    for _ in 0..2 {
        assert!(get(&proxy, "http://site.example.com/").await.len() > 400_000);
        assert!(!proxy.traffic().exceeded);
    }
    assert!(get(&proxy, "http://site.example.com/").await.len() < 300_000);
    let traffic = proxy.traffic();
    assert!(traffic.exceeded);
    assert!(
        (1_000_000..1_200_000).contains(&traffic.bytes),
        "{traffic:?}"
    );
    assert_eq!(
        status(&get(&proxy, "http://site.example.com/").await),
        "507"
    );

    // Another page has its own counters.
    let other = open(&internet, limits);
    assert!(get(&other, "http://site.example.com/").await.len() > 400_000);
}

#[tokio::test]
async fn endless_and_slow_responses_end_with_the_page() {
    let internet = Internet::new();
    let _server = plain(&internet, |_| {
        vec![
            "HTTP/1.1 200 OK\r\n\r\n".into(),
            Step::Forever(b"x".to_vec(), Duration::from_millis(50)),
        ]
    })
    .await;
    let limits = PageLimits {
        total: Duration::from_secs(1),
        ..LIMITS
    };
    let proxy = open(&internet, limits);
    let started = Instant::now();
    let response = get(&proxy, "http://site.example.com/").await;
    assert_eq!(status(&response), "200");
    assert!(
        started.elapsed() < Duration::from_secs(3),
        "{:?}",
        started.elapsed()
    );
    assert!(
        TcpStream::connect(("127.0.0.1", proxy.port()))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_proxy_ends_with_its_page() {
    let internet = Internet::new();
    let _server = plain(&internet, |_| vec![Step::Hang]).await;
    let proxy = open(&internet, LIMITS);
    let port = proxy.port();
    let mut waiting = connect(&proxy).await;
    waiting
        .write_all(b"GET http://site.example.com/ HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(proxy);
    let mut rest = Vec::new();
    waiting.read_to_end(&mut rest).await.ok();
    assert_eq!(rest, b"");
    assert!(TcpStream::connect(("127.0.0.1", port)).await.is_err());
}

#[tokio::test]
async fn connections_are_limited() {
    let internet = Internet::new();
    let _server = plain(&internet, |_| ok("", b"page")).await;
    let proxy = open(&internet, LIMITS);
    let mut idle = Vec::new();
    for _ in 0..64 {
        idle.push(connect(&proxy).await);
    }
    assert_eq!(get(&proxy, "http://site.example.com/").await, "");
    idle.clear();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(
        status(&get(&proxy, "http://site.example.com/").await),
        "200"
    );
}
