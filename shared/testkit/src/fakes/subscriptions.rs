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
                .filter(|one| one.account_id == *account && one.id.kind() == kind)
                .filter(|one| after.is_none_or(|after| one.id > *after));
            let mut subscriptions: Vec<_> = behind.cloned().collect();
            let more = subscriptions.len() > limit as usize;
            subscriptions.truncate(limit as usize);
            let last = subscriptions.last().filter(|_| more);
            let next = last.map(|one| one.id.clone());
            let unreadable = &state.subscribers.unreadable;
            let (unreadable, subscriptions) =
                subscriptions.into_iter().partition::<Vec<_>, _>(|one| {
                    unreadable.contains(&(account.clone(), one.id.clone()))
                });
            Ok(SubscriptionPage {
                subscriptions,
                unreadable: unreadable.iter().map(|one| one.id.to_string()).collect(),
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

    async fn note_failing(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        failure: &FailedAttempt,
    ) -> Result<(), PortError> {
        self.note(account, id, |one| {
            let outweighed = has_worked_since(one, failure.outweighed_from());
            if !outweighed && one.failing_since == failure.seen_since {
                one.failing_since = Some(failure.since);
                one.failed_at = Some(failure.at);
            }
        })
        .await
    }

    async fn note_working(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        at: Timestamp,
    ) -> Result<(), PortError> {
        self.note(account, id, |one| {
            if !has_worked_since(one, at) {
                (one.failing_since, one.failed_at) = (None, None);
                one.worked_at = Some(at);
            }
        })
        .await
    }

    async fn note_slow(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        mark: &SlowMark,
    ) -> Result<(), PortError> {
        self.note(account, id, |one| {
            if one.slow_until.is_none_or(|until| until < mark.enough) {
                one.slow_until = Some(mark.until);
            }
        })
        .await
    }

    async fn note_last_delivery(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        last: &LastDelivery,
    ) -> Result<(), PortError> {
        self.note(account, id, |one| {
            if one.last_delivery.is_none_or(|noted| noted.at <= last.at) {
                one.last_delivery = Some(*last);
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
            let as_seen = |one: &&mut Subscription| {
                failing_since.is_none() || one.failing_since == failing_since
            };
            let Some(stored) = stored.filter(as_seen) else {
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

/// Who is told of events.
#[derive(Default)]
pub(super) struct Subscribers {
    all: BTreeMap<Name, Subscription>,
    /// Those whose rows cannot be read.
    unreadable: BTreeSet<Name>,
    /// Those that ended, whose deliveries may still be there.
    ended: BTreeSet<Name>,
    /// What each idempotency key stands for.
    requests: BTreeMap<String, (SubscriptionRequest, Name)>,
}

impl Fakes {
    /// Stores a subscription as it is, for tests that begin in the middle of its life.
    pub fn put_subscription(&self, subscription: Subscription) {
        let name = (subscription.account_id.clone(), subscription.id.clone());
        let mut state = super::lock(&self.state);
        state.subscribers.all.insert(name, subscription);
    }

    /// Makes the row of a subscription one that cannot be read.
    pub fn make_unreadable(&self, subscription: &Subscription) {
        let name = (subscription.account_id.clone(), subscription.id.clone());
        super::lock(&self.state).subscribers.unreadable.insert(name);
    }
}

impl Fakes {
    /// Changes a subscription that is there.
    async fn note(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        change: impl FnOnce(&mut Subscription),
    ) -> Result<(), PortError> {
        let name = (account.clone(), id.clone());
        self.call(Call::Note, |state| {
            state.subscribers.all.get_mut(&name).map(change);
            Ok(())
        })
        .await
    }
}

fn has_worked_since(one: &Subscription, moment: Timestamp) -> bool {
    one.worked_at.is_some_and(|worked| worked >= moment)
}

impl Subscribers {
    /// Forgets everything of an account and says how many subscriptions there were, ended ones too.
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
        let earlier = request.and_then(|request| self.earlier(request, &name, now));
        if let Some(earlier) = earlier {
            return earlier;
        }
        if self.all.contains_key(&name) {
            return Subscribed::New;
        }
        let own = self.all.values().filter(|one| one.account_id == name.0);
        if own.filter(|one| one.is_active()).count() >= most as usize {
            return Subscribed::LimitReached;
        }
        if let Some(request) = request {
            let row = (request.clone(), name.clone());
            self.requests.insert(request.fingerprint.clone(), row);
        }
        self.all.insert(name, subscription.clone());
        Subscribed::New
    }

    /// What the idempotency key stands for already, unless that is this very call, whose answer was lost.
    fn earlier(
        &self,
        request: &SubscriptionRequest,
        name: &Name,
        now: Timestamp,
    ) -> Option<Subscribed> {
        let (known, first) = self.requests.get(&request.fingerprint)?;
        if known.expires_at <= now || first == name {
            return None;
        }
        if known.body_hash != request.body_hash {
            return Some(Subscribed::KeyReused);
        }
        let replayed = self.all.get(first).cloned().map(Box::new);
        Some(Subscribed::Replayed(replayed))
    }
}
