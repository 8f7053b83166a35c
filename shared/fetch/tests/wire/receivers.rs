//! The receivers of deliveries, as the rules of deliveries see them.

use std::time::Duration;

use domain::ports::CallReceivers as _;
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFault, Outcome};
use fetch::Receivers;

use crate::support::{Internet, Reply, ok};

const URL: &str = "https://example.com/hook?token=hidden";

async fn call(internet: &Internet, url: &str) -> Outcome {
    let headers = [
        ("content-type", "application/json".to_owned()),
        ("user-agent", "Octavo-Webhooks/1.0".to_owned()),
        ("webhook-signature", "v1,one v1,two".to_owned()),
        ("webhook-id", "line\nbreak".to_owned()),
    ];
    let receivers = Receivers::new(internet.client());
    let url = SourceUrl::new(url);
    receivers.call_receiver(&url, &headers, "{\"a\":1}").await
}

#[tokio::test]
async fn the_receiver_gets_headers_and_body_and_its_status_is_the_outcome() {
    let internet = Internet::new();
    let server = internet
        .serve("example.com", |_| ok("Retry-After: 7\r\n", b"thanks"))
        .await;
    let retry_after = Some(Duration::from_secs(7));
    let taken = Outcome::Answered {
        status: 200,
        retry_after,
    };
    assert_eq!(call(&internet, URL).await, taken);
    let request = server.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, "{\"a\":1}");
    let mut lines: Vec<_> = head.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "POST /hook?token=hidden HTTP/1.1",
            "accept-encoding: identity",
            "accept: */*",
            "connection: close",
            "content-length: 7",
            "content-type: application/json",
            "host: example.com",
            "user-agent: Octavo-Webhooks/1.0",
            "webhook-signature: v1,one v1,two",
        ]
    );
}

#[tokio::test]
async fn a_redirect_and_a_refusal_are_answers() {
    for status in [301, 410, 503] {
        let internet = Internet::new();
        let head = format!("HTTP/1.1 {status} x\r\nLocation: https://example.com/next\r\n\r\n");
        let server = internet
            .serve("example.com", move |_| vec![head.as_str().into()])
            .await;
        let answered = Outcome::Answered {
            status,
            retry_after: None,
        };
        assert_eq!(call(&internet, URL).await, answered);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn what_the_guard_refuses_is_told_apart_and_never_dialled() {
    let internet = Internet::new();
    internet.name("inside.example.com", &[&["10.0.0.7"]]);
    for url in [
        "https://inside.example.com/",
        "https://127.0.0.1/",
        "https://api.octavo.app/",
        "https://name:secret@example.com/",
        "http://example.com/",
        "ftp://example.com/",
    ] {
        let blocked = Outcome::NoAnswer(DeliveryFault::UrlBlocked);
        assert_eq!(call(&internet, url).await, blocked, "{url}");
    }
    assert_eq!(internet.dialled(), Vec::<String>::new());
}

#[tokio::test]
async fn a_receiver_that_cannot_be_reached_or_breaks_off_has_not_answered() {
    let internet = Internet::new();
    let failed = Outcome::NoAnswer(DeliveryFault::ConnectionFailed);
    assert_eq!(call(&internet, URL).await, failed);
    internet.name("example.com", &[&["93.184.216.9"]]);
    assert_eq!(call(&internet, URL).await, failed);
    let internet = Internet::new();
    let _server = internet.serve("example.com", |_| Reply::new()).await;
    assert_eq!(call(&internet, URL).await, failed);
}
