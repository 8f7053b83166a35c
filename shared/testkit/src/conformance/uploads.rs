//! Idempotency of uploads.

use std::time::Duration;

use domain::id::{AccountId, SourceKey};
use domain::ports::Remembered;

use crate::sample;
use crate::world::{Ports, World};

/// One idempotency key, one source.
pub async fn uploads<P: Ports, W: World>(ports: &P, world: &W) {
    let now = world.now();
    let expires_at = now.plus(Duration::from_secs(60));
    let fingerprint = sample::fingerprint(world);
    let account = AccountId::mint(now, world.random());
    let source = || SourceKey::mint(now, world.random());
    let (first, second) = (source(), source());
    let remember = async |body: &str, source: &SourceKey, now| {
        ports
            .remember(&account, &fingerprint, body, source, now, expires_at)
            .await
            .unwrap()
    };
    assert_eq!(remember("body", &first, now).await, Remembered::New);
    let replayed = Remembered::Replayed(first.clone());
    assert_eq!(remember("body", &second, now).await, replayed);
    assert_eq!(remember("other", &second, now).await, Remembered::KeyReused);
    assert_eq!(
        remember("body", &second, expires_at).await,
        Remembered::New,
        "expired"
    );
}
