//! Owner of webhooks and hooks that verifies deliveries with the reference library of Standard Webhooks.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use standardwebhooks::{Webhook as Verifier, WebhookError};
use tests::client::Response;
use tests::trusted_host::{Request, TrustedHost};

use crate::account::Account;

/// Timeout for expected deliveries; covers an attempt that times out and a cold start.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A webhook or a hook.
pub(crate) struct Subscriber {
    pub(crate) id: String,
    pub(crate) secret: String,
    /// Path of the receiver on the trusted host.
    pub(crate) path: String,
}

impl Subscriber {
    /// Creates a webhook for these events.
    pub(crate) async fn webhook(account: &Account, path: &str, events: &[&str]) -> Self {
        let body = json!({"url": TrustedHost::url(path), "events": events});
        Self::register(account, &body, path).await
    }

    /// Creates a webhook at a host that does not resolve, so that its deliveries stay pending.
    pub(crate) async fn webhook_at_unreachable_host(account: &Account) -> Self {
        let url = "https://no-such-host.example.com/";
        let body = json!({"url": url, "events": ["webhook.test"]});
        Self::register(account, &body, "/").await
    }

    async fn register(account: &Account, body: &Value, path: &str) -> Self {
        let response = account.client.post("/webhooks", &[], body).await;
        assert_eq!(response.status, 201, "{}", response.text());
        Self::of(&response, path)
    }

    /// Creates a hook for this trigger.
    pub(crate) async fn hook(account: &Account, path: &str, event: &str) -> Self {
        let body = json!({"event": event, "targetUrl": TrustedHost::url(path)});
        let response = account.client.post("/hooks/subscribe", &[], &body).await;
        assert_eq!(response.status, 201, "{}", response.text());
        Self::of(&response, path)
    }

    fn of(created: &Response, path: &str) -> Self {
        let created = created.json();
        let text = |member: &str| created[member].as_str().unwrap().to_owned();
        Self {
            id: text("id"),
            secret: text("secret"),
            path: path.to_owned(),
        }
    }

    /// Sends the test event and returns the identifier of its delivery.
    pub(crate) async fn send_test_event(&self, account: &Account) -> String {
        let path = format!("/webhooks/{}/test", self.id);
        let response = account.client.send("POST", &path, &[], None).await;
        assert_eq!(response.status, 202, "{}", response.text());
        let entry = response.json();
        assert_eq!(
            (&entry["type"], &entry["status"]),
            (&json!("webhook.test"), &json!("pending")),
            "{entry}"
        );
        entry["id"].as_str().unwrap().to_owned()
    }

    /// Deletes the webhook, so that no later delivery reaches the stub server of another test.
    pub(crate) async fn delete(&self, account: &Account) {
        let path = format!("/webhooks/{}", self.id);
        let response = account.client.send("DELETE", &path, &[], None).await;
        assert_eq!(response.status, 204, "{}", response.text());
    }

    /// Returns the delivery log, newest event first.
    pub(crate) async fn deliveries(&self, account: &Account) -> Vec<Value> {
        let path = format!("/webhooks/{}/deliveries?limit=100", self.id);
        let response = account.client.get(&path).await;
        assert_eq!(response.status, 200, "{}", response.text());
        response.json()["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until a delivery in the log satisfies `is_expected` and returns it.
    pub(crate) async fn wait_for_delivery(
        &self,
        account: &Account,
        delivery: &str,
        is_expected: impl Fn(&Value) -> bool,
    ) -> Value {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let log = self.deliveries(account).await;
            let line = log.into_iter().find(|line| line["id"] == delivery);
            let line = line.unwrap_or_else(|| panic!("no delivery {delivery}"));
            if is_expected(&line) {
                return line;
            }
            assert!(
                Instant::now() < deadline,
                "not in the expected state in time: {line}"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until the log has `count` deliveries and none is pending, and returns it.
    pub(crate) async fn wait_for_deliveries(&self, account: &Account, count: usize) -> Vec<Value> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let log = self.deliveries(account).await;
            let pending = log.iter().any(|line| line["status"] == "pending");
            if log.len() >= count && !pending {
                return log;
            }
            assert!(
                Instant::now() < deadline,
                "{count} deliveries not finished in time: {log:?}"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Verifies the signature with the subscriber's secret.
    pub(crate) fn verify(&self, request: &Request) -> Result<(), WebhookError> {
        verify(&self.secret, request)
    }
}

/// Verifies the signature of a request with this secret.
pub(crate) fn verify(secret: &str, request: &Request) -> Result<(), WebhookError> {
    Verifier::new(secret)?.verify(&request.body, &request.headers)
}

/// Asserts that the request is a delivery by Standard Webhooks whose signature verifies with `secret`, and that it does not
/// verify with another secret, body, identifier or timestamp.
pub(crate) fn assert_signed(secret: &str, request: &Request) {
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("content-type"), "application/json");
    assert_eq!(request.header("user-agent"), "Octavo-Webhooks/1.0");
    assert_eq!(request.header("webhook-id"), request.json()["id"]);
    verify(secret, request).unwrap();
    let changes: [fn(&mut Request); 3] = [
        |request| request.body.push(b' '),
        |request| {
            let other = "evt_01arz3ndektsv4rrffq69g5fav".parse().unwrap();
            request.headers.insert("webhook-id", other);
        },
        |request| {
            let at: u64 = request.header("webhook-timestamp").parse().unwrap();
            let later = (at + 1).to_string().parse().unwrap();
            request.headers.insert("webhook-timestamp", later);
        },
    ];
    for change in changes {
        let mut forged = request.clone();
        change(&mut forged);
        assert!(verify(secret, &forged).is_err(), "{forged:?}");
    }
    let mut other = secret.to_owned().into_bytes();
    let last = &mut other[secret.len() - 3];
    *last = if *last == b'A' { b'B' } else { b'A' };
    let other = String::from_utf8(other).unwrap();
    assert!(verify(&other, request).is_err());
}
