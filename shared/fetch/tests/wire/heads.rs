//! Request heads, and response heads that are malformed or too large.

use std::time::Duration;

use fetch::{FailedStep, FetchError, Source};

use crate::support::{Internet, Reply, Step, assert_fails, limits, ok};

async fn outcome(reply: Reply) -> Result<fetch::FetchedDocument, FetchError> {
    let internet = Internet::new();
    let _server = internet.serve("example.com", move |_| reply.clone()).await;
    internet.fetch("https://example.com/").await.0
}

#[tokio::test]
async fn the_request_head_is_exactly_as_specified() {
    let internet = Internet::new();
    let server = internet.serve("example.com", |_| ok("", b"x")).await;
    let (outcome, _) = internet
        .fetch("https://EXAMPLE.com/a%20b/../c|d?e={f}&`#fragment")
        .await;
    assert_eq!(outcome.unwrap().bytes, 1);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        server.requests(),
        [format!(
            "GET /c|d?e={{f}}&` HTTP/1.1\r\nhost: example.com\r\nconnection: close\r\naccept-encoding: gzip, br\r\n\
             accept: */*\r\nuser-agent: Octavo/{version}\r\n\r\n"
        )]
    );
}

#[tokio::test]
async fn callers_may_add_headers_except_those_for_framing() {
    let internet = Internet::new();
    let server = internet.serve("example.com", |_| ok("", b"x")).await;
    let mut source = Source::from(internet.url("https://example.com/"));
    for (name, value) in [
        ("accept", "application/pdf"),
        ("authorization", "Bearer of-the-customer"),
        ("host", "evil.example.com"),
        ("connection", "keep-alive"),
        ("content-length", "5"),
        ("transfer-encoding", "chunked"),
        ("te", "gzip"),
        ("trailer", "x"),
        ("upgrade", "websocket"),
        ("expect", "100-continue"),
        ("accept-encoding", "zstd"),
    ] {
        source.headers.insert(name, value.parse().unwrap());
    }
    let outcome = internet
        .client()
        .fetch(&source, &limits(), &mut Vec::new())
        .await;
    assert_eq!(outcome.unwrap().bytes, 1);
    let request = server.requests().remove(0);
    let mut lines: Vec<_> = request.trim_end().lines().skip(1).collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "accept-encoding: gzip, br",
            "accept: application/pdf",
            "authorization: Bearer of-the-customer",
            "connection: close",
            "host: example.com",
            concat!("user-agent: Octavo/", env!("CARGO_PKG_VERSION")),
        ]
    );
}

#[tokio::test]
async fn malformed_heads_are_failures() {
    for reply in [
        vec![],
        vec![Step::Cut],
        vec![Step::Reset],
        vec!["SSH-2.0-OpenSSH_9.6\r\n".into()],
        vec!["document without any head".into()],
        vec!["HTTP/2 200\r\n\r\n".into()],
        vec!["HTTP/1.1 20 OK\r\n\r\n".into()],
        vec!["HTTP/1.1 200 OK\r\nContent-Length: 1".into()],
        vec!["HTTP/1.1 200 OK\r\nno colon here\r\n\r\n".into()],
        vec!["HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx".into()],
        vec!["HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx".into()],
        vec!["HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx".into()],
        vec!["HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx".into()],
        vec!["HTTP/1.1 200 OK\r\nX: a\r\n folded\r\nContent-Length: 1\r\n\r\nx".into()],
    ] {
        let text = format!("{reply:?}");
        let outcome = outcome(reply).await;
        assert!(
            matches!(outcome, Err(FetchError::Failed(FailedStep::Head))),
            "{text} {outcome:?}"
        );
    }
}

#[tokio::test]
async fn too_many_or_too_long_headers_are_a_failure() {
    let many = |count: usize| "x: y\r\n".repeat(count);
    let fetched = outcome(ok(&many(99), b"x")).await;
    assert_eq!(fetched.unwrap().bytes, 1);
    assert_fails!(
        outcome(ok(&many(100), b"x")).await,
        FetchError::Failed(FailedStep::Head)
    );

    let long = |length: usize| format!("x: {}\r\n", "y".repeat(length));
    let fetched = outcome(ok(&long(60_000), b"x")).await;
    assert_eq!(fetched.unwrap().bytes, 1);
    assert_fails!(
        outcome(ok(&long(66_000), b"x")).await,
        FetchError::Failed(FailedStep::Head)
    );

    for endless in ["x", "x: y\r\n"] {
        let reply = vec![
            "HTTP/1.1 200 OK\r\n".into(),
            Step::Forever(endless.repeat(1000).into_bytes(), Duration::ZERO),
        ];
        assert_fails!(outcome(reply).await, FetchError::Failed(FailedStep::Head));
    }
}
