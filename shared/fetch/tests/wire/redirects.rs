//! Redirects: every target is checked like a new URL.

use std::time::Duration;

use domain::ports::{FetchRemote as _, RemoteFileError};
use domain::source::SourceUrl;
use fetch::{FailedStep, FetchError, Policy, RemoteSources, Source};

use crate::support::{Internet, Reply, Step, assert_fails, limits, ok};

fn redirect(status: u16, location: &str) -> Reply {
    vec![Step::Bytes(
        format!(
            "HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 5\r\n\r\nmoved"
        )
        .into_bytes(),
    )]
}

/// The path as a number.
fn number(request: &str) -> u16 {
    path(request).trim_start_matches('/').parse().unwrap()
}

fn path(request: &str) -> String {
    request.split(' ').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn every_redirect_status_is_followed_with_get() {
    let internet = Internet::new();
    let server = internet
        .serve("example.com", |request| match path(request).as_str() {
            "/document" => ok("", b"document"),
            _ => redirect(number(request), "document"),
        })
        .await;
    for status in [301, 302, 303, 307, 308] {
        let (outcome, sink) = internet
            .fetch(&format!("https://example.com/{status}"))
            .await;
        assert_eq!(outcome.unwrap().bytes, 8, "{status}");
        assert_eq!(sink, b"document");
    }
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.starts_with("GET /"))
    );
    for status in [300, 304, 305, 306, 399] {
        let (outcome, sink) = internet
            .fetch(&format!("https://example.com/{status}"))
            .await;
        let Err(FetchError::Failed(FailedStep::Status(stated))) = outcome else {
            panic!("{status}: {outcome:?}");
        };
        assert_eq!(stated, status);
        assert_eq!(sink, b"");
    }
}

#[tokio::test]
async fn nothing_is_dialed_after_a_blocked_redirect() {
    for location in [
        "https://127.0.0.1/",
        "https://0x7f.1/",
        "https://[::ffff:127.0.0.1]/",
        "https://169.254.169.254/latest/meta-data/iam/security-credentials/",
        "https://[fd00:ec2::254]/",
        "https://localhost/",
        "//metadata.google.internal/",
        "https://intranet/",
        "https://api.octavo.app/api/v1/jobs",
        "https://example.com:22/",
        "https://user:password@example.com/",
        "http://example.com/",
        "http://93.184.216.1/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "data:text/plain,document",
        "javascript:alert(1)",
        "https://exa mple.com/",
        "https://",
    ] {
        let internet = Internet::new();
        internet.serve("example.com", |_| ok("", b"")).await;
        let server = internet
            .serve("start.example.com", move |_| redirect(302, location))
            .await;
        let (outcome, sink) = internet.fetch("https://start.example.com/").await;
        assert_fails!(outcome, FetchError::Blocked);
        assert_eq!(sink, b"", "{location}");
        assert_eq!(internet.lookups(), ["start.example.com"], "{location}");
        assert_eq!(internet.dialed().len(), 1, "{location}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_redirect_to_a_name_with_a_private_address_is_rejected_with_the_same_message() {
    let internet = Internet::new();
    internet.name("inside.example.com", &[&["10.0.0.1"]]);
    let _server = internet
        .serve("start.example.com", |_| {
            redirect(302, "https://inside.example.com/")
        })
        .await;
    let (outcome, _) = internet.fetch("https://start.example.com/").await;
    assert_eq!(outcome.unwrap_err().to_string(), "the URL is not allowed");
    assert_eq!(
        internet.lookups(),
        ["start.example.com", "inside.example.com"]
    );
    assert_eq!(internet.dialed().len(), 1);
}

#[tokio::test]
async fn a_redirect_to_the_same_host_is_resolved_and_checked_again() {
    let internet = Internet::new();
    let _server = internet
        .serve("rebinding.example.com", |_| redirect(302, "/again"))
        .await;
    internet.name(
        "rebinding.example.com",
        &[&["93.184.216.1"], &["127.0.0.1"]],
    );
    let (outcome, _) = internet.fetch("https://rebinding.example.com/").await;
    assert_fails!(outcome, FetchError::Blocked);
    assert_eq!(internet.dialed(), ["93.184.216.1:443"]);
}

#[tokio::test]
async fn at_most_five_redirects_are_followed() {
    let internet = Internet::new();
    let server = internet
        .serve("example.com", |request| match number(request) {
            0 => ok("", b"document"),
            left => redirect(301, &format!("/{}", left - 1)),
        })
        .await;
    let (outcome, _) = internet.fetch("https://example.com/5").await;
    assert_eq!(outcome.unwrap().bytes, 8);
    assert_eq!(server.requests().len(), 6);
    let (outcome, sink) = internet.fetch("https://example.com/6").await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Redirect));
    assert_eq!(sink, b"");
    assert_eq!(server.requests().len(), 6 + 6);
    assert_eq!(internet.dialed().len(), 6 + 6);
}

#[tokio::test]
async fn a_redirect_loop_ends() {
    let internet = Internet::new();
    let a = internet
        .serve("a.example.com", |_| redirect(302, "https://b.example.com/"))
        .await;
    let b = internet
        .serve("b.example.com", |_| redirect(302, "https://a.example.com/"))
        .await;
    let (outcome, _) = internet.fetch("https://a.example.com/").await;
    assert_fails!(outcome, FetchError::Failed(FailedStep::Redirect));
    assert_eq!((a.requests().len(), b.requests().len()), (3, 3));
}

#[tokio::test]
async fn a_redirect_without_a_valid_location_is_a_failure() {
    let internet = Internet::new();
    let _server = internet
        .serve("example.com", |request| match path(request).as_str() {
            "/none" => vec!["HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n".into()],
            _ => vec![Step::Bytes(
                b"HTTP/1.1 302 Found\r\nLocation: /\xff\r\n\r\n".to_vec(),
            )],
        })
        .await;
    for path in ["none", "bytes"] {
        let (outcome, _) = internet.fetch(&format!("https://example.com/{path}")).await;
        assert_fails!(outcome, FetchError::Failed(FailedStep::Redirect));
    }
}

#[tokio::test]
async fn own_hosts_of_the_caller_are_blocked() {
    let internet = Internet::new();
    let _start = internet
        .serve("start.example.com", |_| {
            redirect(302, "https://abc.execute-api.example.com/")
        })
        .await;
    let own = internet
        .serve("abc.execute-api.example.com", |_| ok("", b"document"))
        .await;
    let sources = RemoteSources::new(internet.client(), Duration::from_secs(10));
    let file = std::env::temp_dir().join(format!("octavo-fetch-{}", std::process::id()));
    let fetch = async |url: &str, own: &[String]| {
        let url = SourceUrl::new(url);
        sources.fetch_remote(&url, 1_000, own, &file).await
    };
    let names = ["ABC.execute-api.example.com".to_owned()];
    for url in [
        "https://start.example.com/",
        "https://abc.execute-api.example.com/",
    ] {
        let rejected = fetch(url, &names).await.unwrap_err();
        assert!(matches!(rejected, RemoteFileError::Blocked), "{rejected:?}");
        assert_eq!(own.requests().len(), 0);
    }
    let fetched = fetch("https://start.example.com/", &[]).await;
    assert_eq!(fetched.unwrap().size_bytes, 8);
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn redirects_from_https_to_http_are_for_pages_only() {
    let mut internet = Internet::new();
    let _start = internet
        .serve("start.example.com", |_| {
            redirect(302, "http://plain.example.com/page")
        })
        .await;
    let plain = internet
        .serve_as("plain.example.com", None, |_| ok("", b"page"))
        .await;
    let (outcome, _) = internet.fetch("https://start.example.com/").await;
    assert_fails!(outcome, FetchError::Blocked);
    assert_eq!(plain.requests().len(), 0);

    internet.policy = Policy::https_or_http(Vec::new(), "".parse().unwrap());
    let (outcome, sink) = internet.fetch("https://start.example.com/").await;
    assert_eq!(outcome.unwrap().filename.unwrap().as_str(), "page");
    assert_eq!(sink, b"page");
    assert!(plain.requests()[0].starts_with("GET /page HTTP/1.1\r\n"));
}

#[tokio::test]
async fn headers_of_the_caller_are_sent_to_their_origin_only() {
    let internet = Internet::new();
    let home = internet
        .serve("home.example.com", |request| match path(request).as_str() {
            "/start" => redirect(302, "/same"),
            "/same" => redirect(307, "https://away.example.com/"),
            _ => ok("", b"document"),
        })
        .await;
    let away = internet
        .serve("away.example.com", |_| {
            redirect(308, "https://home.example.com/back")
        })
        .await;
    let mut source = Source::from(internet.url("https://home.example.com/start"));
    for (name, value) in [
        ("authorization", "Bearer secret"),
        ("cookie", "session=secret"),
        ("x-token", "secret"),
    ] {
        source.headers.insert(name, value.parse().unwrap());
    }
    let outcome = internet
        .client()
        .fetch(&source, &limits(), &mut Vec::new())
        .await;
    assert_eq!(outcome.unwrap().bytes, 8);
    let secrets = |request: &String| request.matches("secret").count();
    assert_eq!(
        home.requests().iter().map(secrets).collect::<Vec<_>>(),
        [3, 3, 0]
    );
    assert_eq!(away.requests().iter().map(secrets).collect::<Vec<_>>(), [0]);
}

#[tokio::test]
async fn another_port_is_another_origin() {
    let internet = Internet::new();
    let server = internet
        .serve("example.com", |request| match path(request).as_str() {
            "/start" => redirect(302, "https://example.com:8443/other"),
            _ => ok("", b"document"),
        })
        .await;
    internet.route("93.184.216.1:8443", server.address);
    let mut source = Source::from(internet.url("https://example.com/start"));
    source
        .headers
        .insert("authorization", "secret".parse().unwrap());
    let outcome = internet
        .client()
        .fetch(&source, &limits(), &mut Vec::new())
        .await;
    assert_eq!(outcome.unwrap().bytes, 8);
    let [first, second] = &server.requests()[..] else {
        panic!("two requests");
    };
    assert!(first.contains("\r\nauthorization: secret\r\n"));
    assert!(!second.contains("secret"));
    assert!(second.contains("\r\nhost: example.com:8443\r\n"));
}

#[tokio::test]
async fn cookies_are_not_stored() {
    let internet = Internet::new();
    let server = internet
        .serve("example.com", |request| match path(request).as_str() {
            "/start" => vec![
                "HTTP/1.1 302 Found\r\nSet-Cookie: a=b\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"
                    .into(),
            ],
            _ => ok("Set-Cookie: c=d\r\n", b"x"),
        })
        .await;
    internet.fetch("https://example.com/start").await.0.unwrap();
    internet.fetch("https://example.com/start").await.0.unwrap();
    assert_eq!(server.requests().len(), 4);
    assert!(!server.requests().concat().to_lowercase().contains("cookie"));
}
