//! Workers that are killed while they deliver webhooks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use tests::client::{Client, unique};
use tests::process::workers;
use tests::stack::{admin, new_account};
use tests::trusted_host::{Request, StubAction, StubResponse, TrustedHost};
use tests::wire;

use crate::queue::Queue;

/// More than the 500 subscriptions per `fanout` message, so that a continuation message is needed.
const HOOKS: usize = 600;
/// Concurrent subscription requests.
const CONCURRENCY: usize = 16;

/// Path of the receiver that does not respond to the first attempt.
const SILENT: &str = "/silent";

/// Answers 204 to every request except the first one to the silent receiver.
pub(crate) async fn receiver() -> TrustedHost {
    let reply = |request: &Request, count| match (&*request.path, count) {
        (SILENT, 1) => StubAction::Silence,
        _ => StubAction::Respond(StubResponse::status(204)),
    };
    TrustedHost::serve_actions(reply).await
}

/// Kills the worker during an attempt; another worker retries with the same event.
pub(crate) async fn killed_while_delivering(host: Arc<TrustedHost>) {
    let (account, key) = new_account("free");
    let client = Client::with_key(Some(&key)).with_retries();
    let hook = subscribe(&client, SILENT).await;
    let event = fire(&account);
    let first = host.receive(SILENT, 1).await.remove(0);
    for worker in workers("deliver") {
        worker.kill();
    }
    let second = host.receive(SILENT, 2).await.remove(1);
    for request in [&first, &second] {
        verify(&hook, request);
    }
    assert_eq!(
        first.header("webhook-id"),
        second.header("webhook-id"),
        "{event}"
    );
    assert_eq!(first.body, second.body);
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let last = client.get("/hooks").await.json()["subscriptions"][0]["lastDelivery"].take();
        if last["status"] == "delivered" {
            assert_eq!(last["attempts"], 2, "{last}");
            break;
        }
        assert!(Instant::now() < deadline, "{last}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Kills the `fanout` worker; the next one creates the remaining deliveries, all of one event.
pub(crate) async fn killed_during_fan_out(host: Arc<TrustedHost>) {
    let (account, key) = new_account("business");
    let client = Client::with_key(Some(&key)).with_retries();
    let paths: Vec<_> = (0..HOOKS).map(|number| format!("/{number}")).collect();
    let subscribing = paths.clone().into_iter().map(|path| {
        let client = client.clone();
        async move { subscribe(&client, &path).await }
    });
    let hooks: Vec<_> = stream::iter(subscribing)
        .buffered(CONCURRENCY)
        .collect()
        .await;
    let _short_visibility = Queue::of("fanout").await.with_short_visibility().await;
    let before = deliveries_added();
    let event = fire(&account);
    let deadline = Instant::now() + Duration::from_secs(60);
    while deliveries_added() < before + 5 {
        assert!(Instant::now() < deadline, "no delivery of {event}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    for worker in workers("fanout") {
        worker.kill();
    }
    let mut ids = Vec::new();
    for (path, hook) in paths.iter().zip(&hooks) {
        for request in host.receive(path, 1).await {
            verify(hook, &request);
            ids.push(request.header("webhook-id").to_owned());
        }
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

async fn subscribe(client: &Client, path: &str) -> Value {
    let body = json!({"event": "qr.scanned", "targetUrl": TrustedHost::url(path)});
    let response = client.post("/hooks/subscribe", &[], &body).await;
    assert_eq!(response.status, 201, "{}", response.text());
    response.json()
}

fn fire(account: &str) -> Value {
    let id = unique("fault");
    let event = ["event", "put", "--event", "qr.scanned"];
    admin(&[&event[..], &["--account", account, "--id", &id]].concat())
}

fn verify(hook: &Value, request: &Request) {
    let verifier = Webhook::new(hook["secret"].as_str().unwrap()).unwrap();
    verifier.verify(&request.body, &request.headers).unwrap();
}

/// Returns the number of deliveries that `fanout` has written so far.
fn deliveries_added() -> usize {
    let own = wire::requests().into_iter();
    let own = own.filter(|request| request.is_of("fanout"));
    own.filter(|request| request.operation == "PutItem").count()
}
