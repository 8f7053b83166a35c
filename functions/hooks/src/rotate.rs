//! `POST /webhooks/{webhookId}/rotate-secret`.

use std::sync::Arc;
use std::time::Duration;

use contract::code::ErrorCode;
use contract::route::Header;
use contract::webhook::SecretRotated;
use domain::ports::PortError;
use domain::subscription::{SecretsInUse, Subscription};
use domain::timestamp::Timestamp;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{ATTEMPTS, Hooks, Ports, owned_webhook, register};

/// How long the secret before goes on signing.
const OVERLAP: Duration = Duration::from_secs(24 * 3_600);

pub(crate) async fn rotate_webhook_secret<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let ports = hooks.ports.as_ref();
    let mut webhook = with_room(owned_webhook(ports, &call).await?, &call)?;
    let (secret, sealed) = register::new_secret(ports, &webhook.id).await?;
    let previous_valid_until = call.now.plus(OVERLAP);
    for _ in 0..ATTEMPTS {
        let rotated = webhook.with_secret(sealed.clone(), previous_valid_until);
        if ports.replace_secrets(&rotated, webhook.revision).await? {
            let answer = SecretRotated {
                id: rotated.id.to_string(),
                secret: secret.reveal(),
                previous_valid_until,
            };
            return Ok(Answer::json(200, &answer));
        }
        webhook = with_room(owned_webhook(ports, &call).await?, &call)?;
    }
    Err(PortError::Contended.into())
}

fn with_room(webhook: Subscription, call: &Call) -> Result<Subscription, Refusal> {
    let room = webhook.with_room_for_secret(call.now);
    room.map_err(|in_use| too_many_secrets(in_use, call.now))
}

fn too_many_secrets(in_use: SecretsInUse, now: Timestamp) -> Refusal {
    let detail = format!(
        "{} secrets of this webhook are valid, and none ends before {}; rotate again then",
        Subscription::MOST_SECRETS,
        in_use.until
    );
    let seconds = in_use.until.since(now).as_secs() + 1;
    Refusal::new(ErrorCode::RateLimited, detail).with(Header::RetryAfter, seconds.to_string())
}
