//! Idempotency of uploads.

use std::time::Duration;

use domain::id::{AccountId, SourceKey};
use domain::ports::RecordedUpload;

use crate::environment::{Environment, Ports};
use crate::sample;

/// One source per idempotency key.
pub async fn uploads<P: Ports, W: Environment>(ports: &P, env: &W) {
    let now = env.now();
    let expires_at = now.plus(Duration::from_secs(60));
    let fingerprint = sample::fingerprint(env);
    let account = AccountId::mint(now, env.random());
    let source = || SourceKey::mint(now, env.random());
    let (first, second) = (source(), source());
    let record_upload = async |body: &str, source: &SourceKey, now| {
        ports
            .record_upload(&account, &fingerprint, body, source, now, expires_at)
            .await
            .unwrap()
    };
    assert_eq!(
        record_upload("body", &first, now).await,
        RecordedUpload::New
    );
    let replayed = RecordedUpload::Replayed(first.clone());
    assert_eq!(record_upload("body", &second, now).await, replayed);
    assert_eq!(
        record_upload("other", &second, now).await,
        RecordedUpload::KeyReused
    );
    assert_eq!(
        record_upload("body", &second, expires_at).await,
        RecordedUpload::New,
        "expired"
    );
}
