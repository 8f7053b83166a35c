//! Webhooks and automation hooks.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use domain::id::AccountId;
use domain::ports::{PortError, Subscribed, SubscriptionPage, SubscriptionRequest, Subscriptions};
use domain::subscription::{
    DisabledReason, FailedAttempt, LastDelivery, SlowMark, Subscription, SubscriptionId,
    SubscriptionKind, SubscriptionStatus,
};
use domain::timestamp::Timestamp;

use super::{Call, Fakes};

#[async_trait]
impl Subscriptions for Fakes {
    async fn subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
    ) -> Result<Option<Subscription>, PortError> {
        let name = (account.clone(), id.clone());
        self.call(Call::ReadSubscriptions, |state| {
            Ok(state.subscribers.all.get(&name).cloned())
        })
        .await
    }

    async fn subscriptions(
        &self,
        account: &AccountId,
        kind: SubscriptionKind,
        after: Option<&SubscriptionId>,
        limit: u32,
    ) -> Result<SubscriptionPage, PortError> {
        self.call(Call::ReadSubscriptions, |state| {
            let all = state.subscribers.all.values();
            let behind = all
                .filter(|subscription| {
                    subscription.account_id == *account && subscription.id.kind() == kind
                })
                .filter(|subscription| after.is_none_or(|after| subscription.id > *after));
            let mut subscriptions: Vec<_> = behind.cloned().collect();
            let more = subscriptions.len() > limit as usize;
            subscriptions.truncate(limit as usize);
            let last = subscriptions.last().filter(|_| more);
            let next = last.map(|subscription| subscription.id.clone());
            let unreadable = &state.subscribers.unreadable;
            let (unreadable, subscriptions) =
                subscriptions
                    .into_iter()
                    .partition::<Vec<_>, _>(|subscription| {
                        unreadable.contains(&(account.clone(), subscription.id.clone()))
                    });
            Ok(SubscriptionPage {
                subscriptions,
                unreadable: unreadable
                    .iter()
                    .map(|subscription| subscription.id.to_string())
                    .collect(),
                next,
            })
        })
        .await
    }

    async fn subscribe(
        &self,
        subscription: &Subscription,
        most: u32,
        request: Option<&SubscriptionRequest>,
    ) -> Result<Subscribed, PortError> {
        self.call(Call::Subscribe, |state| {
            Ok(state.subscribers.add(subscription, most, request))
        })
        .await
    }

    async fn unsubscribe(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        _: Timestamp,
    ) -> Result<bool, PortError> {
        let name = (account.clone(), id.clone());
        self.call(Call::Unsubscribe, |state| {
            let there = state.subscribers.all.remove(&name).is_some();
            if there {
                state.subscribers.ended.insert(name);
            }
            Ok(there)
        })
        .await
    }

    async fn replace_secrets(
        &self,
        subscription: &Subscription,
        seen: u64,
    ) -> Result<bool, PortError> {
        let name = (subscription.account_id.clone(), subscription.id.clone());
        self.call(Call::ReplaceSecrets, |state| {
            let stored = state.subscribers.all.get_mut(&name);
            let Some(stored) = stored.filter(|stored| stored.revision == seen) else {
                return Ok(false);
            };
            stored.secrets.clone_from(&subscription.secrets);
            stored.revision = subscription.revision;
            Ok(true)
        })
        .await
    }

    async fn record_failure(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        failure: &FailedAttempt,
    ) -> Result<(), PortError> {
        self.update_health(account, id, |subscription| {
            let superseded = has_success_since(subscription, failure.superseded_from());
            if !superseded && subscription.failing_since == failure.expected_since {
                subscription.failing_since = Some(failure.since);
                subscription.last_failure_at = Some(failure.at);
            }
        })
        .await
    }

    async fn record_success(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        at: Timestamp,
    ) -> Result<(), PortError> {
        self.update_health(account, id, |subscription| {
            if !has_success_since(subscription, at) {
                (subscription.failing_since, subscription.last_failure_at) = (None, None);
                subscription.last_success_at = Some(at);
            }
        })
        .await
    }

    async fn record_slow(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        mark: &SlowMark,
    ) -> Result<(), PortError> {
        self.update_health(account, id, |subscription| {
            if subscription
                .slow_until
                .is_none_or(|until| until < mark.renew_before)
            {
                subscription.slow_until = Some(mark.until);
            }
        })
        .await
    }

    async fn record_last_delivery(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        last: &LastDelivery,
    ) -> Result<(), PortError> {
        self.update_health(account, id, |subscription| {
            if subscription
                .last_delivery
                .is_none_or(|noted| noted.at <= last.at)
            {
                subscription.last_delivery = Some(*last);
            }
        })
        .await
    }

    async fn disable(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        reason: DisabledReason,
        failing_since: Option<Timestamp>,
    ) -> Result<bool, PortError> {
        let name = (account.clone(), id.clone());
        self.call(Call::Disable, |state| {
            let stored = state.subscribers.all.get_mut(&name);
            let stored = stored.filter(|stored| stored.is_active());
            let is_unchanged = |subscription: &&mut Subscription| {
                failing_since.is_none() || subscription.failing_since == failing_since
            };
            let Some(stored) = stored.filter(is_unchanged) else {
                return Ok(false);
            };
            stored.status = SubscriptionStatus::Disabled;
            stored.disabled_reason = Some(reason);
            Ok(true)
        })
        .await
    }
}

type Name = (AccountId, SubscriptionId);

/// All subscriptions.
#[derive(Default)]
pub(super) struct SubscriptionState {
    all: BTreeMap<Name, Subscription>,
    /// Subscriptions with unreadable rows.
    unreadable: BTreeSet<Name>,
    /// Ended subscriptions, which may still have deliveries.
    ended: BTreeSet<Name>,
    /// Recorded request of each idempotency key.
    requests: BTreeMap<String, (SubscriptionRequest, Name)>,
}

impl Fakes {
    /// Stores a subscription in any state.
    pub fn put_subscription(&self, subscription: Subscription) {
        let name = (subscription.account_id.clone(), subscription.id.clone());
        let mut state = super::lock(&self.state);
        state.subscribers.all.insert(name, subscription);
    }

    /// Makes the row of a subscription unreadable.
    pub fn make_unreadable(&self, subscription: &Subscription) {
        let name = (subscription.account_id.clone(), subscription.id.clone());
        super::lock(&self.state).subscribers.unreadable.insert(name);
    }
}

impl Fakes {
    /// Changes an existing subscription.
    async fn update_health(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        change: impl FnOnce(&mut Subscription),
    ) -> Result<(), PortError> {
        let name = (account.clone(), id.clone());
        self.call(Call::UpdateHealth, |state| {
            state.subscribers.all.get_mut(&name).map(change);
            Ok(())
        })
        .await
    }
}

fn has_success_since(subscription: &Subscription, moment: Timestamp) -> bool {
    subscription
        .last_success_at
        .is_some_and(|success| success >= moment)
}

impl SubscriptionState {
    /// Removes all subscriptions of an account and returns their number, including ended ones.
    pub(super) fn erase(&mut self, account: &AccountId) -> u64 {
        let before = self.all.len() + self.ended.len();
        self.all.retain(|(owner, _), _| owner != account);
        self.ended.retain(|(owner, _)| owner != account);
        self.requests.retain(|_, (_, (owner, _))| owner != account);
        (before - self.all.len() - self.ended.len()) as u64
    }

    fn add(
        &mut self,
        subscription: &Subscription,
        most: u32,
        request: Option<&SubscriptionRequest>,
    ) -> Subscribed {
        let name = (subscription.account_id.clone(), subscription.id.clone());
        let now = subscription.created_at;
        let previous = request.and_then(|request| self.previous(request, &name, now));
        if let Some(previous) = previous {
            return previous;
        }
        if self.all.contains_key(&name) {
            return Subscribed::New;
        }
        let own = self
            .all
            .values()
            .filter(|subscription| subscription.account_id == name.0);
        if own.filter(|subscription| subscription.is_active()).count() >= most as usize {
            return Subscribed::LimitReached;
        }
        if let Some(request) = request {
            let row = (request.clone(), name.clone());
            self.requests.insert(request.fingerprint.clone(), row);
        }
        self.all.insert(name, subscription.clone());
        Subscribed::New
    }

    /// The outcome recorded under the idempotency key, unless this same call, whose response was lost, recorded it.
    fn previous(
        &self,
        request: &SubscriptionRequest,
        name: &Name,
        now: Timestamp,
    ) -> Option<Subscribed> {
        let (recorded, first) = self.requests.get(&request.fingerprint)?;
        if recorded.expires_at <= now || first == name {
            return None;
        }
        if recorded.body_hash != request.body_hash {
            return Some(Subscribed::KeyReused);
        }
        let replayed = self.all.get(first).cloned().map(Box::new);
        Some(Subscribed::Replayed(replayed))
    }
}
