//! Runs attacks in sequence, each followed by a valid document of the same format. The coordinators stay the same processes;
//! those of engine functions end after a crash or an exceeded limit.

use std::collections::BTreeMap;

use serde_json::Value;
use tests::client::Client;
use tests::process;

use crate::attack::{Attack, Expected, valid};

/// Longest time that a hostile document may occupy a coordinator and its engine function.
const WITHIN_MILLISECONDS: i64 = 30_000;

/// Price of a conversion in credits.
const PRICE: i64 = 2;

/// Runs the attacks on a processor and reports all wrong outcomes together.
pub(crate) async fn run(processor: &str, attacks: Vec<Attack>) {
    let client = Client::of_new_account("pro");
    convert_valid(&client, &attacks[0].from).await.unwrap();
    let warm = process::workers(processor);
    assert!(!warm.is_empty(), "no coordinator {processor} is running");
    let mut faults = BTreeMap::new();
    for attack in attacks {
        let name = format!("{} as {}", attack.name, attack.from);
        let format = attack.from.clone();
        let finished = attempt(&client, attack).await;
        let served = convert_valid(&client, &format).await;
        let faults_here: Vec<String> = [finished, served]
            .into_iter()
            .filter_map(Result::err)
            .collect();
        if !faults_here.is_empty() {
            faults.insert(name, faults_here);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    let alive = process::workers(processor);
    assert!(
        warm.is_subset(&alive),
        "{warm:?} were running before, {alive:?} after"
    );
}

async fn attempt(client: &Client, attack: Attack) -> Result<(), String> {
    let before = remaining(client).await;
    let (filename, target) = (format!("attack.{}", attack.from), target(&attack.from));
    let job = client
        .convert(&filename, attack.bytes, &attack.from, target)
        .await;
    check_outcome(&job, attack.expected)?;
    let charged = if job["status"] == "completed" {
        PRICE
    } else {
        0
    };
    let spent = before - remaining(client).await;
    match (spent, job["creditsCharged"].as_i64()) {
        (spent, Some(visible)) if spent == charged && visible == charged => Ok(()),
        _ => Err(format!("{spent} credits were spent: {job}")),
    }
}

fn check_outcome(job: &Value, expected: Expected) -> Result<(), String> {
    let code = job["error"]["code"].as_str().unwrap_or_default();
    let is_allowed = match (job["status"].as_str(), expected) {
        (Some("completed"), Expected::Completes | Expected::CompletesOrFails(_)) => true,
        (Some("failed"), Expected::Fails(codes) | Expected::CompletesOrFails(codes)) => {
            codes.contains(&code)
        }
        _ => false,
    };
    if !is_allowed {
        return Err(format!("expected {expected:?}: {job}"));
    }
    let message = job["error"]["message"].as_str().unwrap_or_default();
    if ["/", "\\", "panick", "errno"]
        .iter()
        .any(|inner| message.contains(inner))
    {
        return Err(format!("the message leaks internals: {job}"));
    }
    match processing_time(job) {
        0..=WITHIN_MILLISECONDS => Ok(()),
        milliseconds => Err(format!("took {milliseconds} ms: {job}")),
    }
}

/// Milliseconds from the claim to the outcome.
fn processing_time(job: &Value) -> i64 {
    let timeline = job["timeline"].as_array().unwrap();
    let at = |entry: &Value| entry["at"].as_i64().unwrap();
    let claimed = timeline
        .iter()
        .find(|entry| entry["status"] == "processing")
        .map(at);
    at(timeline.last().unwrap()) - claimed.unwrap()
}

async fn convert_valid(client: &Client, format: &str) -> Result<(), String> {
    let valid = valid(format);
    let job = client
        .convert(valid.name(), valid.bytes(), format, target(format))
        .await;
    match (job["status"].as_str(), job["attempts"].as_u64()) {
        (Some("completed"), Some(1)) => Ok(()),
        _ => Err(format!("the next valid document: {job}")),
    }
}

fn target(format: &str) -> &'static str {
    if format == "pdf" { "png" } else { "pdf" }
}

async fn remaining(client: &Client) -> i64 {
    client.get("/usage").await.json()["remaining"]["this_month"]
        .as_i64()
        .unwrap()
}
