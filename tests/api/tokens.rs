//! Account tokens: accepted wherever an API key is; invalid ones get the response of an invalid key.

use contract::route::{Access, ROUTES};
use tests::client::{Client, Response};
use tests::stack::admin;

use crate::account::Account;
use crate::problem::{assert_error, without_request_id};

const NO_JOB: &str = "job_01arz3ndektsv4rrffq69g5fav";
const NO_KEY: &str = "0123456789abcdef";

/// Issues a token for an account.
pub(crate) fn token(account: &str) -> String {
    let response = admin(&["account", "token", account]);
    assert!(response["expiresAt"].as_i64().unwrap() > 1_700_000_000_000);
    response["token"].as_str().unwrap().to_owned()
}

async fn usage(credential: &str) -> Response {
    Client::with_key(Some(credential)).get("/usage").await
}

#[tokio::test]
async fn a_token_is_accepted_by_every_route() {
    let account = Account::new("business");
    let client = Client::with_key(Some(&token(&account.id)));
    for route in ROUTES.iter().filter(|route| route.access != Access::Open) {
        let path = route
            .path
            .replace("{jobId}", NO_JOB)
            .replace("{keyId}", NO_KEY)
            .replace("{documentId}", "doc_01arz3ndektsv4rrffq69g5fav")
            .replace("{versionId}", "ver_01arz3ndektsv4rrffq69g5fav")
            .replace("{pageId}", "pag_01arz3ndektsv4rrffq69g5fav")
            .replace("{webhookId}", "wh_01arz3ndektsv4rrffq69g5fav")
            .replace("{deliveryId}", "dlv_01arz3ndektsv4rrffq69g5fav");
        let response = client.send(route.method.name(), &path, &[], None).await;
        assert!(
            ![401, 403].contains(&response.status),
            "{}",
            response.text()
        );
        assert!(response.status < 500, "{}", response.text());
    }
}

#[tokio::test]
async fn a_token_acts_for_its_account() {
    let account = Account::new("starter");
    account.set_used(0, 1_999);
    let response = usage(&token(&account.id)).await;
    assert_eq!(response.json(), account.usage().await);
    assert_eq!(response.header("ratelimit-policy"), "\"burst\";q=20;w=1");

    let client = Client::with_key(Some(&token(&account.id)));
    let body = account.compression_body().await;
    let job = client.create_job(&body, None).await;
    assert_eq!(job.status, 202, "{}", job.text());
    let job_id = job.json()["jobId"].as_str().unwrap().to_owned();
    assert_eq!(account.jobs().await, [job_id]);
}

#[tokio::test]
async fn a_changed_plan_applies_to_the_next_request() {
    let account = Account::new("free");
    let token = token(&account.id);
    assert_eq!(usage(&token).await.json()["plan"], "free");
    admin(&["account", "set-plan", &account.id, "--plan", "pro"]);
    let response = usage(&token).await;
    assert_eq!(response.json()["plan"], "pro");
    assert_eq!(response.header("ratelimit-policy"), "\"burst\";q=50;w=1");
}

#[tokio::test]
async fn an_invalid_token_is_rejected_like_a_key() {
    let account = Account::new("business");
    let token = token(&account.id);
    let parts: Vec<&str> = token.split('.').collect();
    let [header, claims, signature] = parts.try_into().unwrap();
    let other_claims = self::token(&Account::new("business").id);
    let other_claims = other_claims.split('.').nth(1).unwrap();
    let mut bodies = vec![without_request_id(&usage("oct_x_y").await)];
    for bad in [
        format!("{header}.{other_claims}.{signature}"),
        format!("{header}.{claims}."),
        format!("{header}.{claims}"),
        format!("{header}.{claims}.{signature}.{signature}"),
        // {"alg":"none"}
        format!("eyJhbGciOiJub25lIn0.{claims}."),
        "a.b.c".to_owned(),
        "..".to_owned(),
    ] {
        let response = usage(&bad).await;
        assert_error(&response, 401, "invalid_api_key", &[]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(usage(&token).await.status, 200);
}

#[tokio::test]
async fn requests_of_a_token_count_against_the_burst_limit() {
    let account = Account::new("free");
    let client = Client::with_key(Some(&token(&account.id)));
    let responses = futures::future::join_all((0..20).map(|_| client.get("/usage"))).await;
    let too_fast: Vec<_> = responses
        .iter()
        .filter(|response| response.status == 429)
        .collect();
    assert!(!too_fast.is_empty());
    assert_error(too_fast[0], 429, "rate_limited", &[]);
    assert!(responses.iter().any(|response| response.status == 200));
}
