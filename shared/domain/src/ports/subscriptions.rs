//! Subscriptions.

use async_trait::async_trait;

use super::PortError;
use crate::id::AccountId;
use crate::subscription::{
    DisabledReason, FailedAttempt, LastDelivery, SlowMark, Subscription, SubscriptionId,
    SubscriptionKind,
};
use crate::timestamp::Timestamp;

/// The idempotency key of a request that creates a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionRequest {
    /// Fingerprint of the idempotency key.
    pub fingerprint: String,
    /// Hash of the request body.
    pub body_hash: String,
    /// Expiry of the idempotency row.
    pub expires_at: Timestamp,
}

/// The outcome of creating a subscription.
#[derive(Clone, Debug, PartialEq)]
pub enum Subscribed {
    /// The subscription is stored and active.
    New,
    /// The idempotency key was used for the same request: its subscription in its current state; `None` if it was deleted.
    Replayed(Option<Box<Subscription>>),
    /// The idempotency key was used for a different request.
    KeyReused,
    /// The account has the maximum number of active subscriptions of its plan.
    LimitReached,
}

/// One page of an account's subscriptions of one kind, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubscriptionPage {
    /// The subscriptions.
    pub subscriptions: Vec<Subscription>,
    /// Storage keys of rows that this release cannot read.
    pub unreadable: Vec<String>,
    /// Last subscription of the page, after which the next page begins; `None` at the end.
    pub next: Option<SubscriptionId>,
}

/// Subscriptions and the health of their receivers. Health updates of deleted subscriptions are ignored.
#[async_trait]
pub trait Subscriptions: Send + Sync {
    /// Returns a subscription of an account, with a consistent read.
    async fn subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
    ) -> Result<Option<Subscription>, PortError>;
    /// Returns an account's subscriptions of one kind after `after`, reading at most `limit` rows.
    async fn subscriptions(
        &self,
        account: &AccountId,
        kind: SubscriptionKind,
        after: Option<&SubscriptionId>,
        limit: u32,
    ) -> Result<SubscriptionPage, PortError>;
    /// Stores a new subscription unless its account has `most` active ones. Concurrent calls never exceed the maximum. With a
    /// `request`, the call is idempotent.
    async fn subscribe(
        &self,
        subscription: &Subscription,
        most: u32,
        request: Option<&SubscriptionRequest>,
    ) -> Result<Subscribed, PortError>;
    /// Deletes a subscription; `false` if it does not exist. An active one no longer counts against the plan.
    async fn unsubscribe(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<bool, PortError>;
    /// Replaces the secrets of a subscription; `false` if it was deleted or changed since revision `seen`.
    async fn replace_secrets(
        &self,
        subscription: &Subscription,
        seen: u64,
    ) -> Result<bool, PortError>;
    /// Records a failed attempt. Does nothing if the series of failures changed since it was read, or if a success was
    /// recorded at [`FailedAttempt::superseded_from`] or later.
    async fn record_failure(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        failure: &FailedAttempt,
    ) -> Result<(), PortError>;
    /// Records a success at `at`, which ends the series of failures.
    async fn record_success(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        at: Timestamp,
    ) -> Result<(), PortError>;
    /// Marks the receiver as slow. Does nothing if its current mark lasts until [`SlowMark::renew_before`] or later.
    async fn record_slow(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        mark: &SlowMark,
    ) -> Result<(), PortError>;
    /// Records the last delivery of a hook.
    async fn record_last_delivery(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        last: &LastDelivery,
    ) -> Result<(), PortError>;
    /// Disables a subscription, which then no longer counts against the plan; `false` if it was already disabled, was
    /// deleted, or its failures did not start at `failing_since`, if given.
    async fn disable(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        reason: DisabledReason,
        failing_since: Option<Timestamp>,
    ) -> Result<bool, PortError>;
}
