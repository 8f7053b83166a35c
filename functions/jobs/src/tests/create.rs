//! `POST /jobs`.

use domain::plan::Plan;
use serde_json::{Value, json};

use super::{Answered, Caller};

const UNKNOWN: &str = "src_01arz3ndektsv4rrffq69g5fav";

/// A job on an upload of this type.
fn body(caller: &Caller, content_type: &str, operations: Value) -> Value {
    json!({
        "filename": "a", "format": "pdf", "sourceKey": caller.upload(content_type),
        "operations": operations,
    })
}

/// Is refused with this code and costs nothing.
async fn refused(caller: &Caller, body: &Value, code: &str) -> Answered {
    let answer = caller.post("/jobs", Some("job-key-1"), body).await;
    assert_eq!(answer.refusal(), (422, code), "{body} {}", answer.body);
    assert_eq!(caller.used().await, 0);
    assert_eq!(caller.fakes.sent(), []);
    answer
}

#[tokio::test]
async fn what_a_step_needs_is_missed_at_its_own_member() {
    let caller = Caller::on(Plan::Pro).await;
    let stranger = Caller::on(Plan::Pro).await;
    let mine = caller.upload("application/pdf");
    let foreign = stranger.upload("application/pdf").to_string();
    let mut answers = Vec::new();
    for key in [UNKNOWN, foreign.as_str(), "", "src_", "../etc/passwd"] {
        let merge = json!([
            {"operation": "flatten"},
            {"operation": "merge", "sourceKeys": [mine, mine, key]},
        ]);
        let merge = body(&caller, "application/pdf", merge);
        let answer = refused(&caller, &merge, "source_unavailable").await;
        let fault = ("$.operations[1].sourceKeys[2]", "source_unavailable");
        assert_eq!(answer.faults(), [fault]);
        answers.push(answer.body);
        let watermark = json!([{"operation": "watermark", "sourceKey": key}]);
        let watermark = body(&caller, "application/pdf", watermark);
        let answer = refused(&caller, &watermark, "source_unavailable").await;
        let fault = ("$.operations[0].sourceKey", "source_unavailable");
        assert_eq!(answer.faults(), [fault]);
        let mut document = body(&caller, "application/pdf", json!([]));
        document["sourceKey"] = json!(key);
        let answer = refused(&caller, &document, "source_unavailable").await;
        assert_eq!(answer.faults(), [("$.sourceKey", "source_unavailable")]);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn what_a_step_cannot_use_by_its_type_is_told_at_once() {
    let caller = Caller::on(Plan::Pro).await;
    let (jpeg, gif) = (caller.upload("image/jpeg"), caller.upload("image/gif"));
    let octets = caller.upload("application/octet-stream");
    let text = caller.upload("text/plain");
    for (operation, path) in [
        (
            json!({"operation": "merge", "sourceKeys": [octets, text]}),
            "sourceKeys[1]",
        ),
        (
            json!({"operation": "watermark", "sourceKey": gif}),
            "sourceKey",
        ),
    ] {
        let body = body(&caller, "application/pdf", json!([operation]));
        let answer = refused(&caller, &body, "invalid_step").await;
        let path = format!("$.operations[0].{path}");
        assert_eq!(answer.faults(), [(path.as_str(), "invalid_step")]);
    }
    let split = body(&caller, "image/jpeg", json!([{"operation": "split"}]));
    let answer = refused(&caller, &split, "invalid_step").await;
    assert_eq!(
        answer.faults(),
        [("$.operations[0].operation", "invalid_step")]
    );
    let watermark = json!([{"operation": "watermark", "sourceKey": jpeg}]);
    let watermark = body(&caller, "application/pdf", watermark);
    let answer = caller.post("/jobs", Some("job-key-2"), &watermark).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
    let merge = json!([{"operation": "merge", "sourceKeys": [octets, jpeg]}]);
    let merge = body(&caller, "application/pdf", merge);
    let answer = caller.post("/jobs", Some("job-key-3"), &merge).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
}

#[tokio::test]
async fn a_whole_number_may_be_written_with_a_fraction_of_nothing() {
    let caller = Caller::on(Plan::Pro).await;
    let quality = |quality: Value| {
        let compress = json!([{"operation": "compress", "quality": quality}]);
        let mut body = body(&caller, "image/jpeg", compress);
        body["metadata"] = json!({"as": [1.0, 2]});
        body
    };
    let answer = refused(&caller, &quality(json!(70.5)), "invalid_step").await;
    assert_eq!(
        answer.faults(),
        [("$.operations[0].quality", "invalid_value")]
    );
    let whole = quality(json!(70.0));
    let answer = caller.post("/jobs", Some("job-key-3"), &whole).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
    let id = answer.text("jobId").parse().unwrap();
    let job = domain::ports::Jobs::job(caller.fakes.as_ref(), &id);
    let metadata = job.await.unwrap().unwrap().metadata.unwrap();
    assert_eq!(metadata.to_string(), r#"{"as":[1.0,2]}"#, "as it came");
}

#[tokio::test]
async fn a_source_that_is_null_is_of_the_wrong_type() {
    let caller = Caller::on(Plan::Pro).await;
    let nulls = json!({"filename": "a", "format": "pdf", "sourceKey": null, "url": null});
    let answer = refused(&caller, &nulls, "invalid_request").await;
    assert_eq!(answer.faults(), [("$.sourceKey", "invalid_value")]);
}
