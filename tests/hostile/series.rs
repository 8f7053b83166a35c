//! One attack after the other on the same warm processes, each followed by a sound document of the same format.

use std::collections::BTreeMap;

use serde_json::Value;
use tests::client::Client;
use tests::process;

use crate::attack::{Attack, End, sound};

/// Longest that a hostile document may occupy a processor.
const WITHIN_MILLISECONDS: i64 = 30_000;

/// The price of a conversion in credits.
const PRICE: i64 = 2;

/// Runs the attacks on `function` and tells of every wrong end together.
pub(crate) async fn run(function: &str, attacks: Vec<Attack>) {
    let client = Client::of_new_account("pro");
    serve_sound(&client, &attacks[0].from).await.unwrap();
    let warm = process::workers(function);
    assert!(!warm.is_empty(), "{function} has no process");
    let mut faults = BTreeMap::new();
    for attack in attacks {
        let name = format!("{} as {}", attack.name, attack.from);
        let format = attack.from.clone();
        let ended = attempt(&client, attack).await;
        let served = serve_sound(&client, &format).await;
        let faults_here: Vec<String> = [ended, served]
            .into_iter()
            .filter_map(Result::err)
            .collect();
        if !faults_here.is_empty() {
            faults.insert(name, faults_here);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    let alive = process::workers(function);
    assert!(
        warm.is_subset(&alive),
        "{warm:?} served at first, {alive:?} in the end"
    );
}

async fn attempt(client: &Client, attack: Attack) -> Result<(), String> {
    let before = remaining(client).await;
    let (filename, target) = (format!("attack.{}", attack.from), target(&attack.from));
    let job = client
        .convert(&filename, attack.bytes, &attack.from, target)
        .await;
    judge(&job, attack.end)?;
    let charged = if job["status"] == "completed" {
        PRICE
    } else {
        0
    };
    let spent = before - remaining(client).await;
    match (spent, job["creditsCharged"].as_i64()) {
        (spent, Some(shown)) if spent == charged && shown == charged => Ok(()),
        _ => Err(format!("{spent} credits were spent: {job}")),
    }
}

fn judge(job: &Value, end: End) -> Result<(), String> {
    let code = job["error"]["code"].as_str().unwrap_or_default();
    let right = match (job["status"].as_str(), end) {
        (Some("completed"), End::Completes | End::CompletesOrFails(_)) => true,
        (Some("failed"), End::Fails(codes) | End::CompletesOrFails(codes)) => codes.contains(&code),
        _ => false,
    };
    if !right {
        return Err(format!("expected {end:?}: {job}"));
    }
    let message = job["error"]["message"].as_str().unwrap_or_default();
    if ["/", "\\", "panick", "errno"]
        .iter()
        .any(|inner| message.contains(inner))
    {
        return Err(format!("tells too much: {job}"));
    }
    match took(job) {
        0..=WITHIN_MILLISECONDS => Ok(()),
        milliseconds => Err(format!("took {milliseconds} ms: {job}")),
    }
}

/// Milliseconds from the claim to the end.
fn took(job: &Value) -> i64 {
    let timeline = job["timeline"].as_array().unwrap();
    let at = |entry: &Value| entry["at"].as_i64().unwrap();
    let claimed = timeline
        .iter()
        .find(|entry| entry["status"] == "processing")
        .map(at);
    at(timeline.last().unwrap()) - claimed.unwrap()
}

async fn serve_sound(client: &Client, format: &str) -> Result<(), String> {
    let sound = sound(format);
    let job = client
        .convert(sound.name(), sound.bytes(), format, target(format))
        .await;
    match (job["status"].as_str(), job["attempts"].as_u64()) {
        (Some("completed"), Some(1)) => Ok(()),
        _ => Err(format!("the sound document after it: {job}")),
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
