//! Expired data is unavailable immediately, even before DynamoDB and S3 delete it. The tests set stored times to the past
//! instead of waiting.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use aws_sdk_dynamodb::Client as Tables;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::id::{AccountId, SourceKey};
use domain::idempotency::IdempotencyKey;
use domain::ports::Uploads;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};
use tests::client::{put, unique};
use tests::stack::stack;

use crate::account::{Account, accepted_job_id, job_id};
use crate::problem::{assert_error, assert_problem, expected_problem, without_request_id};

/// Sets a stored time, in Unix milliseconds, to one second ago and returns it; the DynamoDB TTL attribute
/// stays unchanged.
async fn expire(pk: String, sk: &str, attribute: &[&str]) -> i64 {
    let past = Timestamp::from(SystemTime::now() - Duration::from_secs(1));
    let places = ["#a", "#b"];
    let names = places.iter().zip(attribute);
    let names = names.map(|(place, name)| ((*place).to_owned(), (*name).to_owned()));
    let path = places[..attribute.len()].join(".");
    Tables::new(&crate::aws::config().await)
        .update_item()
        .table_name(&stack().resources.tables["jobs"])
        .key("pk", AttributeValue::S(pk))
        .key("sk", AttributeValue::S(sk.to_owned()))
        .update_expression(format!("SET {path} = :past"))
        .condition_expression(format!("{path} > :past"))
        .set_expression_attribute_names(Some(names.collect()))
        .expression_attribute_values(":past", AttributeValue::N(past.milliseconds().to_string()))
        .send()
        .await
        .unwrap();
    past.milliseconds()
}

async fn expire_key(account: &Account, route: &str, key: &str) {
    let account: AccountId = account.id.parse().unwrap();
    let fingerprint = IdempotencyKey::parse(key)
        .unwrap()
        .fingerprint(&account, route);
    expire(
        format!("IDEMPOTENCY#{fingerprint}"),
        "IDEMPOTENCY",
        &["expiresAt"],
    )
    .await;
}

#[tokio::test]
async fn an_expired_result_is_gone_and_its_job_remains() {
    let account = Account::new("business");
    let mut job = account.run_job(&account.conversion_body().await).await;
    let id = job_id(&job);
    let path = format!("/jobs/{id}");
    assert_eq!(
        account.client.get(&format!("{path}/result")).await.status,
        302
    );
    let past = expire(format!("JOB#{id}"), "JOB", &["output", "expiresAt"]).await;

    let gone = format!("{path}/result");
    let response = account.client.get(&gone).await;
    let title = "The result has expired";
    assert_problem(
        &response,
        &expected_problem(410, "result_expired", title, &gone, false),
    );
    assert_eq!(response.header("location"), "");
    let url = job.as_object_mut().unwrap().remove("artifactUrl");
    assert!(url.is_some_and(|url| url.is_string()));
    job["expiresAt"] = past.into();
    assert_eq!(
        account.client.get(&path).await.json(),
        job,
        "unchanged except for the URL"
    );
    assert_eq!(account.jobs().await, [id]);
}

#[tokio::test]
async fn an_expired_job_is_not_found() {
    let account = Account::new("business");
    let body = account.conversion_body().await;
    let (expired, other) = (
        account.run_job(&body).await,
        account.submit_job(&body).await,
    );
    let expired = job_id(&expired);
    expire(format!("JOB#{expired}"), "JOB", &["expiresAt"]).await;
    for (method, rest) in [("GET", ""), ("GET", "/result"), ("DELETE", "")] {
        let mut bodies = Vec::new();
        for id in [expired.as_str(), "job_01arz3ndektsv4rrffq69g5fav"] {
            let path = format!("/jobs/{id}{rest}");
            let response = account.client.send(method, &path, &[], None).await;
            assert_error(&response, 404, "job_not_found", &[]);
            bodies.push(without_request_id(&response));
        }
        assert_eq!(bodies[0], bodies[1], "{method} {rest}");
    }
    assert_eq!(account.jobs().await, [other]);
}

#[tokio::test]
async fn an_expired_idempotency_key_creates_a_new_job() {
    let account = Account::new("starter");
    let (body, key) = (account.conversion_body().await, unique("expired"));
    let create = async |body: &Value| account.client.create_job(body, Some(&key)).await;
    let first = accepted_job_id(&create(&body).await);
    account.client.wait(&first).await;
    let (_, left) = account.remaining().await;
    assert_eq!(
        create(&body).await.status,
        200,
        "a replay before the key expires"
    );
    expire_key(&account, "POST /jobs", &key).await;

    // Another body is accepted, too, because the key has been forgotten.
    let mut other = body.clone();
    other["metadata"] = json!({"again": true});
    let second = accepted_job_id(&create(&other).await);
    assert_ne!(second, first);
    assert_eq!(account.remaining().await.1, left - 2, "charged again");
    let replay = create(&other).await;
    assert_eq!(
        (replay.status, job_id(&replay.json())),
        (200, second.clone())
    );
    assert_error(&create(&body).await, 422, "idempotency_key_reused", &[]);
    assert_eq!(account.jobs().await, [second, first]);
}

#[tokio::test]
async fn an_expired_idempotency_key_authorizes_a_new_upload() {
    let account = Account::new("free");
    let key = unique("expired");
    let body = json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 3});
    let authorize = async || {
        let headers = [("idempotency-key", key.as_str())];
        let response = account.client.post("/files/upload", &headers, &body).await;
        assert_eq!(response.status, 201, "{}", response.text());
        response.json()["sourceKey"].clone()
    };
    let first = authorize().await;
    assert_eq!(authorize().await, first);
    expire_key(&account, "POST /files/upload", &key).await;
    let second = authorize().await;
    assert_ne!(second, first);
    assert_eq!(authorize().await, second);
}

#[tokio::test]
async fn an_upload_url_works_for_fifteen_minutes() {
    let account: AccountId = Account::new("free").id.parse().unwrap();
    let services = services().await;
    for (minutes_ago, status) in [(14, 200), (16, 403)] {
        let signed = Timestamp::from(SystemTime::now() - Duration::from_secs(minutes_ago * 60));
        let source = SourceKey::mint(signed, rand::random());
        let grant = services
            .upload_url(&account, &source, "text/plain", 3, signed)
            .await
            .unwrap();
        let fifteen = Duration::from_secs(15 * 60);
        assert_eq!(grant.expires_at, signed.plus(fifteen));
        let headers: BTreeMap<_, _> = grant.headers.into_iter().collect();
        let grant = json!({"uploadUrl": grant.url, "headers": headers});
        let response = put(&grant, b"abc".to_vec()).await;
        assert_eq!(
            response.0, status,
            "{minutes_ago} minutes ago: {}",
            response.1
        );
    }
}

/// Opens the service's own clients with the operator's credentials.
async fn services() -> ::aws::Services {
    let aws = &stack().aws;
    let connection = ::aws::Connection {
        endpoint_url: Some(aws.endpoint_url.clone()),
        region: Some(aws.region.clone()),
        credentials: Some(::aws::Credentials {
            access_key_id: aws.access_key_id.clone(),
            secret_access_key: aws.secret_access_key.clone().into(),
        }),
    };
    let names = ::aws::Names {
        bucket: Some(stack().resources.bucket.clone()),
        ..::aws::Names::default()
    };
    ::aws::Services::from_names(&connection, names).await
}
