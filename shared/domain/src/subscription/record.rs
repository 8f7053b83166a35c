//! What is known about a subscription.

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

/// What a subscription is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubscriptionKind {
    /// Hears of jobs and saved documents.
    Webhook,
    /// Hears of one trigger of the app.
    Hook,
}

/// Names a webhook or an automation hook.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SubscriptionId {
    /// A webhook.
    Webhook(WebhookId),
    /// An automation hook.
    Hook(HookId),
}

impl SubscriptionId {
    /// The identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Webhook(id) => id.as_str(),
            Self::Hook(id) => id.as_str(),
        }
    }

    /// What it names.
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

/// Whether a subscription is told anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// It is.
    Active,
    /// Not any more: its receiver said that it is gone, or failed for five days.
    Disabled,
}

/// Why a subscription was disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// The receiver answered 410.
    Gone,
    /// Nothing was delivered in five days of trying.
    Failing,
}

/// How the newest attempt of a subscription went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastDelivery {
    /// Whether the receiver took it.
    pub delivered: bool,
    /// What it answered; `None` when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_code: Option<u16>,
    /// Which attempt of its delivery it was.
    pub attempts: u32,
    /// When it ended.
    pub at: Timestamp,
}

/// The record of a webhook or an automation hook.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Version of this record's form.
    pub record_version: u32,
    /// The subscription's identifier.
    pub id: SubscriptionId,
    /// Its owner.
    pub account_id: AccountId,
    /// Where deliveries are sent, as the owner wrote it.
    pub url: SourceUrl,
    /// Which events a webhook hears of; empty for a hook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Selector>,
    /// Which trigger a hook hears of; `None` for a webhook.
    pub trigger: Option<Trigger>,
    /// Whether it is told anything.
    pub status: SubscriptionStatus,
    /// Why not.
    pub disabled_reason: Option<DisabledReason>,
    /// What deliveries are signed with, newest first; older ones for a while after a rotation.
    pub secrets: Vec<SealedSecret>,
    /// Since when every attempt has failed.
    pub failing_since: Option<Timestamp>,
    /// When an attempt last failed since then, to the minute.
    pub failed_at: Option<Timestamp>,
    /// When an attempt last succeeded, to the minute.
    pub worked_at: Option<Timestamp>,
    /// Until when its receiver counts as one that answers slowly.
    pub slow_until: Option<Timestamp>,
    /// How the newest attempt of a hook went.
    pub last_delivery: Option<LastDelivery>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Raised by each change of the secrets. How its receiver does is noted without.
    pub revision: u64,
}

impl Subscription {
    /// The present form of the record.
    pub const RECORD_VERSION: u32 = 1;

    /// A subscription that hears of nothing yet; `ciphertext` is its sealed secret.
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
            failed_at: None,
            worked_at: None,
            slow_until: None,
            last_delivery: None,
            created_at: now,
            revision: 1,
        }
    }

    /// Whether a webhook is to be told of an event.
    #[must_use]
    pub fn hears(&self, event: EventType) -> bool {
        self.is_active() && self.events.iter().any(|selector| selector.selects(event))
    }

    /// Whether a hook is to be told of a trigger.
    #[must_use]
    pub fn hears_trigger(&self, trigger: Trigger) -> bool {
        self.is_active() && self.trigger == Some(trigger)
    }

    /// Whether it is told anything.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.status == SubscriptionStatus::Active
    }
}
