//! Subscriptions.

use async_trait::async_trait;

use super::PortError;
use crate::id::AccountId;
use crate::subscription::{
    DisabledReason, FailedAttempt, LastDelivery, SlowMark, Subscription, SubscriptionId,
    SubscriptionKind,
};
use crate::timestamp::Timestamp;

/// The idempotency key that a subscription was asked for with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionRequest {
    /// The fingerprint of the idempotency key.
    pub fingerprint: String,
    /// The hash of the request's body.
    pub body_hash: String,
    /// When it is forgotten.
    pub expires_at: Timestamp,
}

/// What became of a new subscription.
#[derive(Clone, Debug, PartialEq)]
pub enum Subscribed {
    /// It is stored and active.
    New,
    /// The idempotency key was used before, for the same request: the subscription of then, as it is now. `None` when it
    /// was deleted since.
    Replayed(Option<Box<Subscription>>),
    /// The idempotency key was used before, for another request.
    KeyReused,
    /// The account holds as many active ones as its plan allows.
    LimitReached,
}

/// One page of an account's subscriptions of one kind, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubscriptionPage {
    /// The subscriptions.
    pub subscriptions: Vec<Subscription>,
    /// The store's names for rows that this release cannot read.
    pub unreadable: Vec<String>,
    /// Where the next page begins: behind this one. `None` at the end.
    pub next: Option<SubscriptionId>,
}

/// Subscriptions and the health of their receivers. A note on a subscription that is gone changes nothing.
#[async_trait]
pub trait Subscriptions: Send + Sync {
    /// A subscription of an account, read consistently.
    async fn subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
    ) -> Result<Option<Subscription>, PortError>;
    /// An account's subscriptions of one kind behind `after`, looking at no more than `limit` rows.
    async fn subscriptions(
        &self,
        account: &AccountId,
        kind: SubscriptionKind,
        after: Option<&SubscriptionId>,
        limit: u32,
    ) -> Result<SubscriptionPage, PortError>;
    /// Stores a new subscription, unless its account holds `most` active ones already: of any number of requests at the same
    /// time exactly as many succeed as there is room for. With a `request`, the same request stores one once.
    async fn subscribe(
        &self,
        subscription: &Subscription,
        most: u32,
        request: Option<&SubscriptionRequest>,
    ) -> Result<Subscribed, PortError>;
    /// Removes a subscription, which makes room for another unless it was disabled; `false` when there is none.
    async fn unsubscribe(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<bool, PortError>;
    /// Stores the secrets of a subscription as they are now, unless it has changed since the revision `seen` or is gone;
    /// `false` then.
    async fn replace_secrets(
        &self,
        subscription: &Subscription,
        seen: u64,
    ) -> Result<bool, PortError>;
    /// An attempt failed. Says nothing when the row of failures is no longer the one that was seen, or when an attempt
    /// succeeded at [`FailedAttempt::outweighed_from`] or later.
    async fn note_failing(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        failure: &FailedAttempt,
    ) -> Result<(), PortError>;
    /// An attempt succeeded at `at`, which ends every row of failures.
    async fn note_working(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        at: Timestamp,
    ) -> Result<(), PortError>;
    /// The receiver answers slowly. Says nothing when it is marked for [`SlowMark::enough`] or longer.
    async fn note_slow(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        mark: &SlowMark,
    ) -> Result<(), PortError>;
    /// How the newest attempt of a hook went.
    async fn note_last_delivery(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        last: &LastDelivery,
    ) -> Result<(), PortError>;
    /// Nothing is sent any more, and there is room for another subscription; `false` when it was disabled already, is
    /// gone, or fails no longer since `failing_since`, if that is given.
    async fn disable(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        reason: DisabledReason,
        failing_since: Option<Timestamp>,
    ) -> Result<bool, PortError>;
}
