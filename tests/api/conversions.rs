//! Pairs of formats: those that are not listed are refused.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::account::Account;
use crate::refusal::assert_refused;

fn names(list: &Value, member: &str) -> BTreeSet<String> {
    let items = list.as_array().unwrap();
    let name = |item: &Value| item[member].as_str().unwrap().to_owned();
    items.iter().map(name).collect()
}

/// Every pair of listed formats that is not a listed conversion.
fn pairs(formats: &Value) -> Vec<(String, String)> {
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
async fn pairs_that_are_not_listed_are_refused() {
    let account = Account::new("business");
    let pairs = pairs(&account.client.get("/formats").await.json());
    assert!(pairs.len() > 300, "{}", pairs.len());
    let base = account.conversion().await;
    let post = async |(from, to): &(String, String)| {
        let mut body = base.clone();
        body["inputFormat"] = json!(from);
        body["format"] = json!(to);
        account.client.create_job(&body, None).await
    };
    for some in pairs.chunks(40) {
        for (pair, answer) in some.iter().zip(join_all(some.iter().map(post)).await) {
            assert_eq!(answer.status, 422, "{pair:?}: {}", answer.text());
            let fault = ("$.format", "unsupported_conversion");
            assert_refused(&answer, 422, "unsupported_conversion", &[fault]);
        }
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
}

#[tokio::test]
async fn the_same_format_needs_an_operation() {
    let account = Account::new("free");
    let before = account.usage().await;
    let mut body = account.compression().await;
    body["operations"] = json!([]);
    let answer = account.client.create_job(&body, None).await;
    let fault = ("$.format", "unsupported_conversion");
    assert_refused(&answer, 422, "unsupported_conversion", &[fault]);
    assert_eq!(account.usage().await, before);
}
