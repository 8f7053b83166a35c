//! Another account's job is not told apart from none.

use crate::account::Account;
use crate::refusal::{anonymous, assert_problem, assert_refused, problem};

#[tokio::test]
async fn a_foreign_job_is_as_unknown_as_any() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    let foreign = other.ended(&other.conversion().await).await["jobId"].clone();
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
            let answer = own.client.send(method, &path, &[], None).await;
            assert_refused(&answer, 404, "job_not_found", &[]);
            bodies.push(anonymous(&answer));
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{method} {rest}: {bodies:?}");
    }
    let answer = own.client.get(&format!("/jobs/{foreign}")).await;
    let title = "There is no such job";
    let path = format!("/jobs/{foreign}");
    assert_problem(&answer, &problem(404, "job_not_found", title, &path, false));
    let job = other.client.get(&path).await;
    assert_eq!(job.json()["status"], "completed", "untouched");
    assert_eq!(own.jobs().await, Vec::<String>::new());
}
