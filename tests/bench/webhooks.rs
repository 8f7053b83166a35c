//! Latency and throughput of webhook delivery.

use std::time::{Duration, Instant, UNIX_EPOCH};

use futures::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::process::workers;
use tests::stack::{admin, new_account};
use tests::trusted_host::TrustedHost;

use crate::latency::small_documents;
use crate::statistics::Sample;
use crate::traffic::LoadClient;

/// Jobs whose outcome is delivered.
const JOBS: usize = 20;
/// Numbers of hooks that receive one event.
const HOOKS: [usize; 3] = [10, 100, 1_000];
/// Concurrent requests that subscribe.
const CONCURRENCY: usize = 8;

pub(crate) async fn report() {
    let host = TrustedHost::accept_all().await;
    report_first_attempts(&host).await;
    println!(
        "\nOne event to many hooks: milliseconds to the first and the last delivery, deliveries per second, the same per worker"
    );
    let mut before = None;
    for count in HOOKS {
        let (first, last) = fan_out(&host, count).await;
        let rate = count as f64 / last.as_secs_f64();
        let each = rate / workers("deliver").len().max(1) as f64;
        let growth = before.map_or(String::new(), |before: Duration| {
            format!(
                "  {:.1} × the previous row",
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

async fn report_first_attempts(host: &TrustedHost) {
    let document = &small_documents()[0];
    let load_client = LoadClient::new(document).await;
    let path = format!("/{}", unique("end"));
    let body = json!({"url": TrustedHost::url(&path), "events": ["job.completed"]});
    let created = load_client
        .request(reqwest::Method::POST, "/webhooks")
        .json(&body);
    assert_eq!(created.send().await.unwrap().status(), 201);
    let mut sample = Sample::default();
    for count in 1..=JOBS {
        let job = load_client.complete().await;
        let delivery = host.receive(&path, count).await.remove(count - 1);
        let finished = load_client.get_job(&job).await["updatedAt"]
            .as_f64()
            .unwrap();
        let at = delivery.at.duration_since(UNIX_EPOCH).unwrap();
        sample.add(at.as_secs_f64() * 1_000.0 - finished);
    }
    println!(
        "\nFrom the completion of a job to the first delivery attempt, in milliseconds: median and 95th percentile"
    );
    println!("  {:<16}{sample}", "job.completed");
}

/// Time until the first and the last of `count` hooks have received one event.
async fn fan_out(host: &TrustedHost, count: usize) -> (Duration, Duration) {
    let (account, key) = new_account("business");
    let client = Client::with_key(Some(&key)).with_retries();
    let path = format!("/{}", unique("fan"));
    let body = json!({"event": "qr.scanned", "targetUrl": TrustedHost::url(&path)});
    stream::iter(0..count)
        .for_each_concurrent(CONCURRENCY, |_| subscribe(&client, &body))
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
    let response = client.post("/hooks/subscribe", &[], body).await;
    assert_eq!(response.status, 201, "{}", response.text());
}
