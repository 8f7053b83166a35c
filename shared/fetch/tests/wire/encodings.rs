//! Compressed bodies: the size limit applies after decompression, and incomplete ones are errors.

use std::io::Write as _;
use std::time::Duration;

use brotli::CompressorWriter;
use domain::ports::{FetchRemote as _, RemoteFileError};
use domain::source::SourceUrl;
use fetch::{FailedStep, FetchError, FetchedDocument, RemoteSources};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{Internet, Reply, Step, assert_fails, ok};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = CompressorWriter::new(&mut packed, 65_536, 5, 22);
    encoder.write_all(bytes).unwrap();
    drop(encoder);
    packed
}

async fn outcome(reply: Reply) -> (Result<FetchedDocument, FetchError>, Vec<u8>) {
    let internet = Internet::new();
    let _server = internet.serve("example.com", move |_| reply.clone()).await;
    internet.fetch("https://example.com/").await
}

async fn compressed(encoding: &str, body: &[u8]) -> (Result<FetchedDocument, FetchError>, Vec<u8>) {
    outcome(ok(&format!("Content-Encoding: {encoding}\r\n"), body)).await
}

#[tokio::test]
async fn compressed_bodies_are_decompressed() {
    let document: Vec<u8> = (0..300_000_u32)
        .flat_map(|number| (number % 1000).to_le_bytes())
        .take(999_999)
        .collect();
    for (encoding, body) in [
        ("identity", document.clone()),
        ("gzip", gzip(&document)),
        ("x-gzip", gzip(&document)),
        (
            "GZIP",
            [gzip(&document[..5]), gzip(&document[5..])].concat(),
        ),
        ("br", brotli(&document)),
    ] {
        let (outcome, sink) = compressed(encoding, &body).await;
        assert_eq!(outcome.unwrap().bytes, 999_999, "{encoding}");
        assert!(sink == document, "{encoding}");
    }
}

#[tokio::test]
async fn incompressible_data_may_grow_a_little_on_the_wire() {
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(1_000_000)
    .collect();
    let body = gzip(&noise);
    assert!(body.len() > noise.len());
    let (outcome, sink) = compressed("gzip", &body).await;
    assert_eq!(outcome.unwrap().bytes, 1_000_000);
    assert!(sink == noise);
}

#[tokio::test]
async fn decompression_bombs_stop_at_the_limit() {
    let zeros = vec![0; 40_000_000];
    for (encoding, bomb) in [("gzip", gzip(&zeros)), ("br", brotli(&zeros))] {
        assert!(bomb.len() < 100_000, "{encoding}: {}", bomb.len());
        let (outcome, sink) = compressed(encoding, &bomb).await;
        assert_fails!(outcome, FetchError::TooLarge);
        assert!(
            (900_000..=1_000_000).contains(&sink.len()),
            "{encoding} {}",
            sink.len()
        );
    }
    let one_over = gzip(&zeros[..1_000_001]);
    assert_fails!(compressed("gzip", &one_over).await.0, FetchError::TooLarge);
}

#[tokio::test]
async fn endless_empty_blocks_stop_at_the_limit() {
    let (outcome, sink) = outcome(vec![
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".into(),
        Step::Bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec()),
        // Stored blocks of zero bytes, none of them final.
        Step::Forever(b"\0\0\0\xff\xff".repeat(3000), Duration::ZERO),
    ])
    .await;
    assert_fails!(outcome, FetchError::TooLarge);
    assert_eq!(sink, b"");
}

#[tokio::test]
async fn corrupt_compressed_data_is_a_failure() {
    let document = b"document ".repeat(1000);
    let mut wrong_sum = gzip(&document);
    let sum = wrong_sum.len() - 6;
    wrong_sum[sum] ^= 1;
    for (name, encoding, body) in [
        ("cut", "gzip", gzip(&document)[..40].to_vec()),
        ("cut", "br", brotli(&document)[..15].to_vec()),
        ("sum", "gzip", wrong_sum),
        ("plain", "gzip", document.clone()),
        ("empty", "gzip", Vec::new()),
        ("empty", "br", Vec::new()),
        ("rest", "gzip", [gzip(&document), b"rest".to_vec()].concat()),
        ("rest", "br", [brotli(&document), b"rest".to_vec()].concat()),
        ("other", "br", gzip(&document)),
        ("other", "gzip", brotli(&document)),
    ] {
        let (outcome, _) = compressed(encoding, &body).await;
        assert!(
            matches!(outcome, Err(FetchError::Failed(FailedStep::Body))),
            "{name} {encoding}: {outcome:?}"
        );
    }
}

#[tokio::test]
async fn a_wrong_content_length_of_a_compressed_body_is_a_failure() {
    let body = gzip(b"document");
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        body.len() + 1
    );
    let reply = vec![Step::Bytes([head.into_bytes(), body].concat())];
    assert_fails!(outcome(reply).await.0, FetchError::Failed(FailedStep::Body));
}

#[tokio::test]
async fn encodings_that_were_not_requested_are_failures() {
    for encoding in [
        "deflate",
        "zstd",
        "compress",
        "gzip, gzip",
        "br, gzip",
        "unknown",
    ] {
        let (outcome, sink) = compressed(encoding, &gzip(b"document")).await;
        assert_fails!(outcome, FetchError::Failed(FailedStep::Encoding));
        assert_eq!(sink, b"", "{encoding}");
    }
    let twice = ok(
        "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n",
        &gzip(&gzip(b"x")),
    );
    assert_fails!(
        outcome(twice).await.0,
        FetchError::Failed(FailedStep::Encoding)
    );
    let transfer = vec![
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n".into(),
    ];
    assert_fails!(
        outcome(transfer).await.0,
        FetchError::Failed(FailedStep::Encoding)
    );
}

/// The API reports this error as `fetch_failed`.
#[tokio::test]
async fn a_source_with_an_unknown_encoding_fails() {
    let internet = Internet::new();
    let _server = internet
        .serve("example.com", |_| ok("Content-Encoding: zstd\r\n", b"x"))
        .await;
    let sources = RemoteSources::new(internet.client(), Duration::from_secs(10));
    let path = std::env::temp_dir().join(format!("octavo-encoding-{}", std::process::id()));
    let url = SourceUrl::new("https://example.com/");
    let outcome = sources.fetch_remote(&url, 1_000, &[], &path).await;
    std::fs::remove_file(&path).unwrap();
    assert!(
        matches!(outcome, Err(RemoteFileError::Failed)),
        "{outcome:?}"
    );
}
