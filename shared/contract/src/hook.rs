//! Schemas of the routes of automation hooks (REST hooks).

use std::collections::HashMap;

use domain::field::{self, FieldError};
use domain::subscription::{
    LastDelivery, SigningSecret, Subscription, SubscriptionStatus, Trigger,
};
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

// `Debug` omits the URL.
/// Body of `POST /hooks/subscribe`.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SubscribeHook {
    /// The trigger.
    pub event: Trigger,
    /// URL of the receiver: HTTPS, at most 2,048 characters.
    #[schemars(length(min = 1, max = 2048), extend("format" = "uri"))]
    pub target_url: String,
}

impl SubscribeHook {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

impl std::fmt::Debug for SubscribeHook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SubscribeHook({}, ***)", self.event)
    }
}

/// Body of `POST /hooks/unsubscribe`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnsubscribeHook {
    /// Identifier of the hook.
    pub id: String,
}

impl UnsubscribeHook {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

/// Response of `POST /hooks/unsubscribe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsubscribed {
    /// Always `true`: the hook does not exist any more, or never existed.
    pub success: bool,
}

// `Debug` omits the secret.
/// A new automation hook.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookSubscribed {
    /// Identifier of the hook.
    pub id: String,
    /// The trigger.
    pub event: Trigger,
    /// URL of the receiver.
    pub target_url: String,
    /// Signing secret of the deliveries. It is never shown again.
    pub secret: String,
}

impl HookSubscribed {
    /// Creates the response for a new hook with the trigger `event`.
    #[must_use]
    pub fn of(subscription: &Subscription, event: Trigger, secret: &SigningSecret) -> Self {
        Self {
            id: subscription.id.to_string(),
            event,
            target_url: subscription.url.reveal().to_owned(),
            secret: secret.reveal(),
        }
    }
}

impl std::fmt::Debug for HookSubscribed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HookSubscribed({}, ***)", self.id)
    }
}

/// An automation hook.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hook {
    /// Identifier of the hook.
    pub id: String,
    /// The trigger.
    pub event: Trigger,
    /// URL of the receiver.
    pub target_url: String,
    /// Whether deliveries are sent.
    pub status: SubscriptionStatus,
    /// The last delivery.
    pub last_delivery: HookDelivery,
    /// Time of creation, in Unix milliseconds.
    pub created_at: Timestamp,
}

// Omits the URL, which is often the only secret of the receiver.
impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hook({}, {:?}, ***)", self.id, self.status)
    }
}

/// The last delivery of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookDelivery {
    /// Outcome of the last attempt.
    pub status: HookDeliveryStatus,
    /// HTTP status of the response; `null` if there was none.
    pub status_code: Option<u16>,
    /// Number of the attempt.
    pub attempts: u32,
    /// Time at which the attempt ended, in Unix milliseconds; `null` before the first one.
    pub at: Option<Timestamp>,
}

/// Outcome of the last attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HookDeliveryStatus {
    /// There was no delivery yet.
    Never,
    /// The receiver accepted the event.
    Delivered,
    /// The receiver did not accept the event, or did not respond.
    Failed,
}

impl Hook {
    /// Creates the response for a subscription; `None` if it is not a hook.
    #[must_use]
    pub fn of(subscription: &Subscription) -> Option<Self> {
        Some(Self {
            id: subscription.id.to_string(),
            event: subscription.trigger?,
            target_url: subscription.url.reveal().to_owned(),
            status: subscription.status,
            last_delivery: subscription.last_delivery.into(),
            created_at: subscription.created_at,
        })
    }
}

impl From<Option<LastDelivery>> for HookDelivery {
    fn from(last: Option<LastDelivery>) -> Self {
        Self {
            status: match last {
                None => HookDeliveryStatus::Never,
                Some(last) if last.delivered => HookDeliveryStatus::Delivered,
                Some(_) => HookDeliveryStatus::Failed,
            },
            status_code: last.and_then(|last| last.status_code),
            attempts: last.map_or(0, |last| last.attempts),
            at: last.map(|last| last.at),
        }
    }
}

/// A page of automation hooks, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["subscriptions", "nextCursor"]))]
pub struct HookList {
    /// The hooks.
    pub subscriptions: Vec<Hook>,
    /// Cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// Maximum number of hooks per page of `GET /hooks`. On every plan but the largest, one page contains all hooks.
pub const HOOKS_AT_ONCE: u32 = 1_000;

/// Parses the query parameter `event` of `GET /hooks/samples`.
///
/// # Errors
/// If it is missing or not a trigger.
pub fn sample_trigger(query: &HashMap<String, String>) -> Result<Trigger, FieldError> {
    let names = || {
        let names = Trigger::ALL.iter().map(|trigger| trigger.name());
        names.collect::<Vec<_>>().join(", ")
    };
    let Some(text) = query.get("event") else {
        let message = format!("is required: one of {}", names());
        return Err(FieldError::new("$.event", "missing_field", message));
    };
    let message = || format!("must be one of {}", names());
    text.parse()
        .map_err(|_| FieldError::invalid("$.event", message()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_url_of_a_hook_is_not_printed() {
        let hook = json!({
            "id": "hook_1", "event": "qr.scanned", "targetUrl": "https://example.com/hidden", "status": "active",
            "lastDelivery": HookDelivery::from(None), "createdAt": 1,
        });
        let hook: Hook = serde_json::from_value(hook).unwrap();
        assert_eq!(format!("{hook:?}"), "Hook(hook_1, Active, ***)");
        let list = HookList {
            subscriptions: vec![hook],
            next_cursor: None,
        };
        assert!(!format!("{list:?}").contains("hidden"));
    }
}
