//! Reading subscriptions.

use async_trait::async_trait;
use domain::id::AccountId;
use domain::ports::PortError;
use domain::ports::subscriptions::{ReadSubscriptions, SubscriptionPage};
use domain::subscription::{Subscription, SubscriptionId, SubscriptionKind};

use crate::error::failed;
use crate::item::{self, SERVICE, text};
use crate::keys::subscriptions as keys;
use crate::services::Services;

#[async_trait]
impl ReadSubscriptions for Services {
    async fn subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
    ) -> Result<Option<Subscription>, PortError> {
        let key = keys::subscription(account, id);
        let found = self.read(self.subscriptions_table()?, &key).await?;
        found.map(item::read).transpose()
    }

    async fn subscriptions(
        &self,
        account: &AccountId,
        kind: SubscriptionKind,
        after: Option<&SubscriptionId>,
        limit: u32,
    ) -> Result<SubscriptionPage, PortError> {
        let start = after.map(|after| keys::subscription(account, after).attributes());
        let answer = self
            .tables()
            .query()
            .table_name(self.subscriptions_table()?)
            .consistent_read(true)
            .key_condition_expression("pk = :account AND begins_with(sk, :kind)")
            .expression_attribute_values(":account", text(keys::account(account)))
            .expression_attribute_values(":kind", text(keys::of_kind(kind)))
            .set_exclusive_start_key(start)
            // One more tells whether there are others behind them.
            .limit(i32::try_from(limit).unwrap_or(i32::MAX).saturating_add(1))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let more = answer.last_evaluated_key.is_some();
        let found = answer.items.into_iter().flatten().map(item::read);
        let found: Vec<Subscription> = found.collect::<Result<_, _>>()?;
        Ok(page(found, more, limit as usize))
    }
}

fn page(mut subscriptions: Vec<Subscription>, more: bool, limit: usize) -> SubscriptionPage {
    let more = more || subscriptions.len() > limit;
    subscriptions.truncate(limit);
    let last = subscriptions.last().filter(|_| more);
    SubscriptionPage {
        next: last.map(|last| last.id.clone()),
        subscriptions,
    }
}
