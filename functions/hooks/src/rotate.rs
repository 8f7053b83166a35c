//! `POST /webhooks/{webhookId}/rotate-secret`.

use std::sync::Arc;
use std::time::Duration;

use contract::code::ErrorCode;
use contract::route::Header;
use contract::webhook::SecretRotated;
use domain::ports::PortError;
use domain::subscription::{SecretsInUse, Subscription};
use domain::timestamp::Timestamp;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Hooks, MAX_WRITE_ATTEMPTS, Ports, owned_webhook, register};

/// How long the previous secret stays valid.
const OVERLAP: Duration = Duration::from_secs(24 * 3_600);

pub(crate) async fn rotate_webhook_secret<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let ports = hooks.ports.as_ref();
    let mut webhook = with_room(owned_webhook(ports, &request).await?, &request)?;
    let (secret, sealed) = register::new_secret(ports, &webhook.id).await?;
    let previous_valid_until = request.now.plus(OVERLAP);
    for _ in 0..MAX_WRITE_ATTEMPTS {
        let rotated = webhook.with_secret(sealed.clone(), previous_valid_until);
        if ports.replace_secrets(&rotated, webhook.revision).await? {
            let response = SecretRotated {
                id: rotated.id.to_string(),
                secret: secret.reveal(),
                previous_valid_until,
            };
            return Ok(Response::json(200, &response));
        }
        webhook = with_room(owned_webhook(ports, &request).await?, &request)?;
    }
    Err(PortError::Contended.into())
}

fn with_room(webhook: Subscription, request: &Request) -> Result<Subscription, ApiError> {
    let available = webhook.with_room_for_secret(request.now);
    available.map_err(|in_use| too_many_secrets(in_use, request.now))
}

fn too_many_secrets(in_use: SecretsInUse, now: Timestamp) -> ApiError {
    let detail = format!(
        "The webhook already has {} valid secrets, the maximum. The first of them expires at {}. Rotate again then.",
        Subscription::MAX_SECRETS,
        in_use.until
    );
    let seconds = in_use.until.since(now).as_secs() + 1;
    ApiError::new(ErrorCode::RateLimited, detail)
        .with_header(Header::RetryAfter, seconds.to_string())
}
