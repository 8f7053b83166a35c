//! What is written down in two places, or promised about what is built, holds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

#[path = "../faults/aws.rs"]
mod aws;
mod binaries;
mod expected;
mod invoke;
mod samples;

use serde_json::Value;
use tests::client::Client;
use tests::stack::checkout;

/// Switches processors off for a while, so it runs alone (`.config/nextest.toml`).
#[tokio::test]
async fn every_sample_event_is_answered_as_written() {
    samples::all().await;
}

#[tokio::test]
async fn the_description_that_is_served_is_the_one_in_the_repository() {
    let answer = Client::with_key(None).get("/openapi.json").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = std::fs::read(checkout().join("infra/openapi.json")).unwrap();
    let written: Value = serde_json::from_slice(&text).unwrap();
    let without_servers = |mut description: Value| {
        description.as_object_mut().unwrap().remove("servers");
        description
    };
    let same = without_servers(answer.json()) == without_servers(written);
    assert!(
        same,
        "run `make openapi` and start the stack with what was built since"
    );
}

#[test]
fn every_function_starts_on_amazon_linux() {
    binaries::need_no_newer_glibc();
}
