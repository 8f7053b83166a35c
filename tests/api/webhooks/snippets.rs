//! The example receivers of the guide, in three languages: each accepts a real delivery and rejects a forged one.

use std::path::Path;
use std::process::Command;

use domain::event::EventType;
use domain::subscription::Trigger;
use serde_json::{Value, json};
use tests::stack::checkout;
use tests::trusted_host::{Request, TrustedHost};

use crate::account::Account;
use crate::subscriber::Subscriber;

/// The guide's receiver in Rust, included unchanged.
#[allow(unreachable_pub, reason = "it is public where it is used")]
mod receiver {
    include!("snippets/receiver.rs");
}

/// Returns the guide's only code block in this language.
fn snippet(language: &str) -> String {
    let guide = std::fs::read_to_string(checkout().join("docs/api.md")).unwrap();
    let fence = format!("```{language}\n");
    let mut blocks = guide.split(&fence).skip(1);
    let block = blocks.next().unwrap_or_else(|| panic!("no {language}"));
    assert!(blocks.next().is_none(), "two blocks in {language}");
    block.split("```").next().unwrap().to_owned()
}

/// Returns a secret, a delivery signed with it, and the same delivery with a forged body.
async fn delivery() -> (String, Request, Request) {
    let account = Account::new("free");
    let host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/guide", &["*"]).await;
    webhook.send_test_event(&account).await;
    let request = host.receive(&webhook.path, 1).await.remove(0);
    let mut forged = request.clone();
    let body = String::from_utf8(request.body.clone()).unwrap();
    forged.body = body.replace("webhook.test", "job.completed").into_bytes();
    assert_ne!(forged.body, request.body);
    (webhook.secret, request, forged)
}

/// The secret and request as input of the example receivers.
fn to_json(secret: &str, request: &Request) -> Value {
    let headers = request.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap()));
    let headers: serde_json::Map<_, _> =
        headers.map(|(name, value)| (name, json!(value))).collect();
    let body = String::from_utf8(request.body.clone()).unwrap();
    json!({"secret": secret, "headers": headers, "body": body})
}

/// Runs a program that calls the receiver with the content of `request.json`; returns its output.
fn run(directory: &Path, name: &str, program: &mut Command, text: &str) -> String {
    std::fs::write(directory.join(name), text).unwrap();
    let output = program.arg(name).current_dir(directory).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {complaint}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

const PYTHON_END: &str = r#"
import json

request = json.load(open("request.json"))
event = receive(request["secret"], request["headers"], request["body"].encode())
print(event["type"] if event else "refused")
"#;

const JAVASCRIPT_END: &str = r#"
const { readFileSync } = require("node:fs");
const request = JSON.parse(readFileSync("request.json", "utf8"));
const event = receive(request.secret, request.headers, request.body);
console.log(event ? event.type : "refused");
"#;

#[tokio::test]
async fn the_receivers_of_the_guide_accept_signed_deliveries_only() {
    let (secret, request, forged) = delivery().await;
    let directory = tempfile::tempdir().unwrap();
    let python = format!("{}{PYTHON_END}", snippet("python"));
    let javascript = format!("{}{JAVASCRIPT_END}", snippet("javascript"));
    let modules = checkout().join(".octavo/npm/receivers/node_modules");
    std::os::unix::fs::symlink(modules, directory.path().join("node_modules")).unwrap();
    for (request, expected) in [(&request, "webhook.test"), (&forged, "refused")] {
        let described = to_json(&secret, request).to_string();
        std::fs::write(directory.path().join("request.json"), described).unwrap();
        let mut program = Command::new(checkout().join(".octavo/venv/tests/bin/python"));
        let printed = run(directory.path(), "receiver.py", &mut program, &python);
        assert_eq!(printed, expected, "Python");
        let printed = run(
            directory.path(),
            "receiver.cjs",
            &mut Command::new("node"),
            &javascript,
        );
        assert_eq!(printed, expected, "JavaScript");
        let event = receiver::receive(&secret, &request.headers, &request.body);
        let printed = event.map_or("refused".into(), |event| event["type"].clone());
        assert_eq!(printed, expected, "Rust");
    }
}

#[test]
fn the_guide_lists_every_event_and_every_trigger() {
    let guide = std::fs::read_to_string(checkout().join("docs/api.md")).unwrap();
    let lines_below = |head: &str| {
        let (_, rest) = guide.split_once(head).unwrap();
        let lines = rest
            .lines()
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let events = EventType::ALL.iter();
    let events = events.map(|event| format!("| `{event}` | {} |", event.description()));
    assert_eq!(
        lines_below("| event | meaning |"),
        events.collect::<Vec<_>>()
    );
    let triggers = Trigger::ALL.iter().map(|trigger| {
        let plan = format!("{:?}", trigger.plan());
        format!("| `{trigger}` | {plan} | {} |", trigger.description())
    });
    let head = "| trigger | plan | fires when |";
    assert_eq!(lines_below(head), triggers.collect::<Vec<_>>());
}

#[test]
fn the_guide_contains_the_tested_rust_receiver() {
    assert_eq!(snippet("rust"), include_str!("snippets/receiver.rs"));
}
