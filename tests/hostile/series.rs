//! Runs attacks in sequence, with valid documents of the same format in between. The coordinators stay the same processes;
//! those of engine functions end after a crash or an exceeded limit.

use serde_json::Value;
use tests::client::Client;
use tests::corpus::runs_all_cases;
use tests::process;

use crate::attack::{Attack, Expected, valid};

/// Longest time that a hostile document may occupy a coordinator and its engine function.
const WITHIN_MILLISECONDS: i64 = 30_000;

/// A valid document follows every fourth attack and the last one of each format; with all cases, every attack.
const VALID_AFTER: usize = 4;

/// Price of a conversion in credits.
const PRICE: i64 = 2;

/// Runs the attacks on a processor and reports all wrong outcomes together.
pub(crate) async fn run(processor: &str, attacks: Vec<Attack>) {
    let client = Client::of_new_account("pro");
    convert_valid(&client, &attacks[0].from).await.unwrap();
    let warm = process::workers(processor);
    assert!(!warm.is_empty(), "no coordinator {processor} is running");
    let mut faults = Vec::new();
    let mut credits_left = remaining(&client).await;
    let mut since_valid = Vec::new();
    let mut attacks = attacks.into_iter().enumerate().peekable();
    while let Some((place, attack)) = attacks.next() {
        let name = format!("{} as {}", attack.name, attack.from);
        let format = attack.from.clone();
        let fault = attempt(&client, attack, &mut credits_left).await.err();
        faults.extend(fault.map(|fault| format!("{name}: {fault}")));
        since_valid.push(name);
        let is_last = attacks.peek().is_none_or(|(_, next)| next.from != format);
        if is_last || (place + 1).is_multiple_of(VALID_AFTER) || runs_all_cases() {
            match convert_valid(&client, &format).await {
                Ok(()) => credits_left -= PRICE,
                Err(fault) => faults.push(format!("after {since_valid:?}: {fault}")),
            }
            since_valid.clear();
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    let alive = process::workers(processor);
    assert!(
        warm.is_subset(&alive),
        "{warm:?} were running before, {alive:?} after"
    );
}

/// Converts an attack; `credits_left` are those before it, then those after it.
async fn attempt(client: &Client, attack: Attack, credits_left: &mut i64) -> Result<(), String> {
    let (filename, target) = (format!("attack.{}", attack.from), target(&attack.from));
    let job = client
        .convert(&filename, attack.bytes, &attack.from, target)
        .await;
    let before = std::mem::replace(credits_left, remaining(client).await);
    check_outcome(&job, attack.expected)?;
    let charged = if job["status"] == "completed" {
        PRICE
    } else {
        0
    };
    let spent = before - *credits_left;
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
