//! Checks of resolved addresses, including DNS rebinding and mixed answers.

use fetch::{FailedStep, FetchError, Policy, Source};

use crate::support::{Internet, Server, assert_fails, limits, ok};

/// One address of each non-public kind. The boundaries of all blocks are tested with the table.
const NOT_PUBLIC: &[&str] = &[
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.0.0.8",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.7",
    "224.0.0.251",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:10.0.0.1",
    "::ffff:93.184.216.34",
    "::10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::10.0.0.1",
    "2002:a00:1::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2a00:1450::5efe:10.0.0.1",
    "2001:db8::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::fb",
];

#[tokio::test]
async fn a_name_with_a_non_public_address_is_never_dialed() {
    let internet = Internet::new();
    for address in NOT_PUBLIC {
        let before = internet.lookups().len();
        internet.name("rebound.example.com", &[&[address]]);
        let (outcome, sink) = internet.fetch("https://rebound.example.com/").await;
        assert_fails!(outcome, FetchError::Blocked);
        assert_eq!(sink, b"", "{address}");
        assert_eq!(internet.lookups().len(), before + 1, "{address}");
    }
    assert_eq!(internet.dialed(), [""; 0]);
}

#[tokio::test]
async fn one_non_public_address_among_public_ones_blocks_the_request() {
    let internet = Internet::new();
    for answer in [
        ["93.184.216.34", "10.0.0.1"],
        ["10.0.0.1", "93.184.216.34"],
        ["93.184.216.34", "fd00::1"],
        ["2606:4700::1111", "169.254.169.254"],
    ] {
        internet.name("mixed.example.com", &[&answer]);
        let (outcome, _) = internet.fetch("https://mixed.example.com/").await;
        assert_fails!(outcome, FetchError::Blocked);
    }
    let many: Vec<_> = (1..=9).map(|last| format!("93.184.216.{last}")).collect();
    let mut many: Vec<_> = many.iter().map(String::as_str).collect();
    many.push("127.0.0.1");
    internet.name("mixed.example.com", &[&many]);
    let (outcome, _) = internet.fetch("https://mixed.example.com/").await;
    assert_fails!(outcome, FetchError::Blocked);
    assert_eq!(internet.dialed(), [""; 0]);
}

#[tokio::test]
async fn a_name_is_resolved_once_and_the_checked_address_is_dialed() {
    let internet = Internet::new();
    let server = internet
        .serve("rebinding.example.com", |_| ok("", b"document"))
        .await;
    internet.name(
        "rebinding.example.com",
        &[&["93.184.216.1"], &["127.0.0.1"], &["10.0.0.1"]],
    );
    let (outcome, sink) = internet.fetch("https://rebinding.example.com/").await;
    assert_eq!(outcome.unwrap().bytes, 8);
    assert_eq!(sink, b"document");
    assert_eq!(internet.lookups(), ["rebinding.example.com"]);
    assert_eq!(internet.dialed(), ["93.184.216.1:443"]);
    assert_eq!(server.requests().len(), 1);

    let (outcome, _) = internet.fetch("https://rebinding.example.com/").await;
    assert_fails!(outcome, FetchError::Blocked);
    assert_eq!(internet.dialed().len(), 1);
}

#[tokio::test]
async fn a_name_without_addresses_cannot_be_fetched() {
    let internet = Internet::new();
    let (outcome, _) = internet.fetch("https://unknown.example.com/").await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Resolution));
    internet.name("empty.example.com", &[&[]]);
    let (outcome, _) = internet.fetch("https://empty.example.com/").await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Resolution));
    assert_eq!(internet.dialed(), [""; 0]);
}

#[tokio::test]
async fn up_to_four_addresses_are_tried_ipv4_first() {
    let internet = Internet::new();
    let server = internet.serve("many.example.com", |_| ok("", b"x")).await;
    internet.name(
        "many.example.com",
        &[&["2606:4700::1111", "93.184.216.200", "93.184.216.1"]],
    );
    let (outcome, _) = internet.fetch("https://many.example.com/").await;
    assert_eq!(outcome.unwrap().bytes, 1);
    assert_eq!(
        internet.dialed(),
        [
            "93.184.216.200:443",
            "93.184.216.1:443",
            "[2606:4700::1111]:443"
        ]
    );
    assert_eq!(server.requests().len(), 1);

    let all: Vec<_> = (100..120)
        .map(|last| format!("93.184.216.{last}"))
        .collect();
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    internet.name("dead.example.com", &[&all]);
    let (outcome, _) = internet.fetch("https://dead.example.com/").await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Connection));
    assert_eq!(internet.dialed().len(), 3 + 4);
}

/// `transport::tests` covers reqwest with IP literals, where loopback addresses are possible.
#[tokio::test]
async fn an_ip_literal_is_dialed_without_a_lookup() {
    let internet = Internet::new();
    let server = Server::start(None, |_| vec!["x".into()]).await;
    for (text, address) in [
        ("https://0x5db8d822/file", "93.184.216.34:443"),
        ("https://[2606:4700::1111]/", "[2606:4700::1111]:443"),
    ] {
        internet.route(address, server.address);
        let url = internet.url(text);
        internet
            .client()
            .connect(&url, limits().total)
            .await
            .unwrap();
        assert_eq!(internet.lookups(), [""; 0]);
        assert_eq!(internet.dialed().pop().unwrap(), address);
        // The test server's address differs from the literal, so the transport blocks the connection.
        assert_fails!(internet.fetch(text).await.0, FetchError::Blocked);
        assert_eq!(server.requests(), [""; 0]);
    }
}

/// No notation of a loopback address or name reaches a server that listens there.
#[tokio::test]
async fn loopback_is_unreachable_by_address_name_or_redirect() {
    let internet = Internet::new();
    let inside = Server::start(Some(internet.authority.identity("127.0.0.1")), |_| {
        ok("", b"secret")
    })
    .await;
    let port = inside.address.port();
    internet.name("inside.example.com", &[&["127.0.0.1"]]);
    internet.name("mixed.example.com", &[&["93.184.216.34", "127.0.0.1"]]);
    for host in ["inside.example.com", "mixed.example.com"] {
        let (outcome, _) = internet.fetch(&format!("https://{host}:{port}/")).await;
        assert_fails!(outcome, FetchError::Blocked);
    }
    for host in [
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "localhost",
        "inside.example.com",
        "mixed.example.com",
    ] {
        let location = format!("https://{host}:{port}/");
        let admitted = internet.policy.admit(&location);
        assert!(admitted.is_err() || host.ends_with("example.com"), "{host}");
        let outside = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n");
        let _server = internet
            .serve("start.example.com", move |_| vec![outside.as_str().into()])
            .await;
        let (outcome, _) = internet.fetch("https://start.example.com/").await;
        assert_fails!(outcome, FetchError::Blocked);
    }
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn a_client_checks_urls_that_another_policy_admitted() {
    let internet = Internet::new();
    let lax = Policy::https_or_http(
        Vec::new(),
        "wiki:443=10.0.0.5,api.octavo.app:444=10.0.0.6"
            .parse()
            .unwrap(),
    );
    internet.name("example.com", &[&["93.184.216.34"]]);
    let client = internet.client();
    let post = |text: &str| fetch::PostRequest {
        url: lax.admit(text).unwrap(),
        headers: http::HeaderMap::new(),
        body: bytes::Bytes::new(),
    };
    for text in ["https://wiki/", "https://api.octavo.app/"] {
        let source = Source::from(lax.admit(text).unwrap());
        let outcome = client.fetch(&source, &limits(), &mut Vec::new()).await;
        assert_fails!(outcome, FetchError::Blocked);
        assert_fails!(
            client.send(&post(text), limits().total).await,
            FetchError::Blocked
        );
        let connected = client.connect(&source.url, limits().total).await.map(drop);
        assert_fails!(connected, FetchError::Blocked);
    }
    let source = Source::from(lax.admit("http://example.com/").unwrap());
    let outcome = client.fetch(&source, &limits(), &mut Vec::new()).await;
    assert_fails!(outcome, FetchError::InvalidUrl);
    assert_eq!(internet.dialed(), [""; 0]);
}
