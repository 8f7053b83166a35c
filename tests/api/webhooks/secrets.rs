//! New secrets for a webhook.

use serde_json::Value;
use tests::trusted_host::TrustedHost;

use crate::account::Account;
use crate::subscriber::{Subscriber, assert_signed, verify};

async fn rotate(account: &Account, webhook: &Subscriber) -> Value {
    let path = format!("/webhooks/{}/rotate-secret", webhook.id);
    let answer = account.client.send("POST", &path, &[], None).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let rotated = answer.json();
    assert_eq!(rotated["id"], webhook.id.as_str());
    rotated
}

fn secret(rotated: &Value) -> &str {
    rotated["secret"].as_str().unwrap()
}

#[tokio::test]
async fn the_secret_before_is_valid_beside_the_new_one_and_none_older() {
    let account = Account::new("free");
    let host = TrustedHost::willing().await;
    let webhook = Subscriber::webhook(&account, "/rotated", &["*"]).await;
    webhook.try_out(&account).await;
    let first = host.receive(&webhook.path, 1).await.remove(0);
    let signatures = |text: &str| text.split(' ').filter(|one| one.starts_with("v1,")).count();
    assert_eq!(signatures(first.header("webhook-signature")), 1);

    let second = rotate(&account, &webhook).await;
    let valid = second["previousValidUntil"].as_i64().unwrap();
    webhook.try_out(&account).await;
    let request = host.receive(&webhook.path, 2).await.remove(1);
    assert_eq!(signatures(request.header("webhook-signature")), 2);
    verify(&webhook.secret, &request).unwrap();
    assert_signed(secret(&second), &request);
    let at: i64 = request.header("webhook-timestamp").parse().unwrap();
    let day = 24 * 3_600;
    let left = valid / 1_000 - at;
    assert!((day - 600..=day).contains(&left), "valid for {left} s more");

    let third = rotate(&account, &webhook).await;
    webhook.try_out(&account).await;
    let request = host.receive(&webhook.path, 3).await.remove(2);
    assert_eq!(signatures(request.header("webhook-signature")), 2);
    assert!(verify(&webhook.secret, &request).is_err(), "two are enough");
    verify(secret(&second), &request).unwrap();
    assert_signed(secret(&third), &request);
    let path = format!("/webhooks/{}", webhook.id);
    let shown = account.client.get(&path).await.text();
    for secret in [webhook.secret.as_str(), secret(&second), secret(&third)] {
        assert!(!shown.contains(secret), "{shown}");
    }
}
