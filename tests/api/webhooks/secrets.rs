//! New secrets for a webhook.

use serde_json::Value;
use tests::client::Client;
use tests::trusted_host::{Request, TrustedHost};

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

fn signatures(request: &Request) -> usize {
    let text = request.header("webhook-signature");
    text.split(' ').filter(|one| one.starts_with("v1,")).count()
}

#[tokio::test]
async fn every_secret_is_valid_until_it_was_promised_to_be() {
    let account = Account::new("free");
    let host = TrustedHost::willing().await;
    let webhook = Subscriber::webhook(&account, "/rotated", &["*"]).await;
    webhook.try_out(&account).await;
    let first = host.receive(&webhook.path, 1).await.remove(0);
    assert_eq!(signatures(&first), 1);

    let second = rotate(&account, &webhook).await;
    let valid = second["previousValidUntil"].as_i64().unwrap();
    webhook.try_out(&account).await;
    let request = host.receive(&webhook.path, 2).await.remove(1);
    assert_eq!(signatures(&request), 2);
    verify(&webhook.secret, &request).unwrap();
    assert_signed(secret(&second), &request);
    let at: i64 = request.header("webhook-timestamp").parse().unwrap();
    let day = 24 * 3_600;
    let left = valid / 1_000 - at;
    assert!((day - 600..=day).contains(&left), "valid for {left} s more");

    let third = rotate(&account, &webhook).await;
    webhook.try_out(&account).await;
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
async fn a_sixth_secret_has_to_wait_until_the_first_has_ended() {
    let account = Account::new("business");
    let host = TrustedHost::willing().await;
    let webhook = Subscriber::webhook(&account, "/rotated-often", &["*"]).await;
    for _ in 0..4 {
        rotate(&account, &webhook).await;
    }
    let path = format!("/webhooks/{}/rotate-secret", webhook.id);
    let impatient = Client::with_key(Some(&account.key));
    let refused = impatient.send("POST", &path, &[], None).await;
    assert_eq!(refused.refusal(), (429, "rate_limited".to_owned()));
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    let day = 24 * 3_600;
    assert!((day - 600..=day + 1).contains(&wait), "{wait}");
    webhook.try_out(&account).await;
    let request = host.receive(&webhook.path, 1).await.remove(0);
    assert_eq!(signatures(&request), 5);
    verify(&webhook.secret, &request).unwrap();
}
