//! Another account's job gets the same response as an unknown one.

use crate::account::Account;
use crate::problem::{assert_error, assert_problem, expected_problem, without_request_id};

#[tokio::test]
async fn a_foreign_job_is_not_found() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    let foreign = other.run_job(&other.conversion_body().await).await["jobId"].clone();
    let foreign = foreign.as_str().unwrap();
    let ids = [
        foreign,
        "job_01arz3ndektsv4rrffq69g5fav",
        "job_",
        "junk",
        "src_01arz3ndektsv4rrffq69g5fav",
        &foreign.to_uppercase(),
        "a%20b",
        "%C3%A4",
        &"j".repeat(2_000),
    ];
    for (method, rest) in [("GET", ""), ("GET", "/result"), ("DELETE", "")] {
        let mut bodies = Vec::new();
        for id in ids {
            let path = format!("/jobs/{id}{rest}");
            let response = own.client.send(method, &path, &[], None).await;
            assert_error(&response, 404, "job_not_found", &[]);
            bodies.push(without_request_id(&response));
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{method} {rest}: {bodies:?}");
    }
    let response = own.client.get(&format!("/jobs/{foreign}")).await;
    let title = "The job does not exist";
    let path = format!("/jobs/{foreign}");
    assert_problem(
        &response,
        &expected_problem(404, "job_not_found", title, &path, false),
    );
    let job = other.client.get(&path).await;
    assert_eq!(job.json()["status"], "completed", "untouched");
    assert_eq!(own.jobs().await, Vec::<String>::new());
}
