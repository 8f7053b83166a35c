//! Validation of the parameters of `GET /jobs`.

use crate::account::Account;
use crate::listing::{page, submit_jobs};
use crate::problem::{assert_error, assert_problem, expected_problem};

#[tokio::test]
async fn invalid_parameters_are_rejected() {
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
        let response = account.client.get(&format!("/jobs?limit={limit}")).await;
        assert_error(
            &response,
            400,
            "invalid_request",
            &[("$.limit", "invalid_value")],
        );
    }
    for status in ["done", "", "Completed", "completed,failed"] {
        let response = account.client.get(&format!("/jobs?status={status}")).await;
        assert_error(
            &response,
            400,
            "invalid_request",
            &[("$.status", "invalid_value")],
        );
    }
    let response = account.client.get("/jobs?status=done&limit=0").await;
    let both = [("$.limit", "invalid_value"), ("$.status", "invalid_value")];
    assert_error(&response, 400, "invalid_request", &both);
}

#[tokio::test]
async fn a_cursor_is_bound_to_its_account_and_filter() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    for account in [&own, &other] {
        submit_jobs(account, &account.conversion_body().await, 2).await;
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
        let response = own.client.get(&format!("/jobs?{query}")).await;
        let title = "The cursor does not belong to this list";
        assert_problem(
            &response,
            &expected_problem(400, "invalid_cursor", title, "/jobs", false),
        );
    }
    let (_, next) = page(&own, &format!("limit=100&cursor={cursor}")).await;
    assert_eq!(next, None, "a cursor can be used with another limit");
}
