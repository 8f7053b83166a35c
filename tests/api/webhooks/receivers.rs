//! Receivers that answer in every way that receivers do, on the wire, and what the delivery log says of each.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::trusted_host::{Reply, Request, Served, TrustedHost};
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::account::Account;
use crate::refusal::assert_refused;
use crate::subscriber::{Subscriber, assert_signed};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n";

/// What becomes of a request, by its path.
fn script(request: &Request, count: usize) -> Reply {
    Reply::Served(match request.path.as_str() {
        "/works" => Served::ok("text/plain", "thanks"),
        "/recovers" if count == 1 => Served::status(500),
        "/recovers" => Served::status(202),
        "/gone" => Served::status(410),
        "/busy" => Served::status(429).with("Retry-After", "600"),
        "/moved" => Served::status(301).with("Location", "/target"),
        "/silent" => return Reply::Silence,
        "/breaks" => return Reply::Reset(&HEAD[..9]),
        "/breaks-in-body" => return Reply::Reset(HEAD),
        "/slow" => return Reply::Trickle(HEAD),
        "/endless" => return Reply::Endless(HEAD),
        path => panic!("{path} was asked for"),
    })
}

/// `(path, status of the delivery, attempts, what was answered, why nothing was)` after its first attempts.
type Told = (
    &'static str,
    &'static str,
    u32,
    Option<u16>,
    Option<&'static str>,
);

const TOLD: [Told; 10] = [
    ("/works", "delivered", 1, Some(200), None),
    ("/recovers", "delivered", 2, Some(202), None),
    ("/gone", "failed", 1, Some(410), None),
    ("/busy", "pending", 1, Some(429), None),
    ("/moved", "pending", 1, Some(301), None),
    ("/silent", "pending", 1, None, Some("timed_out")),
    ("/breaks", "pending", 1, None, Some("connection_failed")),
    // The answer is its status; of the body, no more than the beginning is waited for.
    ("/breaks-in-body", "delivered", 1, Some(200), None),
    ("/slow", "pending", 1, None, Some("timed_out")),
    ("/endless", "delivered", 1, Some(200), None),
];

/// The log's line after the attempts of the table, before any more.
async fn told(
    account: &Account,
    webhook: &Subscriber,
    delivery: &str,
    wanted: (&str, u32),
) -> Value {
    let is_told = |line: &Value| {
        let tried = line["attempts"].as_u64() >= Some(wanted.1.into());
        let ended = line.get("fault").is_some() || !line["responseStatus"].is_null();
        tried && ended && line["status"] == wanted.0
    };
    webhook.line(account, delivery, is_told).await
}

#[tokio::test]
async fn every_kind_of_receiver_is_told_apart() {
    let account = Account::new("pro");
    let host = TrustedHost::reply(script).await;
    let mut webhooks = Vec::new();
    for (path, ..) in TOLD {
        webhooks.push(Subscriber::webhook(&account, path, &["*"]).await);
    }
    let deliveries = join_all(webhooks.iter().map(|webhook| webhook.try_out(&account))).await;
    let lines = webhooks.iter().zip(&deliveries).zip(TOLD);
    let lines = lines.map(|((webhook, delivery), (_, status, attempts, ..))| {
        told(&account, webhook, delivery, (status, attempts))
    });
    let lines = join_all(lines).await;
    for ((line, webhook), (path, _, attempts, answered, fault)) in
        lines.iter().zip(&webhooks).zip(TOLD)
    {
        assert_eq!(line["responseStatus"], json!(answered), "{path}: {line}");
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
    let line = |path: &str| &lines[TOLD.iter().position(|(known, ..)| *known == path).unwrap()];
    let waits = |path: &str| {
        let line = line(path);
        line["nextAttemptAt"].as_i64().unwrap() - line["createdAt"].as_i64().unwrap()
    };
    assert!(waits("/busy") >= 600_000, "{}", line("/busy"));
    assert_eq!(
        host.received("/busy").len(),
        1,
        "left alone for as long as it asked"
    );
    assert_eq!(host.received("/recovers").len(), 2);
    let bodies: Vec<_> = host
        .received("/recovers")
        .into_iter()
        .map(|request| request.body)
        .collect();
    assert_eq!(bodies[0], bodies[1], "the same at every attempt");
    assert_eq!(
        host.received("/target").len(),
        0,
        "a redirect is not followed"
    );
    the_one_that_is_gone_is_disabled(&account, &host, &webhooks[2]).await;
    for webhook in &webhooks {
        webhook.end(&account).await;
    }
}

async fn the_one_that_is_gone_is_disabled(
    account: &Account,
    host: &TrustedHost,
    gone: &Subscriber,
) {
    let path = format!("/webhooks/{}", gone.id);
    let webhook = account.client.get(&path).await.json();
    assert_eq!(
        (&webhook["status"], &webhook["disabledReason"]),
        (&json!("disabled"), &json!("gone")),
        "{webhook}"
    );
    let path = format!("{path}/test");
    let trial = account.client.send("POST", &path, &[], None).await;
    assert_refused(&trial, 409, "webhook_disabled", &[]);
    assert_eq!(gone.log(account).await.len(), 1, "no delivery is written");
    assert_eq!(host.received(&gone.path).len(), 1);
}

#[tokio::test]
async fn a_receiver_whose_certificate_is_nobodys_is_sent_nothing() {
    let account = Account::new("free");
    let name = tests::stack::stack().trusted_host.name.clone();
    let own = rcgen::generate_simple_self_signed(vec![name]).unwrap();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
    let host = TrustedHost::reply_as(vec![own.cert.der().clone()], key, script).await;
    let webhook = Subscriber::webhook(&account, "/works", &["*"]).await;
    let delivery = webhook.try_out(&account).await;
    let line = told(&account, &webhook, &delivery, ("pending", 1)).await;
    assert_eq!(line["fault"], "connection_failed", "{line}");
    assert_eq!(line["responseStatus"], Value::Null, "{line}");
    assert_eq!(host.requests(), Vec::<String>::new());
    webhook.end(&account).await;
}
