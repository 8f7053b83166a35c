//! Shapes of the routes under `/hooks`: automation hooks, in the manner of REST hooks.

use std::collections::HashMap;

use domain::field::{self, FieldError};
use domain::subscription::{
    LastDelivery, SigningSecret, Subscription, SubscriptionStatus, Trigger,
};
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Body of `POST /hooks/subscribe`. Prints without its URL.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SubscribeHook {
    /// The trigger.
    pub event: Trigger,
    /// Where deliveries are sent: an https URL of at most 2,048 characters.
    #[schemars(length(min = 1, max = 2048), extend("format" = "uri"))]
    pub target_url: String,
}

impl SubscribeHook {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, missing, of a wrong type or out of bounds.
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
    /// The hook.
    pub id: String,
}

impl UnsubscribeHook {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, missing or of a wrong type.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

/// The answer to `POST /hooks/unsubscribe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsubscribed {
    /// Always `true`: there is no such hook any more, or there never was.
    pub success: bool,
}

/// A new automation hook. Prints without its secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookSubscribed {
    /// The hook.
    pub id: String,
    /// The trigger.
    pub event: Trigger,
    /// Where deliveries are sent.
    pub target_url: String,
    /// What deliveries are signed with. It is shown this once.
    pub secret: String,
}

impl HookSubscribed {
    /// The answer for a new hook that hears of `event`.
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
    /// The hook.
    pub id: String,
    /// The trigger.
    pub event: Trigger,
    /// Where deliveries are sent.
    pub target_url: String,
    /// Whether it is told anything.
    pub status: SubscriptionStatus,
    /// How the newest attempt went.
    pub last_delivery: HookDelivery,
    /// When it was created, in Unix milliseconds.
    pub created_at: Timestamp,
}

// Without the URL, which often is all that a caller of it needs.
impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hook({}, {:?}, ***)", self.id, self.status)
    }
}

/// How the newest attempt of a hook went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookDelivery {
    /// Whether the receiver took it.
    pub status: HookDeliveryStatus,
    /// What the receiver answered; `null` when it did not.
    pub status_code: Option<u16>,
    /// Which attempt of its delivery it was.
    pub attempts: u32,
    /// When it ended, in Unix milliseconds; `null` when there was none.
    pub at: Option<Timestamp>,
}

/// Whether a receiver took what it was sent last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HookDeliveryStatus {
    /// Nothing was sent yet.
    Never,
    /// It did.
    Delivered,
    /// It did not.
    Failed,
}

impl Hook {
    /// How a hook is shown; `None` for what hears of no trigger, which is no hook.
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

/// The automation hooks of an account, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["subscriptions", "nextCursor"]))]
pub struct HookList {
    /// The hooks.
    pub subscriptions: Vec<Hook>,
    /// Continues the list; `null` at the end.
    pub next_cursor: Option<String>,
}

/// Most hooks of one page of `GET /hooks`: an account on every plan but the largest sees all of its hooks at once.
pub const HOOKS_AT_ONCE: u32 = 1_000;

/// Reads the trigger that `GET /hooks/samples` is asked for.
///
/// # Errors
/// When there is none, or it is not one.
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
