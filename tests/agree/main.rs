//! Consistency: OpenAPI, sample events and binaries match the deployed stack.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

#[path = "../faults/aws.rs"]
mod aws;
mod binaries;
mod engine_sample;
mod expected;
mod invoke;
mod samples;

use serde_json::Value;
use tests::client::Client;
use tests::stack::checkout;

/// Switches processors off, so it runs alone (`.config/nextest.toml`).
#[tokio::test]
async fn every_sample_event_is_answered_as_written() {
    samples::all().await;
}

#[tokio::test]
async fn the_served_openapi_matches_the_repository() {
    let response = Client::with_key(None).get("/openapi.json").await;
    assert_eq!(response.status, 200, "{}", response.text());
    let text = std::fs::read(checkout().join("infra/openapi.json")).unwrap();
    let checked_in: Value = serde_json::from_slice(&text).unwrap();
    let without_servers = |mut description: Value| {
        description.as_object_mut().unwrap().remove("servers");
        description
    };
    let same = without_servers(response.json()) == without_servers(checked_in);
    assert!(
        same,
        "infra/openapi.json differs from the deployed one: run `make openapi` and restart the stack"
    );
}

#[test]
fn every_function_starts_on_amazon_linux() {
    binaries::check_glibc_version();
}
