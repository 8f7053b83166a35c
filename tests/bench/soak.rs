//! Soak test of webhooks: the outcomes of 1,000 jobs are delivered to receivers of every kind while workers are killed at
//! random. Every working receiver must get one event for each job, with one identifier and a valid signature, and the
//! delivery log must match.

mod checks;
mod receivers;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use tests::client::Client;
use tests::process::workers;
use tests::stack::new_account;
use tests::trusted_host::TrustedHost;

use self::receivers::{RECEIVERS, Receiver};

/// Jobs whose outcome is delivered.
const JOBS: usize = 1_000;
/// Test events for a receiver that occupies a worker for as long as possible.
const TEST_EVENTS: usize = 20;
/// Concurrent requests that create jobs.
const CONCURRENCY: usize = 8;
/// Mean pause between two kills, and its range, in milliseconds.
const KILL_INTERVAL: u64 = 3_000;
/// The functions whose workers are killed.
const KILLED_FUNCTIONS: [&str; 3] = ["fanout", "deliver", "sweep"];
/// Time limit of the whole run.
const TIME_LIMIT: Duration = Duration::from_secs(2_400);

pub(crate) async fn run() {
    let client = Client::with_key(Some(&new_account("business").1)).with_retries();
    let host = TrustedHost::serve_actions(receivers::reply).await;
    let mut webhooks = Vec::new();
    for receiver in &RECEIVERS {
        webhooks.push(subscribe(&client, receiver).await);
    }
    let kills = Arc::new(AtomicUsize::new(0));
    let killer = tokio::spawn(kill_at_random(Arc::clone(&kills)));
    let started = Instant::now();
    for (receiver, webhook) in RECEIVERS.iter().zip(&webhooks) {
        if !receiver.receives_job_events() {
            send_test_events(&client, webhook).await;
        }
    }
    let jobs = create_jobs(&client).await;
    println!("{JOBS} jobs in {:.0} s", started.elapsed().as_secs_f64());
    let subscriptions = RECEIVERS.iter().zip(&webhooks);
    for (_, webhook) in subscriptions
        .clone()
        .filter(|(receiver, _)| receiver.is_working)
    {
        await_deliveries(&client, webhook, started).await;
    }
    println!(
        "all events delivered after {:.0} s",
        started.elapsed().as_secs_f64()
    );
    killer.abort();
    let mut delivery_checks = checks::DeliveryChecks::default();
    for (receiver, webhook) in subscriptions {
        let entries = log(&client, webhook).await;
        delivery_checks.check(
            receiver,
            webhook,
            &host.received(receiver.path),
            &entries,
            &jobs,
        );
    }
    println!("{} workers were killed", kills.load(Ordering::Relaxed));
}

async fn subscribe(client: &Client, receiver: &Receiver) -> Value {
    let body = json!({"url": TrustedHost::url(receiver.path), "events": [receiver.event]});
    let created = client.post("/webhooks", &[], &body).await;
    assert_eq!(created.status, 201, "{}", created.text());
    created.json()
}

async fn send_test_events(client: &Client, webhook: &Value) {
    let path = format!("/webhooks/{}/test", webhook["id"].as_str().unwrap());
    for _ in 0..TEST_EVENTS {
        let response = client.send("POST", &path, &[], None).await;
        assert_eq!(response.status, 202, "{}", response.text());
    }
}

async fn create_jobs(client: &Client) -> Vec<String> {
    let bytes = b"A page of text.\n".to_vec();
    let source = client.upload("page.txt", "text/plain", bytes).await;
    let body = json!({
        "filename": "page.txt", "inputFormat": "txt", "format": "pdf", "sourceKey": source,
    });
    let create = async |body: &Value| {
        let created = client.create_job(body, None).await;
        assert_eq!(created.status, 202, "{}", created.text());
        created.json()["jobId"].as_str().unwrap().to_owned()
    };
    let creating = (0..JOBS).map(|_| create(&body));
    stream::iter(creating)
        .buffer_unordered(CONCURRENCY)
        .collect()
        .await
}

/// Kills random workers until aborted, and counts the kills.
async fn kill_at_random(kills: Arc<AtomicUsize>) {
    loop {
        let pause = KILL_INTERVAL / 2 + rand::random_range(0..KILL_INTERVAL);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        let running = workers(KILLED_FUNCTIONS[rand::random_range(0..KILLED_FUNCTIONS.len())]);
        let one = rand::random_range(0..running.len().max(1));
        if let Some(worker) = running.iter().nth(one) {
            worker.kill();
            kills.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Waits until a webhook's log shows a delivery for every job.
async fn await_deliveries(client: &Client, webhook: &Value, started: Instant) {
    loop {
        let entries = log(client, webhook).await;
        let delivered = entries.iter().filter(|line| line["status"] == "delivered");
        let pending = JOBS - delivered.count();
        if pending == 0 {
            return;
        }
        assert!(
            started.elapsed() < TIME_LIMIT,
            "{pending} events of {webhook} are pending"
        );
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
}

async fn log(client: &Client, webhook: &Value) -> Vec<Value> {
    let id = webhook["id"].as_str().unwrap();
    let base = format!("/webhooks/{id}/deliveries?limit=100");
    let (mut entries, mut path) = (Vec::new(), base.clone());
    loop {
        let mut page = client.get(&path).await.json();
        entries.append(page["deliveries"].as_array_mut().unwrap());
        let Some(cursor) = page["nextCursor"].as_str() else {
            return entries;
        };
        path = format!("{base}&cursor={cursor}");
    }
}
