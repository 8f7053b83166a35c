//! Webhook receivers with different responses and failures, and the delivery log of each.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::trusted_host::{Request, StubAction, StubResponse, TrustedHost};
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::account::Account;
use crate::problem::assert_error;
use crate::subscriber::{Subscriber, assert_signed};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n";

/// Handles a request by its path.
fn respond(request: &Request, count: usize) -> StubAction {
    StubAction::Respond(match request.path.as_str() {
        "/works" => StubResponse::ok("text/plain", "thanks"),
        "/recovers" if count == 1 => StubResponse::status(500),
        "/recovers" => StubResponse::status(202),
        "/gone" => StubResponse::status(410),
        "/busy" => StubResponse::status(429).with_header("Retry-After", "600"),
        "/moved" => StubResponse::status(301).with_header("Location", "/target"),
        "/silent" => return StubAction::Silence,
        "/breaks" => return StubAction::Reset(&HEAD[..9]),
        "/breaks-in-body" => return StubAction::Reset(HEAD),
        "/slow" => return StubAction::Trickle(HEAD),
        "/endless" => return StubAction::Endless(HEAD),
        path => panic!("unexpected request for {path}"),
    })
}

/// `(path, delivery status, attempts, response status, fault)` after the first attempts.
type Outcome = (
    &'static str,
    &'static str,
    u32,
    Option<u16>,
    Option<&'static str>,
);

const OUTCOMES: [Outcome; 10] = [
    ("/works", "delivered", 1, Some(200), None),
    ("/recovers", "delivered", 2, Some(202), None),
    ("/gone", "failed", 1, Some(410), None),
    ("/busy", "pending", 1, Some(429), None),
    ("/moved", "pending", 1, Some(301), None),
    ("/silent", "pending", 1, None, Some("timed_out")),
    ("/breaks", "pending", 1, None, Some("connection_failed")),
    // Only the status counts; the body is not read to its end.
    ("/breaks-in-body", "delivered", 1, Some(200), None),
    ("/slow", "pending", 1, None, Some("timed_out")),
    ("/endless", "delivered", 1, Some(200), None),
];

/// Waits for the delivery with the status and attempts of the table.
async fn wait_for_attempts(
    account: &Account,
    webhook: &Subscriber,
    delivery: &str,
    expected: (&str, u32),
) -> Value {
    let is_attempted = |line: &Value| {
        let tried = line["attempts"].as_u64() >= Some(expected.1.into());
        let ended = line.get("fault").is_some() || !line["responseStatus"].is_null();
        tried && ended && line["status"] == expected.0
    };
    webhook
        .wait_for_delivery(account, delivery, is_attempted)
        .await
}

#[tokio::test]
async fn each_receiver_outcome_is_logged() {
    let account = Account::new("pro");
    let host = TrustedHost::serve_actions(respond).await;
    let mut webhooks = Vec::new();
    for (path, ..) in OUTCOMES {
        webhooks.push(Subscriber::webhook(&account, path, &["*"]).await);
    }
    let deliveries = join_all(
        webhooks
            .iter()
            .map(|webhook| webhook.send_test_event(&account)),
    )
    .await;
    let lines = webhooks.iter().zip(&deliveries).zip(OUTCOMES);
    let lines = lines.map(|((webhook, delivery), (_, status, attempts, ..))| {
        wait_for_attempts(&account, webhook, delivery, (status, attempts))
    });
    let lines = join_all(lines).await;
    for ((line, webhook), (path, _, attempts, status, fault)) in
        lines.iter().zip(&webhooks).zip(OUTCOMES)
    {
        assert_eq!(line["responseStatus"], json!(status), "{path}: {line}");
        assert_eq!(
            line.get("fault"),
            fault.map(Value::from).as_ref(),
            "{path}: {line}"
        );
        let pending = line["status"] == "pending";
        assert_eq!(line["nextAttemptAt"].is_i64(), pending, "{path}: {line}");
        assert!(
            line["attempts"].as_u64() >= Some(attempts.into()),
            "{path}: {line}"
        );
        for request in host.received(path) {
            assert_signed(&webhook.secret, &request);
            assert_eq!(request.header("webhook-id"), line["eventId"], "{path}");
        }
    }
    let line = |path: &str| {
        &lines[OUTCOMES
            .iter()
            .position(|(known, ..)| *known == path)
            .unwrap()]
    };
    let retry_delay = |path: &str| {
        let line = line(path);
        line["nextAttemptAt"].as_i64().unwrap() - line["createdAt"].as_i64().unwrap()
    };
    assert!(retry_delay("/busy") >= 600_000, "{}", line("/busy"));
    assert_eq!(host.received("/busy").len(), 1, "Retry-After is respected");
    assert_eq!(host.received("/recovers").len(), 2);
    let bodies: Vec<_> = host
        .received("/recovers")
        .into_iter()
        .map(|request| request.body)
        .collect();
    assert_eq!(bodies[0], bodies[1], "every attempt sends the same body");
    assert_eq!(
        host.received("/target").len(),
        0,
        "a redirect is not followed"
    );
    check_gone_receiver_is_disabled(&account, &host, &webhooks[2]).await;
    for webhook in &webhooks {
        webhook.delete(&account).await;
    }
}

async fn check_gone_receiver_is_disabled(account: &Account, host: &TrustedHost, gone: &Subscriber) {
    let path = format!("/webhooks/{}", gone.id);
    let webhook = account.client.get(&path).await.json();
    assert_eq!(
        (&webhook["status"], &webhook["disabledReason"]),
        (&json!("disabled"), &json!("gone")),
        "{webhook}"
    );
    let path = format!("{path}/test");
    let test = account.client.send("POST", &path, &[], None).await;
    assert_error(&test, 409, "webhook_disabled", &[]);
    assert_eq!(
        gone.deliveries(account).await.len(),
        1,
        "no delivery is written"
    );
    assert_eq!(host.received(&gone.path).len(), 1);
}

#[tokio::test]
async fn a_receiver_with_an_untrusted_certificate_receives_nothing() {
    let account = Account::new("free");
    let name = tests::stack::stack().trusted_host.name.clone();
    let own = rcgen::generate_simple_self_signed(vec![name]).unwrap();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
    let host =
        TrustedHost::serve_with_certificate(vec![own.cert.der().clone()], key, respond).await;
    let webhook = Subscriber::webhook(&account, "/works", &["*"]).await;
    let delivery = webhook.send_test_event(&account).await;
    let line = wait_for_attempts(&account, &webhook, &delivery, ("pending", 1)).await;
    assert_eq!(line["fault"], "connection_failed", "{line}");
    assert_eq!(line["responseStatus"], Value::Null, "{line}");
    assert_eq!(host.requests(), Vec::<String>::new());
    webhook.delete(&account).await;
}
