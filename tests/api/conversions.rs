//! Conversions that `GET /formats` does not list are rejected.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::account::Account;
use crate::problem::assert_error;

fn names(list: &Value, member: &str) -> BTreeSet<String> {
    let items = list.as_array().unwrap();
    let name = |item: &Value| item[member].as_str().unwrap().to_owned();
    items.iter().map(name).collect()
}

/// Returns every pair of formats without a listed conversion.
fn unlisted_pairs(formats: &Value) -> Vec<(String, String)> {
    let all = names(&formats["formats"], "id");
    let targets = |from: &String| match formats["conversions"].get(from) {
        Some(targets) => names(targets, "format"),
        None => BTreeSet::new(),
    };
    let missing = |from: &String| all.difference(&targets(from)).cloned().collect::<Vec<_>>();
    let pair = |from: &String| {
        missing(from)
            .into_iter()
            .map(|to| (from.clone(), to))
            .collect()
    };
    all.iter()
        .flat_map(|from: &String| -> Vec<_> { pair(from) })
        .collect()
}

#[tokio::test]
async fn unlisted_conversions_are_rejected() {
    let account = Account::new("business");
    let pairs = unlisted_pairs(&account.client.get("/formats").await.json());
    assert!(pairs.len() > 300, "{}", pairs.len());
    let base = account.conversion_body().await;
    let post = async |(from, to): &(String, String)| {
        let mut body = base.clone();
        body["inputFormat"] = json!(from);
        body["format"] = json!(to);
        account.client.create_job(&body, None).await
    };
    for some in pairs.chunks(40) {
        for (pair, response) in some.iter().zip(join_all(some.iter().map(post)).await) {
            assert_eq!(response.status, 422, "{pair:?}: {}", response.text());
            let expected_error = ("$.format", "unsupported_conversion");
            assert_error(&response, 422, "unsupported_conversion", &[expected_error]);
        }
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
}

#[tokio::test]
async fn converting_to_the_same_format_needs_an_operation() {
    let account = Account::new("free");
    let before = account.usage().await;
    let mut body = account.compression_body().await;
    body["operations"] = json!([]);
    let response = account.client.create_job(&body, None).await;
    let expected_error = ("$.format", "unsupported_conversion");
    assert_error(&response, 422, "unsupported_conversion", &[expected_error]);
    assert_eq!(account.usage().await, before);
}
