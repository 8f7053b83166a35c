//! Deliveries, and bare connections for a proxy.

use std::time::{Duration, Instant};

use bytes::Bytes;
use fetch::{FailedStep, FetchError, MAX_RESPONSE_BYTES, PostRequest, Response};
use http::HeaderMap;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{Internet, Reply, Server, Step, assert_fails, ok};

const TIME_LIMIT: Duration = Duration::from_secs(10);

fn post(internet: &Internet, url: &str) -> PostRequest {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("content-type", "application/json"),
        ("webhook-signature", "v1,secret"),
        ("host", "evil.example.com"),
        ("content-length", "1"),
    ] {
        headers.insert(name, value.parse().unwrap());
    }
    PostRequest {
        url: internet.url(url),
        headers,
        body: Bytes::from_static(b"{\"id\":\"evt_secret\"}"),
    }
}

async fn response(reply: Reply, time_limit: Duration) -> Result<Response, FetchError> {
    let internet = Internet::new();
    let _server = internet.serve("example.com", move |_| reply.clone()).await;
    internet
        .client()
        .send(&post(&internet, "https://example.com/hook"), time_limit)
        .await
}

#[tokio::test]
async fn the_request_is_sent_as_given() {
    let internet = Internet::new();
    let server = internet
        .serve("example.com", |_| ok("Retry-After: 7\r\n", b"thanks"))
        .await;
    let post = post(&internet, "https://example.com/hook?a=b");
    let response = internet.client().send(&post, TIME_LIMIT).await.unwrap();
    assert_eq!(
        (response.status, &response.body[..]),
        (200, b"thanks".as_slice())
    );
    assert_eq!(response.headers["retry-after"], "7");
    let request = server.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, "{\"id\":\"evt_secret\"}");
    let mut lines: Vec<_> = head.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "POST /hook?a=b HTTP/1.1",
            "accept-encoding: identity",
            "accept: */*",
            "connection: close",
            "content-length: 19",
            "content-type: application/json",
            "host: example.com",
            concat!("user-agent: Octavo/", env!("CARGO_PKG_VERSION")),
            "webhook-signature: v1,secret",
        ]
    );
    assert!(!format!("{post:?} {response:?}").contains("secret"));
    assert!(!format!("{response:?}").contains("thanks"));
}

#[tokio::test]
async fn every_status_is_returned_and_redirects_are_not_followed() {
    for status in [200, 204, 299, 301, 302, 307, 308, 400, 410, 429, 500, 503] {
        let internet = Internet::new();
        let server = internet
            .serve("example.com", move |_| {
                let head = format!("HTTP/1.1 {status} X\r\nLocation: https://example.com/other\r\nContent-Length: 0\r\n\r\n");
                vec![Step::Bytes(head.into_bytes())]
            })
            .await;
        let response = internet
            .client()
            .send(&post(&internet, "https://example.com/hook"), TIME_LIMIT)
            .await;
        assert_eq!(response.unwrap().status, status);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn at_most_four_kibibytes_of_the_response_are_read() {
    for length in [4095, 4096, 4097, 100_000] {
        let response = response(ok("", &vec![b'x'; length]), TIME_LIMIT)
            .await
            .unwrap();
        assert_eq!(response.body.len(), length.min(MAX_RESPONSE_BYTES));
    }
    let started = Instant::now();
    let endless = vec![
        "HTTP/1.1 200 OK\r\n\r\n".into(),
        Step::Forever(vec![b'x'; 1000], Duration::ZERO),
    ];
    assert_eq!(
        response(endless, TIME_LIMIT).await.unwrap().body.len(),
        4096
    );
    assert!(started.elapsed() < TIME_LIMIT / 2);
}

#[tokio::test]
async fn time_is_bounded_and_an_incomplete_body_is_no_error() {
    let short = Duration::from_millis(300);
    let started = Instant::now();
    assert_fails!(
        response(vec![Step::Hang], short).await,
        FetchError::TimedOut
    );
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart";
    for end in [Step::Hang, Step::Cut] {
        let response = response(
            vec![head.into(), Step::Pause(Duration::from_millis(50)), end],
            short,
        )
        .await
        .unwrap();
        assert_eq!(
            (response.status, &response.body[..]),
            (200, b"part".as_slice())
        );
    }
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_fails!(
        response(vec![], TIME_LIMIT).await,
        FetchError::Failed(FailedStep::Head)
    );
}

#[tokio::test]
async fn the_steps_of_a_delivery_share_its_time_limit() {
    let step = Duration::from_millis(400);
    let internet = Internet::new();
    let _server = internet
        .serve("example.com", move |_| {
            let mut reply = ok("", b"late");
            reply.insert(0, Step::Pause(step));
            reply
        })
        .await;
    internet.delay_lookups(step);
    let post = post(&internet, "https://example.com/hook");
    let response = internet.client().send(&post, step * 3 / 2).await;
    assert_fails!(response, FetchError::TimedOut);
    let response = internet.client().send(&post, TIME_LIMIT).await;
    assert_eq!(response.unwrap().status, 200);
}

#[tokio::test]
async fn a_delivery_goes_to_public_addresses_only() {
    let internet = Internet::new();
    internet.name("inside.example.com", &[&["10.0.0.1"]]);
    let post = post(&internet, "https://inside.example.com/hook");
    assert_fails!(
        internet.client().send(&post, TIME_LIMIT).await,
        FetchError::Blocked
    );
    let connected = internet
        .client()
        .connect(&post.url, TIME_LIMIT)
        .await
        .map(drop);
    assert_fails!(connected, FetchError::Blocked);
    assert_eq!(internet.dialed(), [""; 0]);
}

#[tokio::test]
async fn a_connection_transfers_bytes_unchanged() {
    let internet = Internet::new();
    let server = Server::start(None, |_| vec!["answer".into()]).await;
    internet.name("example.com", &[&["93.184.216.1"]]);
    internet.route("93.184.216.1:443", server.address);
    let url = internet.url("https://example.com/");
    let mut stream = internet.client().connect(&url, TIME_LIMIT).await.unwrap();
    stream.write_all(b"any bytes\r\n\r\n").await.unwrap();
    let mut response = String::new();
    stream
        .read_to_string(&mut response)
        .await
        .unwrap_or_default();
    assert_eq!(response, "answer");
    assert_eq!(server.requests(), ["any bytes\r\n\r\n"]);

    internet.black_hole("93.184.216.1:443").await;
    let connected = internet
        .client()
        .connect(&url, Duration::from_millis(100))
        .await
        .map(drop);
    assert_fails!(connected, FetchError::TimedOut);
}
