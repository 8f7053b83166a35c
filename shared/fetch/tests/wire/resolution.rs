//! What a name resolves to decides whether there is a connection at all.

use fetch::{Failure, FetchError, Policy, Source};

use crate::support::{Internet, Server, assert_fails, limits, ok};

/// One address of each kind that is not public; the boundaries of all blocks are judged where the table is.
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
async fn a_name_with_an_address_that_is_not_public_is_never_dialled() {
    let internet = Internet::new();
    for address in NOT_PUBLIC {
        let before = internet.asked().len();
        internet.name("rebound.example.com", &[&[address]]);
        let (outcome, sink) = internet.fetch("https://rebound.example.com/").await;
        assert_fails!(outcome, FetchError::Blocked);
        assert_eq!(sink, b"", "{address}");
        assert_eq!(internet.asked().len(), before + 1, "{address}");
    }
    assert_eq!(internet.dialled(), [""; 0]);
}

#[tokio::test]
async fn one_such_answer_among_public_ones_refuses_them_all() {
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
    assert_eq!(internet.dialled(), [""; 0]);
}

#[tokio::test]
async fn a_name_is_asked_for_once_and_its_answer_is_what_is_dialled() {
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
    assert_eq!(internet.asked(), ["rebinding.example.com"]);
    assert_eq!(internet.dialled(), ["93.184.216.1:443"]);
    assert_eq!(server.requests().len(), 1);

    let (outcome, _) = internet.fetch("https://rebinding.example.com/").await;
    assert_fails!(outcome, FetchError::Blocked);
    assert_eq!(internet.dialled().len(), 1);
}

#[tokio::test]
async fn a_name_without_addresses_cannot_be_fetched() {
    let internet = Internet::new();
    let (outcome, _) = internet.fetch("https://unknown.example.com/").await;
    assert_fails!(outcome, FetchError::Failed(Failure::Resolution));
    internet.name("empty.example.com", &[&[]]);
    let (outcome, _) = internet.fetch("https://empty.example.com/").await;
    assert_fails!(outcome, FetchError::Failed(Failure::Resolution));
    assert_eq!(internet.dialled(), [""; 0]);
}

#[tokio::test]
async fn the_next_address_is_tried_where_one_refuses_ipv4_first_and_four_at_most() {
    let internet = Internet::new();
    let server = internet.serve("many.example.com", |_| ok("", b"x")).await;
    internet.name(
        "many.example.com",
        &[&["2606:4700::1111", "93.184.216.200", "93.184.216.1"]],
    );
    let (outcome, _) = internet.fetch("https://many.example.com/").await;
    assert_eq!(outcome.unwrap().bytes, 1);
    assert_eq!(
        internet.dialled(),
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
    assert_fails!(outcome, FetchError::Failed(Failure::Connection));
    assert_eq!(internet.dialled().len(), 3 + 4);
}

/// What reqwest does with such a URL is tested beneath the policy, where the address may be one of this machine.
#[tokio::test]
async fn an_address_in_the_url_is_dialled_without_a_look_up() {
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
        assert_eq!(internet.asked(), [""; 0]);
        assert_eq!(internet.dialled().pop().unwrap(), address);
        // The address that this test made up is not the one in the URL, which is never connected to unchecked.
        assert_fails!(internet.fetch(text).await.0, FetchError::Blocked);
        assert_eq!(server.requests(), [""; 0]);
    }
}

/// A server that listens and a machine's own name for it: no way of writing either leads there.
#[tokio::test]
async fn nothing_on_this_machine_is_reached_by_address_name_or_redirect() {
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
async fn a_client_judges_urls_that_another_policy_admitted() {
    let internet = Internet::new();
    let lax = Policy::https_or_http(
        Vec::new(),
        "wiki:443=10.0.0.5,api.octavo.app:444=10.0.0.6"
            .parse()
            .unwrap(),
    );
    internet.name("example.com", &[&["93.184.216.34"]]);
    let client = internet.client();
    let post = |text: &str| fetch::Post {
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
    assert_eq!(internet.dialled(), [""; 0]);
}
