//! The ends of a thousand jobs are told to receivers of every kind while workers die at random: every living receiver hears of
//! every job, under one identifier and from nobody else, and the delivery log says so.

mod judge;
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

/// Jobs whose end is told.
const JOBS: usize = 1_000;
/// Events of a receiver that keeps a worker for as long as it can.
const TRIALS: usize = 20;
/// Requests that create jobs at a time.
const AT_ONCE: usize = 8;
/// Pause between two deaths, and how it varies, in milliseconds.
const DEATH_EVERY: u64 = 3_000;
/// The functions whose workers die.
const MORTALS: [&str; 3] = ["fanout", "deliver", "sweep"];
/// The longest that everything takes.
const PATIENCE: Duration = Duration::from_secs(2_400);

pub(crate) async fn run() {
    let client = Client::with_key(Some(&new_account("business").1)).patient();
    let host = TrustedHost::reply(receivers::reply).await;
    let mut webhooks = Vec::new();
    for receiver in &RECEIVERS {
        webhooks.push(subscribe(&client, receiver).await);
    }
    let deaths = Arc::new(AtomicUsize::new(0));
    let killer = tokio::spawn(kill_at_random(Arc::clone(&deaths)));
    let began = Instant::now();
    for (receiver, webhook) in RECEIVERS.iter().zip(&webhooks) {
        if !receiver.is_told_of_jobs() {
            try_out(&client, webhook).await;
        }
    }
    let jobs = create_jobs(&client).await;
    println!("{JOBS} jobs in {:.0} s", began.elapsed().as_secs_f64());
    let told = RECEIVERS.iter().zip(&webhooks);
    for (_, webhook) in told.clone().filter(|(receiver, _)| receiver.is_living) {
        settle(&client, webhook, began).await;
    }
    println!("settled after {:.0} s", began.elapsed().as_secs_f64());
    killer.abort();
    let mut judged = judge::Judged::default();
    for (receiver, webhook) in told {
        let lines = log(&client, webhook).await;
        judged.judge(
            receiver,
            webhook,
            &host.received(receiver.path),
            &lines,
            &jobs,
        );
    }
    println!("{} workers were killed", deaths.load(Ordering::Relaxed));
}

async fn subscribe(client: &Client, receiver: &Receiver) -> Value {
    let body = json!({"url": TrustedHost::url(receiver.path), "events": [receiver.event]});
    let created = client.post("/webhooks", &[], &body).await;
    assert_eq!(created.status, 201, "{}", created.text());
    created.json()
}

async fn try_out(client: &Client, webhook: &Value) {
    let path = format!("/webhooks/{}/test", webhook["id"].as_str().unwrap());
    for _ in 0..TRIALS {
        let answer = client.send("POST", &path, &[], None).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
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
        .buffer_unordered(AT_ONCE)
        .collect()
        .await
}

/// Kills until it is aborted, and counts.
async fn kill_at_random(deaths: Arc<AtomicUsize>) {
    loop {
        let pause = DEATH_EVERY / 2 + rand::random_range(0..DEATH_EVERY);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        let running = workers(MORTALS[rand::random_range(0..MORTALS.len())]);
        let one = rand::random_range(0..running.len().max(1));
        if let Some(worker) = running.iter().nth(one) {
            worker.kill();
            deaths.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Waits until the log of a webhook says that it was told of every job.
async fn settle(client: &Client, webhook: &Value, began: Instant) {
    loop {
        let lines = log(client, webhook).await;
        let delivered = lines.iter().filter(|line| line["status"] == "delivered");
        let open = JOBS - delivered.count();
        if open == 0 {
            return;
        }
        assert!(
            began.elapsed() < PATIENCE,
            "{open} events of {webhook} are open"
        );
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
}

async fn log(client: &Client, webhook: &Value) -> Vec<Value> {
    let id = webhook["id"].as_str().unwrap();
    let base = format!("/webhooks/{id}/deliveries?limit=100");
    let (mut lines, mut path) = (Vec::new(), base.clone());
    loop {
        let mut page = client.get(&path).await.json();
        lines.append(page["deliveries"].as_array_mut().unwrap());
        let Some(cursor) = page["nextCursor"].as_str() else {
            return lines;
        };
        path = format!("{base}&cursor={cursor}");
    }
}
