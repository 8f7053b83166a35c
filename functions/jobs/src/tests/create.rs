//! `POST /jobs`.

use domain::plan::Plan;
use serde_json::{Value, json};

use super::{Caller, TestResponse};

const UNKNOWN: &str = "src_01arz3ndektsv4rrffq69g5fav";

/// A request body with an upload of this content type.
fn body(caller: &Caller, content_type: &str, operations: Value) -> Value {
    json!({
        "filename": "a", "format": "pdf", "sourceKey": caller.upload(content_type),
        "operations": operations,
    })
}

/// Asserts that the request is rejected with 422 and `code` and uses no credits.
async fn assert_rejected(caller: &Caller, body: &Value, code: &str) -> TestResponse {
    let response = caller.post("/jobs", Some("job-key-1"), body).await;
    assert_eq!(response.error(), (422, code), "{body} {}", response.body);
    assert_eq!(caller.used().await, 0);
    assert_eq!(caller.fakes.sent(), []);
    response
}

#[tokio::test]
async fn unavailable_sources_of_steps_are_reported_at_their_path() {
    let caller = Caller::on(Plan::Pro).await;
    let stranger = Caller::on(Plan::Pro).await;
    let mine = caller.upload("application/pdf");
    let foreign = stranger.upload("application/pdf").to_string();
    let mut responses = Vec::new();
    for key in [UNKNOWN, foreign.as_str(), "", "src_", "../etc/passwd"] {
        let merge = json!([
            {"operation": "flatten"},
            {"operation": "merge", "sourceKeys": [mine, mine, key]},
        ]);
        let merge = body(&caller, "application/pdf", merge);
        let response = assert_rejected(&caller, &merge, "source_unavailable").await;
        let error = ("$.operations[1].sourceKeys[2]", "source_unavailable");
        assert_eq!(response.errors(), [error]);
        responses.push(response.body);
        let watermark = json!([{"operation": "watermark", "sourceKey": key}]);
        let watermark = body(&caller, "application/pdf", watermark);
        let response = assert_rejected(&caller, &watermark, "source_unavailable").await;
        let error = ("$.operations[0].sourceKey", "source_unavailable");
        assert_eq!(response.errors(), [error]);
        let mut document = body(&caller, "application/pdf", json!([]));
        document["sourceKey"] = json!(key);
        let response = assert_rejected(&caller, &document, "source_unavailable").await;
        assert_eq!(response.errors(), [("$.sourceKey", "source_unavailable")]);
    }
    responses.dedup();
    assert_eq!(responses.len(), 1, "{responses:?}");
}

#[tokio::test]
async fn step_inputs_of_unsupported_types_are_rejected_at_submission() {
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
        let response = assert_rejected(&caller, &body, "invalid_step").await;
        let path = format!("$.operations[0].{path}");
        assert_eq!(response.errors(), [(path.as_str(), "invalid_step")]);
    }
    let split = body(&caller, "image/jpeg", json!([{"operation": "split"}]));
    let response = assert_rejected(&caller, &split, "invalid_step").await;
    assert_eq!(
        response.errors(),
        [("$.operations[0].operation", "invalid_step")]
    );
    let watermark = json!([{"operation": "watermark", "sourceKey": jpeg}]);
    let watermark = body(&caller, "application/pdf", watermark);
    let response = caller.post("/jobs", Some("job-key-2"), &watermark).await;
    assert_eq!(response.status, 202, "{}", response.body);
    let merge = json!([{"operation": "merge", "sourceKeys": [octets, jpeg]}]);
    let merge = body(&caller, "application/pdf", merge);
    let response = caller.post("/jobs", Some("job-key-3"), &merge).await;
    assert_eq!(response.status, 202, "{}", response.body);
}

#[tokio::test]
async fn integers_may_have_a_zero_fraction() {
    let caller = Caller::on(Plan::Pro).await;
    let quality = |quality: Value| {
        let compress = json!([{"operation": "compress", "quality": quality}]);
        let mut body = body(&caller, "image/jpeg", compress);
        body["metadata"] = json!({"as": [1.0, 2]});
        body
    };
    let response = assert_rejected(&caller, &quality(json!(70.5)), "invalid_step").await;
    assert_eq!(
        response.errors(),
        [("$.operations[0].quality", "invalid_value")]
    );
    let expected = quality(json!(70.0));
    let response = caller.post("/jobs", Some("job-key-3"), &expected).await;
    assert_eq!(response.status, 202, "{}", response.body);
    let id = response.text("jobId").parse().unwrap();
    let job = domain::ports::Jobs::job(caller.fakes.as_ref(), &id);
    let metadata = job.await.unwrap().unwrap().metadata.unwrap();
    assert_eq!(
        metadata.to_string(),
        r#"{"as":[1.0,2]}"#,
        "metadata is unchanged"
    );
}

#[tokio::test]
async fn a_null_source_is_an_invalid_value() {
    let caller = Caller::on(Plan::Pro).await;
    let nulls = json!({"filename": "a", "format": "pdf", "sourceKey": null, "url": null});
    let response = assert_rejected(&caller, &nulls, "invalid_request").await;
    assert_eq!(response.errors(), [("$.sourceKey", "invalid_value")]);
}
