//! The port `CallReceivers`: outcomes of webhook deliveries.

use std::time::Duration;

use domain::ports::CallReceivers as _;
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFailure, DeliveryOutcome};
use fetch::Receivers;

use crate::support::{Internet, Reply, ok};

const URL: &str = "https://example.com/hook?token=hidden";

async fn call(internet: &Internet, url: &str) -> DeliveryOutcome {
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
async fn a_delivery_has_headers_and_body_and_its_status_is_the_outcome() {
    let internet = Internet::new();
    let server = internet
        .serve("example.com", |_| ok("Retry-After: 7\r\n", b"thanks"))
        .await;
    let retry_after = Some(Duration::from_secs(7));
    let accepted = DeliveryOutcome::Responded {
        status: 200,
        retry_after,
    };
    assert_eq!(call(&internet, URL).await, accepted);
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
async fn redirects_and_errors_are_outcomes_with_a_status() {
    for status in [301, 410, 503] {
        let internet = Internet::new();
        let head = format!("HTTP/1.1 {status} x\r\nLocation: https://example.com/next\r\n\r\n");
        let server = internet
            .serve("example.com", move |_| vec![head.as_str().into()])
            .await;
        let answered = DeliveryOutcome::Responded {
            status,
            retry_after: None,
        };
        assert_eq!(call(&internet, URL).await, answered);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn blocked_urls_have_their_own_outcome_and_are_never_dialed() {
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
        let blocked = DeliveryOutcome::NoResponse(DeliveryFailure::UrlBlocked);
        assert_eq!(call(&internet, url).await, blocked, "{url}");
    }
    assert_eq!(internet.dialed(), Vec::<String>::new());
}

#[tokio::test]
async fn an_unreachable_receiver_is_a_connection_failure() {
    let internet = Internet::new();
    let failed = DeliveryOutcome::NoResponse(DeliveryFailure::ConnectionFailed);
    assert_eq!(call(&internet, URL).await, failed);
    internet.name("example.com", &[&["93.184.216.9"]]);
    assert_eq!(call(&internet, URL).await, failed);
    let internet = Internet::new();
    let _server = internet.serve("example.com", |_| Reply::new()).await;
    assert_eq!(call(&internet, URL).await, failed);
}
