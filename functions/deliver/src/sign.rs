//! Request headers of a webhook delivery, with HMAC signatures by Standard Webhooks 1.0.

use domain::subscription::{Payload, SigningSecret};
use domain::timestamp::Timestamp;

const USER_AGENT: &str = "Octavo-Webhooks/1.0";

/// The headers of an attempt at `now`, with one signature per secret, in the order of `secrets`.
pub(crate) fn headers(
    payload: &Payload,
    secrets: &[SigningSecret],
    now: Timestamp,
) -> Vec<(&'static str, String)> {
    let signatures = secrets.iter();
    let signatures: Vec<_> = signatures
        .map(|secret| secret.sign(&payload.event_id, now, &payload.body))
        .collect();
    vec![
        ("content-type", "application/json".to_owned()),
        ("user-agent", USER_AGENT.to_owned()),
        ("webhook-id", payload.event_id.to_string()),
        ("webhook-timestamp", now.seconds().to_string()),
        ("webhook-signature", signatures.join(" ")),
    ]
}
