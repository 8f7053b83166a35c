//! Parameters of the list of jobs that are refused.

use crate::account::Account;
use crate::listing::{accept, page};
use crate::refusal::{assert_problem, assert_refused, problem};

#[tokio::test]
async fn parameters_out_of_range_are_refused() {
    let account = Account::new("business");
    let limits = [
        "0",
        "101",
        "-1",
        "ten",
        "",
        "5.0",
        "1e1",
        "99999999999999999999",
    ];
    for limit in limits {
        let answer = account.client.get(&format!("/jobs?limit={limit}")).await;
        assert_refused(
            &answer,
            400,
            "invalid_request",
            &[("$.limit", "invalid_value")],
        );
    }
    for status in ["done", "", "Completed", "completed,failed"] {
        let answer = account.client.get(&format!("/jobs?status={status}")).await;
        assert_refused(
            &answer,
            400,
            "invalid_request",
            &[("$.status", "invalid_value")],
        );
    }
    let answer = account.client.get("/jobs?status=done&limit=0").await;
    let both = [("$.limit", "invalid_value"), ("$.status", "invalid_value")];
    assert_refused(&answer, 400, "invalid_request", &both);
}

#[tokio::test]
async fn a_cursor_belongs_to_its_account_and_filter() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    for account in [&own, &other] {
        accept(account, &account.conversion().await, 2).await;
    }
    let cursor = page(&own, "limit=1").await.1.unwrap();
    let foreign = page(&other, "limit=1").await.1.unwrap();
    let (first, rest) = cursor.split_at(1);
    let changed = format!("{}{rest}", if first == "A" { "B" } else { "A" });
    for query in [
        format!("cursor={foreign}"),
        format!("cursor={cursor}&status=completed"),
        format!("cursor={changed}"),
        format!("cursor={cursor}A"),
        format!("cursor={}", cursor.to_uppercase()),
        "cursor=".to_owned(),
        "cursor=junk".to_owned(),
        "cursor=%00".to_owned(),
        format!("cursor={}", "A".repeat(4_000)),
    ] {
        let answer = own.client.get(&format!("/jobs?{query}")).await;
        let title = "The cursor does not belong to this list";
        assert_problem(
            &answer,
            &problem(400, "invalid_cursor", title, "/jobs", false),
        );
    }
    let (_, next) = page(&own, &format!("limit=100&cursor={cursor}")).await;
    assert_eq!(next, None, "another limit is no other list");
}
