//! Metadata of fetched documents: size, SHA-256, filename, content type.

use std::time::Duration;

use fetch::{FetchError, Limits, Source};
use sha2::{Digest as _, Sha256};

use crate::support::{Identity, Internet, Step, limits, ok};

#[tokio::test]
async fn size_sha256_filename_and_content_type() {
    let internet = Internet::new();
    let _server = internet
        .serve("example.com", |_| {
            ok(
                "Content-Type: Application/PDF; q=1\r\nContent-Disposition: attachment; filename=\"../Bericht 1.pdf\"\r\n",
                b"document",
            )
        })
        .await;
    let (outcome, sink) = internet.fetch("https://example.com/download?id=1").await;
    let fetched = outcome.unwrap();
    assert_eq!(fetched.bytes, 8);
    assert_eq!(
        fetched.sha256,
        <[u8; 32]>::from(Sha256::digest(b"document"))
    );
    assert_eq!(fetched.filename.unwrap().as_str(), "Bericht 1.pdf");
    assert_eq!(fetched.content_type.as_deref(), Some("application/pdf"));
    assert_eq!(sink, b"document");
}

#[tokio::test]
async fn the_filename_is_that_of_the_last_url() {
    let internet = Internet::new();
    let _server = internet
        .serve("example.com", |request| {
            if request.starts_with("GET /short ") {
                return vec![
                    "HTTP/1.1 302 Found\r\nLocation: /files/Gr%C3%BC%C3%9Fe.docx?x=y\r\nContent-Disposition: inline; filename=no.txt\r\n\r\n"
                        .into(),
                ];
            }
            ok("", b"document")
        })
        .await;
    let (outcome, _) = internet.fetch("https://example.com/short").await;
    let fetched = outcome.unwrap();
    assert_eq!(fetched.filename.unwrap().as_str(), "Grüße.docx");
    assert_eq!(fetched.content_type, None);
}

#[tokio::test]
async fn a_large_body_streams_into_a_file() {
    let internet = Internet::new();
    let piece = vec![b'x'; 1 << 20];
    let _server = internet
        .serve("example.com", move |_| {
            let mut reply: Vec<Step> =
                vec!["HTTP/1.1 200 OK\r\nContent-Length: 33554432\r\n\r\n".into()];
            reply.extend(std::iter::repeat_n(Step::Bytes(piece.clone()), 32));
            reply
        })
        .await;
    let path = std::env::temp_dir().join(format!("octavo-fetch-{}", std::process::id()));
    let mut file = tokio::fs::File::create(&path).await.unwrap();
    let source = Source::from(internet.url("https://example.com/"));
    let limits = Limits::new(64 << 20, Duration::from_secs(60));
    let fetched = internet.client().fetch(&source, &limits, &mut file).await;
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(fetched.unwrap().bytes, 32 << 20);
    assert_eq!(length, 32 << 20);
}

#[tokio::test]
async fn no_error_contains_url_address_or_response_text() {
    let internet = Internet::new();
    internet.name("inside.example.com", &[&["10.11.12.13"]]);
    internet.name("dead.example.com", &[&["93.184.216.99"]]);
    let text = |text: &'static str| move |_: &str| vec![text.into()];
    let status = text("HTTP/1.1 500 secret-text\r\nContent-Length: 6\r\n\r\nsecret");
    let cut = text("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nsecret");
    let impostor = Some(Identity::self_signed("impostor.example.com"));
    let _servers = [
        internet.serve("example.com", status).await,
        internet.serve("cut.example.com", cut).await,
        internet.serve("junk.example.com", text("secret")).await,
        internet
            .serve_as("impostor.example.com", impostor, text(""))
            .await,
    ];
    for url in [
        "https://inside.example.com/secret?token=secret",
        "https://example.com/secret?token=secret",
        "https://unknown.example.com/secret?token=secret",
        "https://dead.example.com/secret?token=secret",
        "https://cut.example.com/secret?token=secret",
        "https://junk.example.com/secret?token=secret",
        "https://impostor.example.com/secret?token=secret",
    ] {
        let source = Source::from(internet.url(url));
        let error = internet
            .client()
            .fetch(&source, &limits(), &mut Vec::new())
            .await
            .unwrap_err();
        let text = format!("{error} {error:?} {source:?}");
        for leak in ["secret", "10.11", "93.184"] {
            assert!(!text.contains(leak), "{text}");
        }
        assert!(!format!("{error} {error:?}").contains("example.com"));
    }
    let messages: Vec<_> = [
        FetchError::InvalidUrl,
        FetchError::Blocked,
        FetchError::TooLarge,
        FetchError::TimedOut,
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    assert_eq!(
        messages,
        [
            "the URL is not valid",
            "the URL is not allowed",
            "the document at the URL is too large",
            "the request to the URL timed out",
        ]
    );
}
