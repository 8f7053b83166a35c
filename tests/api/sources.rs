//! Unavailable sources are rejected with the same response; inference of the input format.

use serde_json::{Value, json};
use tests::client::unique;
use tests::documents;

use crate::account::{Account, accepted_job_id};
use crate::problem::{assert_error, without_request_id};

async fn authorized_but_not_uploaded(account: &Account) -> String {
    let body = json!({"filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": 10});
    let grant = account.client.post("/files/upload", &[], &body).await;
    grant.json()["sourceKey"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn unknown_foreign_and_missing_sources_are_indistinguishable() {
    let (own, other) = (Account::new("pro"), Account::new("pro"));
    let mut body = own.conversion_body().await;
    let good = body.clone();
    let foreign = other.conversion_body().await["sourceKey"]
        .as_str()
        .unwrap()
        .to_owned();
    let keys = [
        "src_01arz3ndektsv4rrffq69g5fav".to_owned(),
        foreign.clone(),
        authorized_but_not_uploaded(&own).await,
        authorized_but_not_uploaded(&other).await,
        String::new(),
        "src_".to_owned(),
        "junk".to_owned(),
        "src_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned(),
        foreign.replace("src_", "job_"),
        format!("../{}/{foreign}", other.id),
        format!("uploads/{}/{foreign}", other.id),
        format!("{foreign}\u{0}"),
        "s".repeat(100_000),
    ];
    let (before, key) = (own.usage().await, unique("sources"));
    let mut bodies = Vec::new();
    for source in keys {
        body["sourceKey"] = json!(source);
        let response = own.client.create_job(&body, Some(&key)).await;
        let expected_error = ("$.sourceKey", "source_unavailable");
        assert_error(&response, 422, "source_unavailable", &[expected_error]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(own.usage().await, before);
    accepted_job_id(&own.client.create_job(&good, Some(&key)).await);
}

#[tokio::test]
async fn a_missing_source_of_a_step_is_reported_at_its_field() {
    let (own, other) = (Account::new("pro"), Account::new("pro"));
    let pdf = async |account: &Account| {
        let bytes = documents::pdf(1, 200, 100);
        let upload = account.client.upload("a.pdf", "application/pdf", bytes);
        upload.await
    };
    let (mine, foreign) = (pdf(&own).await, pdf(&other).await);
    let before = own.usage().await;
    let mut bodies = Vec::new();
    for key in [
        "src_01arz3ndektsv4rrffq69g5fav",
        &foreign,
        &authorized_but_not_uploaded(&own).await,
        "junk",
    ] {
        let merge = json!({"operation": "merge", "sourceKeys": [mine, key]});
        let body = json!({
            "filename": "a.pdf", "format": "pdf", "sourceKey": mine,
            "operations": [{"operation": "flatten"}, merge],
        });
        let response = own.client.create_job(&body, None).await;
        let expected_error = ("$.operations[1].sourceKeys[1]", "source_unavailable");
        assert_error(&response, 422, "source_unavailable", &[expected_error]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(own.usage().await, before);
}

#[tokio::test]
async fn a_source_can_be_used_again() {
    let account = Account::new("starter");
    let body = account.conversion_body().await;
    let (one, two) = (account.run_job(&body).await, account.run_job(&body).await);
    assert_ne!(one["jobId"], two["jobId"]);
    assert_eq!(one["output"]["sha256"], two["output"]["sha256"]);
    assert_eq!(account.remaining().await.1, 2_000 - 4);
}

#[tokio::test]
async fn the_input_format_comes_from_the_request_content_type_or_filename() {
    let account = Account::new("business");
    let pdf = || documents::pdf(1, 200, 100);
    let octets = "application/octet-stream";
    let plain = account.client.upload("page.pdf", octets, pdf()).await;
    let typed = account
        .client
        .upload("page.pdf", "application/pdf", pdf())
        .await;
    let job = |name: &str, source: &str, more: Value| {
        let mut body = json!({"filename": name, "format": "txt", "sourceKey": source});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    for body in [
        job("page", &typed, json!({})),
        job("page.pdf", &plain, json!({})),
        job("page.docx", &plain, json!({"inputFormat": "pdf"})),
    ] {
        let ended = account.run_job(&body).await;
        assert_eq!(ended["status"], "completed", "{ended}");
    }
    let undeclared = account
        .client
        .create_job(&job("page", &plain, json!({})), None)
        .await;
    let expected_error = ("$.inputFormat", "unsupported_conversion");
    assert_error(
        &undeclared,
        422,
        "unsupported_conversion",
        &[expected_error],
    );
}
