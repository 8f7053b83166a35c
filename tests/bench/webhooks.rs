//! How soon and how fast subscribers are told.

use std::time::{Duration, Instant, UNIX_EPOCH};

use futures::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::process::workers;
use tests::stack::{admin, new_account};
use tests::trusted_host::TrustedHost;

use crate::latency::trivial;
use crate::statistics::Sample;
use crate::traffic::Visitor;

/// Jobs whose end is told.
const JOBS: usize = 20;
/// Hooks that one event is told to.
const HOOKS: [usize; 3] = [10, 100, 1_000];
/// Requests that subscribe at a time.
const AT_ONCE: usize = 8;

pub(crate) async fn report() {
    let host = TrustedHost::willing().await;
    from_end_to_attempt(&host).await;
    println!(
        "\nOne event to many hooks: milliseconds to the first and the last, deliveries a second, and that by each worker"
    );
    let mut before = None;
    for count in HOOKS {
        let (first, last) = fan_out(&host, count).await;
        let rate = count as f64 / last.as_secs_f64();
        let each = rate / workers("deliver").len().max(1) as f64;
        let growth = before.map_or(String::new(), |before: Duration| {
            format!(
                "  {:.1} times the row before",
                last.as_secs_f64() / before.as_secs_f64()
            )
        });
        println!(
            "  {count:>6}{:>9.0}{:>9.0}{rate:>9.1}{each:>9.1}{growth}",
            first.as_secs_f64() * 1_000.0,
            last.as_secs_f64() * 1_000.0
        );
        before = Some(last);
    }
}

async fn from_end_to_attempt(host: &TrustedHost) {
    let document = &trivial()[0];
    let visitor = Visitor::new(document).await;
    let path = format!("/{}", unique("end"));
    let body = json!({"url": TrustedHost::url(&path), "events": ["job.completed"]});
    let created = visitor
        .request(reqwest::Method::POST, "/webhooks")
        .json(&body);
    assert_eq!(created.send().await.unwrap().status(), 201);
    let mut sample = Sample::default();
    for count in 1..=JOBS {
        let job = visitor.complete().await;
        let told = host.receive(&path, count).await.remove(count - 1);
        let ended = visitor.look(&job).await["updatedAt"].as_f64().unwrap();
        let at = told.at.duration_since(UNIX_EPOCH).unwrap();
        sample.add(at.as_secs_f64() * 1_000.0 - ended);
    }
    println!(
        "\nFrom the end of a job to the first attempt, in milliseconds: median and 95th percentile"
    );
    println!("  {:<16}{sample}", "job.completed");
}

/// How long it takes until the first and the last of so many hooks has been told of one event.
async fn fan_out(host: &TrustedHost, count: usize) -> (Duration, Duration) {
    let (account, key) = new_account("business");
    let client = Client::with_key(Some(&key)).patient();
    let path = format!("/{}", unique("fan"));
    let body = json!({"event": "qr.scanned", "targetUrl": TrustedHost::url(&path)});
    stream::iter(0..count)
        .for_each_concurrent(AT_ONCE, |_| subscribe(&client, &body))
        .await;
    admin(&[
        "event",
        "put",
        "--account",
        &account,
        "--event",
        "qr.scanned",
    ]);
    let put = Instant::now();
    host.receive(&path, 1).await;
    let first = put.elapsed();
    host.receive(&path, count).await;
    (first, put.elapsed())
}

async fn subscribe(client: &Client, body: &Value) {
    let answer = client.post("/hooks/subscribe", &[], body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
}
