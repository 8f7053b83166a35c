//! The subscription record.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::secret::SealedSecret;
use super::selector::Selector;
use super::trigger::Trigger;
use crate::event::EventType;
use crate::id::{AccountId, HookId, InvalidId, WebhookId};
use crate::source::SourceUrl;
use crate::timestamp::Timestamp;

/// The kind of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubscriptionKind {
    /// Receives events of jobs and saved documents.
    Webhook,
    /// Receives one trigger of the mobile app.
    Hook,
}

/// Identifier of a webhook or an automation hook.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SubscriptionId {
    /// A webhook.
    Webhook(WebhookId),
    /// An automation hook.
    Hook(HookId),
}

impl SubscriptionId {
    /// Returns the identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Webhook(id) => id.as_str(),
            Self::Hook(id) => id.as_str(),
        }
    }

    /// Returns the kind of the subscription.
    #[must_use]
    pub fn kind(&self) -> SubscriptionKind {
        match self {
            Self::Webhook(_) => SubscriptionKind::Webhook,
            Self::Hook(_) => SubscriptionKind::Hook,
        }
    }
}

impl TryFrom<String> for SubscriptionId {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        if text.starts_with(HookId::PREFIX) {
            text.parse().map(Self::Hook)
        } else {
            text.parse().map(Self::Webhook)
        }
    }
}

impl From<SubscriptionId> for String {
    fn from(id: SubscriptionId) -> String {
        id.as_str().to_owned()
    }
}

impl fmt::Display for SubscriptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether deliveries are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// Deliveries are sent.
    Active,
    /// Deliveries are not sent: the receiver responded 410 Gone, or failed for five days.
    Disabled,
}

/// Why a subscription was disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// The receiver responded 410 Gone.
    Gone,
    /// Every attempt in five days failed.
    Failing,
}

/// The last attempt of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastDelivery {
    /// Whether the receiver accepted the event.
    pub delivered: bool,
    /// HTTP status; `None` if there was no response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_code: Option<u16>,
    /// Number of the attempt.
    pub attempts: u32,
    /// Time at which the attempt ended.
    pub at: Timestamp,
}

/// The record of a webhook or an automation hook.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Version of the record format.
    pub record_version: u32,
    /// Identifier.
    pub id: SubscriptionId,
    /// Owner.
    pub account_id: AccountId,
    /// URL of the receiver, as sent by the owner.
    pub url: SourceUrl,
    /// Events of a webhook; empty for a hook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Selector>,
    /// Trigger of a hook; `None` for a webhook.
    pub trigger: Option<Trigger>,
    /// Whether deliveries are sent.
    pub status: SubscriptionStatus,
    /// Why the subscription is disabled.
    pub disabled_reason: Option<DisabledReason>,
    /// Signing secrets, newest first; earlier ones stay for an overlap after a rotation.
    pub secrets: Vec<SealedSecret>,
    /// Start of the current series of failures.
    pub failing_since: Option<Timestamp>,
    /// Time of the last failure of that series, written at most once a minute.
    #[serde(rename = "failedAt")]
    pub last_failure_at: Option<Timestamp>,
    /// Time of the last success, written at most once a minute.
    #[serde(rename = "workedAt")]
    pub last_success_at: Option<Timestamp>,
    /// End of the receiver's slow mark.
    pub slow_until: Option<Timestamp>,
    /// The last attempt of a hook.
    pub last_delivery: Option<LastDelivery>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Revision, incremented when the secrets change. Health changes do not increment it.
    pub revision: u64,
}

impl Subscription {
    /// The current version of the record format.
    pub const RECORD_VERSION: u32 = 1;

    /// Creates a subscription without events; `ciphertext` is its sealed secret.
    #[must_use]
    pub fn new(
        id: SubscriptionId,
        account_id: AccountId,
        url: SourceUrl,
        ciphertext: String,
        now: Timestamp,
    ) -> Self {
        let secret = SealedSecret {
            ciphertext,
            valid_until: None,
        };
        Self {
            record_version: Self::RECORD_VERSION,
            id,
            account_id,
            url,
            events: Vec::new(),
            trigger: None,
            status: SubscriptionStatus::Active,
            disabled_reason: None,
            secrets: vec![secret],
            failing_since: None,
            last_failure_at: None,
            last_success_at: None,
            slow_until: None,
            last_delivery: None,
            created_at: now,
            revision: 1,
        }
    }

    /// Whether a webhook is subscribed to an event.
    #[must_use]
    pub fn is_subscribed_to(&self, event: EventType) -> bool {
        self.is_active() && self.events.iter().any(|selector| selector.selects(event))
    }

    /// Whether a hook is subscribed to a trigger.
    #[must_use]
    pub fn is_subscribed_to_trigger(&self, trigger: Trigger) -> bool {
        self.is_active() && self.trigger == Some(trigger)
    }

    /// Whether deliveries are sent.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.status == SubscriptionStatus::Active
    }
}
