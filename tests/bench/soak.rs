//! A thousand events to three receivers while workers die at random: every living receiver hears of every event, under one
//! identifier and from nobody else, and the delivery log says so.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use standardwebhooks::Webhook;
use tests::client::Client;
use tests::process::workers;
use tests::stack::new_account;
use tests::trusted_host::{Reply, Request, Served, TrustedHost};

/// Events of each receiver.
const EVENTS: usize = 1_000;
/// Takes everything at once, takes its time, and fails at every first attempt.
const RECEIVERS: [&str; 3] = ["/willing", "/slow", "/forgetful"];
/// Pause between two deaths, and how it varies.
const DEATH_EVERY: u64 = 4_000;
/// The longest that everything takes.
const PATIENCE: Duration = Duration::from_secs(1_800);

pub(crate) async fn run() {
    let client = Client::with_key(Some(&new_account("business").1)).patient();
    let known = Mutex::new(BTreeSet::new());
    let host = TrustedHost::reply(move |request, _| reply(request, &known)).await;
    let mut webhooks = Vec::new();
    for path in RECEIVERS {
        let body = json!({"url": TrustedHost::url(path), "events": ["webhook.test"]});
        let created = client.post("/webhooks", &[], &body).await;
        assert_eq!(created.status, 201, "{}", created.text());
        webhooks.push(created.json());
    }
    let killer = tokio::spawn(kill_at_random());
    let began = Instant::now();
    let mut expected = vec![BTreeSet::new(); webhooks.len()];
    for _ in 0..EVENTS {
        for (webhook, expected) in webhooks.iter().zip(&mut expected) {
            expected.insert(try_out(&client, webhook).await);
        }
    }
    println!(
        "{} events in {:.0} s",
        EVENTS * webhooks.len(),
        began.elapsed().as_secs_f64()
    );
    for ((path, webhook), expected) in RECEIVERS.iter().zip(&webhooks).zip(&expected) {
        settle(&client, webhook, began).await;
        judge(&host.received(path), webhook, expected);
    }
    killer.abort();
    println!("settled after {:.0} s", began.elapsed().as_secs_f64());
}

/// `known` are the events that the forgetful receiver has been told of once.
fn reply(request: &Request, known: &Mutex<BTreeSet<String>>) -> Reply {
    let id = request.header("webhook-id").to_owned();
    match request.path.as_str() {
        "/forgetful" if known.lock().unwrap().insert(id) => Reply::Served(Served::status(503)),
        "/slow" => Reply::Late(Served::status(204)),
        _ => Reply::Served(Served::status(204)),
    }
}

async fn try_out(client: &Client, webhook: &Value) -> String {
    let path = format!("/webhooks/{}/test", webhook["id"].as_str().unwrap());
    let answer = client.send("POST", &path, &[], None).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    answer.json()["eventId"].as_str().unwrap().to_owned()
}

async fn kill_at_random() {
    loop {
        let pause = DEATH_EVERY / 2 + rand::random_range(0..DEATH_EVERY);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        let running = workers("deliver");
        let one = rand::random_range(0..running.len().max(1));
        if let Some(worker) = running.iter().nth(one) {
            worker.kill();
        }
    }
}

/// Waits until the log of a webhook says that everything was delivered.
async fn settle(client: &Client, webhook: &Value, began: Instant) {
    loop {
        let pending = log(client, webhook)
            .await
            .iter()
            .filter(|line| line["status"] != "delivered")
            .count();
        if pending == 0 {
            return;
        }
        assert!(
            began.elapsed() < PATIENCE,
            "{pending} deliveries of {webhook} are open"
        );
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

async fn log(client: &Client, webhook: &Value) -> Vec<Value> {
    let base = format!(
        "/webhooks/{}/deliveries?limit=100",
        webhook["id"].as_str().unwrap()
    );
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

fn judge(received: &[Request], webhook: &Value, expected: &BTreeSet<String>) {
    let verifier = Webhook::new(webhook["secret"].as_str().unwrap()).unwrap();
    let mut heard = BTreeSet::new();
    for request in received {
        assert!(is_signed(&verifier, request), "{request:?}");
        assert_eq!(request.json()["id"], request.header("webhook-id"));
        heard.insert(request.header("webhook-id").to_owned());
    }
    assert_eq!(&heard, expected, "lost or invented");
    println!(
        "  {} attempts for {} events",
        received.len(),
        expected.len()
    );
}

/// Whether a signature is right, however long ago it came.
fn is_signed(verifier: &Webhook, request: &Request) -> bool {
    let at = request.header("webhook-timestamp").parse().unwrap();
    let signature = verifier.sign(request.header("webhook-id"), at, &request.body);
    let signature = signature.unwrap();
    request
        .header("webhook-signature")
        .split(' ')
        .any(|one| one == signature)
}
