//! Somebody who has webhooks and hooks, and checks what comes as the standard says, with the standard's own library.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use standardwebhooks::{Webhook as Verifier, WebhookError};
use tests::client::Answer;
use tests::trusted_host::{Request, TrustedHost};

use crate::account::Account;

/// The longest that a test waits for what the delivery log is to say: an attempt that times out, and a cold start.
const PATIENCE: Duration = Duration::from_secs(120);

/// A webhook or a hook.
pub(crate) struct Subscriber {
    pub(crate) id: String,
    pub(crate) secret: String,
    /// Where on the trusted host it is called.
    pub(crate) path: String,
}

impl Subscriber {
    /// A webhook for these events.
    pub(crate) async fn webhook(account: &Account, path: &str, events: &[&str]) -> Self {
        let body = json!({"url": TrustedHost::url(path), "events": events});
        Self::registered(account, &body, path).await
    }

    /// A webhook at a name that leads nowhere: its deliveries wait.
    pub(crate) async fn out_of_reach(account: &Account) -> Self {
        let url = "https://no-such-host.example.com/";
        let body = json!({"url": url, "events": ["webhook.test"]});
        Self::registered(account, &body, "/").await
    }

    async fn registered(account: &Account, body: &Value, path: &str) -> Self {
        let answer = account.client.post("/webhooks", &[], body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        Self::of(&answer, path)
    }

    /// A hook for this trigger.
    pub(crate) async fn hook(account: &Account, path: &str, event: &str) -> Self {
        let body = json!({"event": event, "targetUrl": TrustedHost::url(path)});
        let answer = account.client.post("/hooks/subscribe", &[], &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        Self::of(&answer, path)
    }

    fn of(created: &Answer, path: &str) -> Self {
        let created = created.json();
        let text = |member: &str| created[member].as_str().unwrap().to_owned();
        Self {
            id: text("id"),
            secret: text("secret"),
            path: path.to_owned(),
        }
    }

    /// Sends the trial event: its delivery.
    pub(crate) async fn try_out(&self, account: &Account) -> String {
        let path = format!("/webhooks/{}/test", self.id);
        let answer = account.client.send("POST", &path, &[], None).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        let entry = answer.json();
        assert_eq!(
            (&entry["type"], &entry["status"]),
            (&json!("webhook.test"), &json!("pending")),
            "{entry}"
        );
        entry["id"].as_str().unwrap().to_owned()
    }

    /// Ends a webhook, so that nothing of it comes to a host that another test serves.
    pub(crate) async fn end(&self, account: &Account) {
        let path = format!("/webhooks/{}", self.id);
        let answer = account.client.send("DELETE", &path, &[], None).await;
        assert_eq!(answer.status, 204, "{}", answer.text());
    }

    /// The delivery log, newest event first.
    pub(crate) async fn log(&self, account: &Account) -> Vec<Value> {
        let path = format!("/webhooks/{}/deliveries?limit=100", self.id);
        let answer = account.client.get(&path).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["deliveries"].as_array().unwrap().clone()
    }

    /// The log's line of a delivery once it is as `wanted` says.
    pub(crate) async fn line(
        &self,
        account: &Account,
        delivery: &str,
        wanted: impl Fn(&Value) -> bool,
    ) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let log = self.log(account).await;
            let line = log.into_iter().find(|line| line["id"] == delivery);
            let line = line.unwrap_or_else(|| panic!("no delivery {delivery}"));
            if wanted(&line) {
                return line;
            }
            assert!(Instant::now() < deadline, "stays so: {line}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The log once that has `count` lines and none that is pending.
    pub(crate) async fn settled(&self, account: &Account, count: usize) -> Vec<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let log = self.log(account).await;
            let pending = log.iter().any(|line| line["status"] == "pending");
            if log.len() >= count && !pending {
                return log;
            }
            assert!(Instant::now() < deadline, "{count} never settle: {log:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Whether this came from the service and from nobody else.
    pub(crate) fn verify(&self, request: &Request) -> Result<(), WebhookError> {
        verify(&self.secret, request)
    }
}

/// Whether a request was signed with this secret.
pub(crate) fn verify(secret: &str, request: &Request) -> Result<(), WebhookError> {
    Verifier::new(secret)?.verify(&request.body, &request.headers)
}

/// Fails unless the request is a delivery as the standard describes it, signed with `secret` and no other.
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
