//! What telling subscribers needs of the world.

use std::time::Duration;

use async_trait::async_trait;

use super::{DuePosition, PortError};
use crate::id::{AccountId, DeliveryId};
use crate::plan::Plan;
use crate::source::SourceUrl;
use crate::subscription::{
    Delivery, DeliveryChange, DeliveryTicket, DisabledReason, FailedAttempt, LastDelivery, Outcome,
    SealedSecret, SigningSecret, SlowMark, Subscription, SubscriptionId, SubscriptionKind,
};
use crate::timestamp::Timestamp;

/// Encrypts signing secrets, each bound to its subscription.
#[async_trait]
pub trait SealSecrets: Send + Sync {
    /// The ciphertext of a secret, in base 64.
    async fn seal(
        &self,
        subscription: &SubscriptionId,
        secret: &SigningSecret,
    ) -> Result<String, PortError>;
}

/// Decrypts signing secrets.
#[async_trait]
pub trait OpenSecrets: Send + Sync {
    /// The secret in clear. One that was sealed for another subscription is refused.
    async fn open(
        &self,
        subscription: &SubscriptionId,
        secret: &SealedSecret,
    ) -> Result<SigningSecret, PortError>;
}

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

/// Reads subscriptions.
#[async_trait]
pub trait ReadSubscriptions: Send + Sync {
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
}

/// Creates, changes and removes subscriptions.
#[async_trait]
pub trait ManageSubscriptions: ReadSubscriptions {
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
}

/// Notes how a receiver does. What is gone is not noted anywhere.
#[async_trait]
pub trait NoteReceivers: ReadSubscriptions {
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
    /// Nothing is sent any more, and there is room for another subscription; `false` when it was disabled already, is gone, or
    /// fails no longer since `failing_since`, if that is given.
    async fn disable(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        reason: DisabledReason,
        failing_since: Option<Timestamp>,
    ) -> Result<bool, PortError>;
}

/// One page of a subscription's deliveries, newest event first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeliveryPage {
    /// The deliveries.
    pub deliveries: Vec<Delivery>,
    /// Where the next page begins: behind this one. `None` at the end.
    pub next: Option<DeliveryId>,
}

/// Reads deliveries.
#[async_trait]
pub trait ReadDeliveries: Send + Sync {
    /// A delivery, read consistently.
    async fn delivery(
        &self,
        subscription: &SubscriptionId,
        id: &DeliveryId,
    ) -> Result<Option<Delivery>, PortError>;
    /// A subscription's deliveries behind `before`, newest event first.
    async fn deliveries(
        &self,
        subscription: &SubscriptionId,
        before: Option<&DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage, PortError>;
}

/// Adds deliveries and moves them along.
#[async_trait]
pub trait KeepDeliveries: ReadDeliveries {
    /// Stores new deliveries, due as [`Delivery::first_due`] says, and returns those that were not there before.
    async fn add_deliveries(&self, deliveries: Vec<Delivery>) -> Result<Vec<Delivery>, PortError>;
    /// Writes a move; `false` when it is stale and nothing was written.
    async fn apply_delivery(&self, change: &DeliveryChange) -> Result<bool, PortError>;
}

/// A delivery that is due.
#[derive(Clone, Debug, PartialEq)]
pub struct DueDelivery {
    /// Its ticket.
    pub ticket: DeliveryTicket,
    /// How often that was sent again already.
    pub sent: u32,
    /// Since when it is due.
    pub due: Timestamp,
}

/// One page of the deliveries that are due in a shard, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DueDeliveryPage {
    /// What is due.
    pub deliveries: Vec<DueDelivery>,
    /// The store's names for rows that this release cannot read.
    pub unreadable: Vec<String>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<DuePosition>,
}

/// Finds the deliveries whose tickets went astray or had no queue to wait in.
#[async_trait]
pub trait FindDueDeliveries: Send + Sync {
    /// What is due in a shard (one of [`crate::outbox::SHARDS`]) behind `after`, looking at no more than `limit` rows.
    async fn due_deliveries(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DueDeliveryPage, PortError>;
    /// Puts off a delivery, whose ticket was sent once more, until `until`; does nothing when it is no longer due as `seen`:
    /// what an attempt has written meanwhile stays.
    async fn postpone_delivery(
        &self,
        seen: &DueDelivery,
        until: Timestamp,
    ) -> Result<(), PortError>;
}

/// Sends the tickets of deliveries.
#[async_trait]
pub trait SendDeliveries: Send + Sync {
    /// Sends tickets, each to the queue of its lane and in the group of its subscription, held back for `delay` (at most 15 minutes), and returns
    /// those that their queues took.
    async fn send_deliveries(
        &self,
        tickets: &[DeliveryTicket],
        delay: Duration,
    ) -> Result<Vec<DeliveryTicket>, PortError>;
}

/// Sends what remains of a fan-out.
#[async_trait]
pub trait ContinueFanOut: Send + Sync {
    /// Sends `message`, which is an event as the bus brought it and a position, to the queue of fan-outs.
    async fn continue_fan_out(&self, group: &str, message: &str) -> Result<(), PortError>;
    /// Sends what is no event to the queue of what could not be told, with the reason.
    async fn reject(&self, message: &str) -> Result<(), PortError>;
}

/// Sends messages to receivers, under the guard of outgoing requests.
#[async_trait]
pub trait CallReceivers: Send + Sync {
    /// Posts a JSON body with these headers, within [`crate::subscription::TIMEOUT`], and reads the beginning of the
    /// answer.
    async fn call_receiver(
        &self,
        url: &SourceUrl,
        headers: &[(&'static str, String)],
        body: &str,
    ) -> Outcome;
}

/// Reads the plans of accounts.
#[async_trait]
pub trait ReadPlans: Send + Sync {
    /// The plan that an account is on; `None` when there is no such account.
    async fn plan(&self, account: &AccountId) -> Result<Option<Plan>, PortError>;
}
