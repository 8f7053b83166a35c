//! Response bodies: the size limit applies while they stream, and incomplete ones are errors.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use fetch::{FailedStep, FetchError, Limits, Source};
use tokio::io::AsyncWrite;

use crate::support::{Internet, Reply, Step, assert_fails, limits, ok};

const HEAD: &str = "HTTP/1.1 200 OK\r\n";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

async fn outcome(reply: Reply) -> (Result<fetch::FetchedDocument, FetchError>, Vec<u8>) {
    let internet = Internet::new();
    let _server = internet.serve("example.com", move |_| reply.clone()).await;
    internet.fetch("https://example.com/").await
}

#[tokio::test]
async fn a_body_may_have_exactly_the_limit() {
    let internet = Internet::new();
    let _server = internet
        .serve("example.com", |request| {
            let length = request.split(['/', '?']).nth(1).unwrap();
            let body = vec![7; length.parse().unwrap()];
            if request.contains("stated") {
                return ok("", &body);
            }
            vec![HEAD.into(), "\r\n".into(), Step::Bytes(body)]
        })
        .await;
    let limits = Limits::new(200_000, Duration::from_secs(10));
    for way in ["stated", "until-close"] {
        let url = |length: u32| format!("https://example.com/{length}?{way}");
        let (outcome, sink) = internet.fetch_within(&url(200_000), &limits).await;
        assert_eq!(outcome.unwrap().bytes, 200_000, "{way}");
        assert_eq!(sink, vec![7; 200_000]);
        let (outcome, sink) = internet.fetch_within(&url(200_001), &limits).await;
        assert_fails!(outcome, FetchError::TooLarge);
        assert!(sink.len() <= 200_000, "{way}");
        let (outcome, _) = internet.fetch_within(&url(0), &limits).await;
        assert_eq!(outcome.unwrap().bytes, 0, "{way}");
    }
}

#[tokio::test]
async fn a_content_length_over_the_limit_is_rejected_before_any_byte() {
    let started = Instant::now();
    let reply = vec![
        HEAD.into(),
        "Content-Length: 1000001\r\n\r\n".into(),
        Step::Hang,
    ];
    let (outcome, sink) = outcome(reply).await;
    assert_fails!(outcome, FetchError::TooLarge);
    assert_eq!(sink, b"");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn endless_bodies_stop_at_the_limit() {
    let piece = || Step::Forever(vec![b'x'; 16_000], Duration::ZERO);
    let chunk = [b"3e80\r\n".as_slice(), &[b'x'; 16_000], b"\r\n"].concat();
    for reply in [
        vec![HEAD.into(), "\r\n".into(), piece()],
        vec!["HTTP/1.0 200 OK\r\n\r\n".into(), piece()],
        vec![CHUNKED.into(), Step::Forever(chunk, Duration::ZERO)],
    ] {
        let (outcome, sink) = outcome(reply).await;
        assert_fails!(outcome, FetchError::TooLarge);
        assert!(
            (900_000..=1_000_000).contains(&sink.len()),
            "{}",
            sink.len()
        );
    }
}

#[tokio::test]
async fn complete_bodies_are_accepted_in_every_framing() {
    for reply in [
        ok("", b"document"),
        vec![HEAD.into(), "\r\ndocument".into()],
        vec!["HTTP/1.0 200 OK\r\n\r\ndocument".into()],
        vec![
            "HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\ndocument".into(),
            Step::Cut,
        ],
        vec![
            CHUNKED.into(),
            "3\r\ndoc\r\n".into(),
            "5;ext=1\r\nument\r\n0\r\nTrailer: x\r\n\r\n".into(),
        ],
        // Bytes after `Content-Length` are not part of the response.
        vec![
            HEAD.into(),
            "Content-Length: 8\r\n\r\ndocument and more".into(),
        ],
        vec![
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".into(),
            ok("", b"document").remove(0),
        ],
    ] {
        let text = format!("{reply:?}");
        let (outcome, sink) = outcome(reply).await;
        assert_eq!(outcome.map(|fetched| fetched.bytes).ok(), Some(8), "{text}");
        assert_eq!(sink, b"document", "{text}");
    }
}

#[tokio::test]
async fn truncated_or_malformed_bodies_are_failures() {
    for reply in [
        vec![HEAD.into(), "Content-Length: 9\r\n\r\ndocument".into()],
        vec![
            HEAD.into(),
            "Content-Length: 9\r\n\r\ndocument".into(),
            Step::Cut,
        ],
        vec![
            HEAD.into(),
            "Content-Length: 9\r\n\r\ndocument".into(),
            Step::Pause(Duration::from_millis(50)),
            Step::Reset,
        ],
        vec!["HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\ndocument".into()],
        // Body until close: a missing `close_notify` means truncation.
        vec![HEAD.into(), "\r\ndocument".into(), Step::Cut],
        vec![
            HEAD.into(),
            "\r\ndocument".into(),
            Step::Pause(Duration::from_millis(50)),
            Step::Reset,
        ],
        vec![CHUNKED.into(), "8\r\ndocument\r\n".into()],
        vec![CHUNKED.into(), "9\r\ndocument".into()],
        vec![CHUNKED.into(), "zz\r\ndocument\r\n0\r\n\r\n".into()],
        vec![CHUNKED.into(), "-8\r\ndocument\r\n0\r\n\r\n".into()],
        vec![CHUNKED.into(), "8\r\ndocumentXX0\r\n\r\n".into()],
        vec![
            CHUNKED.into(),
            "fffffffffffffffff\r\ndocument\r\n0\r\n\r\n".into(),
        ],
        vec![CHUNKED.into(), "8\r\ndocument\r\n0\r\n".into()],
        vec![CHUNKED.into(), "garbage that is no chunk at all".into()],
        vec![
            CHUNKED.into(),
            Step::Bytes([b"1;".as_slice(), &[b'e'; 40_000], b"\r\nx\r\n0\r\n\r\n"].concat()),
        ],
    ] {
        let text = format!("{reply:.200?}");
        let (outcome, _) = outcome(reply).await;
        assert!(
            matches!(outcome, Err(FetchError::Failed(FailedStep::Body))),
            "{outcome:?} {text}"
        );
    }
}

#[tokio::test]
async fn only_200_and_203_are_successful() {
    for status in [200, 203] {
        let (outcome, sink) = outcome(vec![Step::Bytes(
            format!("HTTP/1.1 {status} Fine\r\nContent-Length: 8\r\n\r\ndocument").into_bytes(),
        )])
        .await;
        assert_eq!(outcome.unwrap().bytes, 8);
        assert_eq!(sink, b"document");
    }
    for status in [
        101, 201, 202, 204, 205, 206, 400, 401, 403, 404, 410, 416, 429, 500, 503, 999,
    ] {
        let (outcome, sink) = outcome(vec![Step::Bytes(
            format!("HTTP/1.1 {status} Other\r\nContent-Length: 8\r\n\r\ndocument").into_bytes(),
        )])
        .await;
        let error = outcome.unwrap_err();
        let FetchError::Failed(FailedStep::Status(stated)) = error else {
            panic!("{status}: {error:?}");
        };
        assert_eq!(stated, status);
        assert_eq!(error.to_string(), "the URL could not be fetched");
        assert_eq!(sink, b"");
    }
}

/// A disk that is full after this number of bytes.
struct FullDisk(usize);

impl AsyncWrite for FullDisk {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Poll::Ready(if taken == 0 {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(taken)
        })
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn a_failing_sink_has_its_own_error() {
    let internet = Internet::new();
    let _server = internet
        .serve("example.com", |_| ok("", &[1; 100_000]))
        .await;
    let source = Source::from(internet.url("https://example.com/"));
    let outcome = internet
        .client()
        .fetch(&source, &limits(), &mut FullDisk(70_000))
        .await;
    let Err(FetchError::Sink(error)) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
