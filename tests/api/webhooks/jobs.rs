//! Webhook deliveries of job events.

use serde_json::{Value, json};
use tests::trusted_host::{Request, TrustedHost};

use crate::account::{Account, job_id};
use crate::subscriber::{Subscriber, assert_signed};

/// Sorts the received bodies by sequence number, and asserts that sequence numbers and event identifiers are unique.
fn bodies_in_order(received: &[Request]) -> Vec<Value> {
    let mut bodies: Vec<Value> = received.iter().map(Request::json).collect();
    bodies.sort_by_key(|body| body["data"]["sequence"].as_u64());
    let mut sequences: Vec<_> = bodies
        .iter()
        .map(|body| &body["data"]["sequence"])
        .collect();
    sequences.dedup();
    assert_eq!(sequences.len(), bodies.len(), "{bodies:?}");
    let mut ids: Vec<_> = bodies.iter().map(|body| body["id"].to_string()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), bodies.len(), "{bodies:?}");
    bodies
}

fn types(bodies: &[Value]) -> Vec<&str> {
    let types = bodies.iter().map(|body| body["type"].as_str().unwrap());
    types.collect()
}

/// Expected `data` of the event of a job in this status.
fn expected_data(job: &Value, status: &str, attempt: u32, sequence: u32) -> Value {
    let id = job_id(job);
    let mut data = json!({
        "jobId": id,
        "status": status,
        "statusUrl": format!("/api/v1/jobs/{id}"),
        "resultUrl": format!("/api/v1/jobs/{id}/result"),
        "attempt": attempt,
        "sequence": sequence,
        "metadata": job["metadata"],
    });
    if status == "failed" {
        data["error"] = job["error"].clone();
    }
    data
}

#[tokio::test]
async fn every_job_event_is_delivered_once_in_sequence_and_signed() {
    let account = Account::new("starter");
    let host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/jobs", &["job.*"]).await;
    let other = Subscriber::webhook(&account, "/other", &["job.failed", "document.*"]).await;
    let mut body = account.conversion_body().await;
    body["metadata"] = json!({"orderId": "4711", "deep": {"er": [1, null]}});
    let job = account.run_job(&body).await;
    assert_eq!(job["status"], "completed", "{job}");
    let received = host.receive(&webhook.path, 3).await;
    let log = webhook.wait_for_deliveries(&account, 3).await;
    assert_eq!(received.len(), 3, "{received:?}");
    for request in &received {
        assert_signed(&webhook.secret, request);
        assert!(other.verify(request).is_err(), "each has its own secret");
    }
    let bodies = bodies_in_order(&received);
    assert_eq!(
        types(&bodies),
        ["job.created", "job.processing", "job.completed"]
    );
    let expected = [("queued", 0), ("processing", 1), ("completed", 1)];
    for ((body, (status, attempt)), sequence) in bodies.iter().zip(expected).zip(1..) {
        assert_eq!(
            body["data"],
            expected_data(&job, status, attempt, sequence),
            "{body}"
        );
        let members: Vec<_> = body.as_object().unwrap().keys().collect();
        assert_eq!(members, ["id", "type", "timestamp", "data"]);
    }
    for line in &log {
        let body = bodies.iter().find(|body| body["id"] == line["eventId"]);
        assert_eq!(line["type"], body.unwrap()["type"]);
        assert_eq!(
            (
                &line["status"],
                &line["attempts"],
                &line["responseStatus"],
                &line["nextAttemptAt"]
            ),
            (&json!("delivered"), &json!(1), &json!(204), &Value::Null),
            "{line}"
        );
    }
    assert_eq!(other.deliveries(&account).await, [] as [Value; 0]);
    assert_eq!(host.received(&other.path).len(), 0);
}

#[tokio::test]
async fn a_failed_job_is_delivered_with_its_error() {
    let account = Account::new("starter");
    let host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/jobs", &["job.failed"]).await;
    let job = account.run_job(&account.failing_body().await).await;
    assert_eq!(job["status"], "failed", "{job}");
    let received = host.receive(&webhook.path, 1).await;
    let body = received[0].json();
    assert_eq!(body["type"], "job.failed");
    assert_eq!(body["data"], expected_data(&job, "failed", 1, 3), "{body}");
    assert_eq!(body["data"]["metadata"], Value::Null);
    assert_signed(&webhook.secret, &received[0]);
}

#[tokio::test]
async fn events_of_another_account_are_not_delivered() {
    let (account, other) = (Account::new("starter"), Account::new("starter"));
    let host = TrustedHost::accept_all().await;
    let foreign = Subscriber::webhook(&other, "/foreign", &["*"]).await;
    let own = Subscriber::webhook(&account, "/own", &["*"]).await;
    account.run_job(&account.conversion_body().await).await;
    own.wait_for_deliveries(&account, 3).await;
    assert_eq!(foreign.deliveries(&other).await, [] as [Value; 0]);
    assert_eq!(host.received(&foreign.path).len(), 0);
}
