//! Rotation of webhook secrets.

use serde_json::Value;
use tests::client::Client;
use tests::trusted_host::{Request, TrustedHost};

use crate::account::Account;
use crate::subscriber::{Subscriber, assert_signed, verify};

async fn rotate(account: &Account, webhook: &Subscriber) -> Value {
    let path = format!("/webhooks/{}/rotate-secret", webhook.id);
    let response = account.client.send("POST", &path, &[], None).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let rotated = response.json();
    assert_eq!(rotated["id"], webhook.id.as_str());
    rotated
}

fn secret(rotated: &Value) -> &str {
    rotated["secret"].as_str().unwrap()
}

fn signatures(request: &Request) -> usize {
    let text = request.header("webhook-signature");
    text.split(' ').filter(|one| one.starts_with("v1,")).count()
}

#[tokio::test]
async fn rotated_secrets_stay_valid_until_their_expiry() {
    let account = Account::new("free");
    let host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/rotated", &["*"]).await;
    webhook.send_test_event(&account).await;
    let first = host.receive(&webhook.path, 1).await.remove(0);
    assert_eq!(signatures(&first), 1);

    let second = rotate(&account, &webhook).await;
    let valid = second["previousValidUntil"].as_i64().unwrap();
    webhook.send_test_event(&account).await;
    let request = host.receive(&webhook.path, 2).await.remove(1);
    assert_eq!(signatures(&request), 2);
    verify(&webhook.secret, &request).unwrap();
    assert_signed(secret(&second), &request);
    let at: i64 = request.header("webhook-timestamp").parse().unwrap();
    let day = 24 * 3_600;
    let left = valid / 1_000 - at;
    assert!((day - 600..=day).contains(&left), "valid for {left} s more");

    let third = rotate(&account, &webhook).await;
    webhook.send_test_event(&account).await;
    let request = host.receive(&webhook.path, 3).await.remove(2);
    assert_eq!(signatures(&request), 3);
    verify(&webhook.secret, &request).unwrap();
    verify(secret(&second), &request).unwrap();
    assert_signed(secret(&third), &request);
    let path = format!("/webhooks/{}", webhook.id);
    let shown = account.client.get(&path).await.text();
    for secret in [webhook.secret.as_str(), secret(&second), secret(&third)] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[tokio::test]
async fn a_sixth_secret_is_rejected_until_the_first_expires() {
    let account = Account::new("business");
    let host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/rotated-often", &["*"]).await;
    for _ in 0..4 {
        rotate(&account, &webhook).await;
    }
    let path = format!("/webhooks/{}/rotate-secret", webhook.id);
    let without_retries = Client::with_key(Some(&account.key));
    let refused = without_retries.send("POST", &path, &[], None).await;
    assert_eq!(refused.problem(), (429, "rate_limited".to_owned()));
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    let day = 24 * 3_600;
    assert!((day - 600..=day + 1).contains(&wait), "{wait}");
    webhook.send_test_event(&account).await;
    let request = host.receive(&webhook.path, 1).await.remove(0);
    assert_eq!(signatures(&request), 5);
    verify(&webhook.secret, &request).unwrap();
}
