//! `POST /webhooks/{webhookId}/rotate-secret`.

use std::sync::Arc;
use std::time::Duration;

use contract::webhook::SecretRotated;
use domain::ports::PortError;
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
    let mut webhook = owned_webhook(ports, &call).await?;
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
        webhook = owned_webhook(ports, &call).await?;
    }
    Err(PortError::Contended.into())
}
