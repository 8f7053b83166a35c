//! Deliveries are signed with every valid secret and no other.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ports::{Secrets as _, Subscriptions as _};
use domain::subscription::{DeliveryStatus, SealedSecret, SigningSecret, Subscription};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use testkit::fakes::ReceiverCall;
use testkit::{Call, Fault, sample};

use super::{DAY, Scene, status};

/// The signature of a message, computed independently of the tested code.
fn signature(secret: &SigningSecret, id: &str, seconds: &str, body: &str) -> String {
    let text = secret.reveal();
    let key = STANDARD
        .decode(text.strip_prefix("whsec_").unwrap())
        .unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[tokio::test]
async fn a_delivery_has_its_headers_and_a_signature_that_another_implementation_verifies() {
    let scene = Scene::webhook().await;
    assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 1, None));
    let payload = &scene.delivery.payload;
    let seconds = scene.now().seconds().to_string();
    let (id, body) = (payload.event_id.as_str(), payload.body.as_str());
    let right = signature(&scene.secret, id, &seconds, body);
    let sent = ReceiverCall {
        url: scene.subscription.url.reveal().to_owned(),
        headers: vec![
            ("content-type", "application/json".to_owned()),
            ("user-agent", "Octavo-Webhooks/1.0".to_owned()),
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", seconds.clone()),
            ("webhook-signature", right.clone()),
        ],
        body: body.to_owned(),
    };
    assert_eq!(scene.calls(), [sent]);
    let other = sample::subscription::secret(scene.fakes.as_ref());
    for wrong in [
        signature(&scene.secret, id, &seconds, "{}"),
        signature(&scene.secret, "evt_other", &seconds, body),
        signature(&scene.secret, id, "1", body),
        signature(&other, id, &seconds, body),
    ] {
        assert_ne!(wrong, right);
    }
    assert_eq!(scene.stored().response_status, Some(200));
    // A repeated ticket changes nothing.
    scene.deliver().await.unwrap();
    assert_eq!(scene.calls().len(), 1);
}

#[tokio::test]
async fn during_a_rotation_both_secrets_sign_and_then_only_the_new_one() {
    let scene = Scene::webhook().await;
    scene.set_outcomes([status(500)]);
    let new = sample::subscription::secret(scene.fakes.as_ref());
    let id = &scene.subscription.id;
    let sealed = scene.fakes.seal(id, &new).await.unwrap();
    let ends = scene.now().plus(DAY);
    let rotated = scene.subscription.with_secret(sealed, ends);
    assert!(
        scene
            .fakes
            .replace_secrets(&rotated, scene.subscription.revision)
            .await
            .unwrap()
    );
    scene.deliver().await.unwrap();
    scene.turn_to(ends);
    scene.deliver().await.unwrap();
    let payload = &scene.delivery.payload;
    let of = |secret, at: &str| signature(secret, payload.event_id.as_str(), at, &payload.body);
    let calls = scene.calls();
    let first = calls[0].header("webhook-timestamp").unwrap();
    let both = format!("{} {}", of(&new, first), of(&scene.secret, first));
    assert_eq!(calls[0].header("webhook-signature"), Some(both.as_str()));
    let second = calls[1].header("webhook-timestamp").unwrap();
    assert_eq!(
        calls[1].header("webhook-signature"),
        Some(of(&new, second).as_str())
    );
    assert_eq!(calls[0].header("webhook-id"), calls[1].header("webhook-id"));
    assert_eq!(calls[0].body, calls[1].body);
}

#[tokio::test]
async fn a_secret_that_cannot_be_decrypted_uses_up_no_attempt() {
    let scene = Scene::webhook().await;
    scene.fakes.fail(Call::Open, Fault::Unavailable, 9);
    for _ in 0..9 {
        assert!(scene.deliver().await.is_err());
    }
    assert_eq!(
        (scene.stored(), scene.calls()),
        (scene.delivery.clone(), vec![])
    );
    assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 1, None));
}

#[tokio::test]
async fn a_secret_of_another_subscription_signs_nothing() {
    let scene = Scene::webhook().await;
    let other = sample::subscription::webhook(scene.fakes.as_ref(), &scene.account);
    let ciphertext = scene.fakes.seal(&other.id, &scene.secret).await.unwrap();
    let stolen = Subscription {
        secrets: vec![SealedSecret {
            ciphertext,
            valid_until: None,
        }],
        ..scene.subscription.clone()
    };
    scene.fakes.put_subscription(stolen);
    assert!(scene.deliver().await.is_err());
    assert_eq!(scene.calls(), []);
}

#[tokio::test]
async fn no_request_is_sent_unsigned() {
    let scene = Scene::webhook().await;
    let unsigned = Subscription {
        secrets: Vec::new(),
        ..scene.subscription.clone()
    };
    scene.fakes.put_subscription(unsigned);
    assert!(scene.deliver().await.is_err());
    assert_eq!(
        (scene.calls(), scene.stored()),
        (vec![], scene.delivery.clone())
    );
}
