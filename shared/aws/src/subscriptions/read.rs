//! Reading subscriptions.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use domain::id::AccountId;
use domain::ports::PortError;
use domain::ports::subscriptions::{ReadSubscriptions, SubscriptionPage};
use domain::subscription::{Subscription, SubscriptionId, SubscriptionKind};

use crate::error::judge;
use crate::item::{self, Item, SERVICE, text};
use crate::keys::{SORT, of, subscriptions as keys};
use crate::retry::Patience;
use crate::services::Services;
use crate::table::wait_if_busy;

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
        let query = self
            .tables()
            .query()
            .table_name(self.subscriptions_table()?)
            .consistent_read(true)
            .key_condition_expression("pk = :account AND begins_with(sk, :kind)")
            .expression_attribute_values(":account", text(keys::account(account)))
            .expression_attribute_values(":kind", text(keys::of_kind(kind)))
            .set_exclusive_start_key(start)
            // One more tells whether there are others behind them.
            .limit(i32::try_from(limit).unwrap_or(i32::MAX).saturating_add(1));
        let answer = patiently(query).await?;
        let more = answer.last_evaluated_key.is_some();
        page(answer.items.unwrap_or_default(), more, limit as usize)
    }
}

/// Asks until the table is not busy: an event that fans out to all of an account's subscriptions reads them at once. The SDK
/// has tried several times before patience begins.
async fn patiently(query: QueryFluentBuilder) -> Result<QueryOutput, PortError> {
    let mut patience = None;
    loop {
        let error = match query.clone().send().await {
            Ok(answer) => return Ok(answer),
            Err(error) => judge(SERVICE, &error),
        };
        wait_if_busy(error, patience.get_or_insert_with(Patience::new)).await?;
    }
}

/// What the rows hold. The next page begins behind the last of them, whether or not that can be read.
fn page(mut rows: Vec<Item>, more: bool, limit: usize) -> Result<SubscriptionPage, PortError> {
    let more = more || rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| more);
    let mut page = SubscriptionPage {
        next: last.map(position).transpose()?,
        ..SubscriptionPage::default()
    };
    for row in rows {
        let key = of(&row);
        match item::read(row) {
            Ok(subscription) => page.subscriptions.push(subscription),
            Err(_) => page.unreadable.extend(key.map(|key| key.name())),
        }
    }
    Ok(page)
}

/// The subscription that a row is of, by its key.
fn position(row: &Item) -> Result<SubscriptionId, PortError> {
    let key = of(row);
    let sort = item::read_text(row, SORT);
    let id = sort
        .and_then(|sort| sort.split_once('#'))
        .map(|(_, id)| id.to_owned());
    let id = id.and_then(|id| SubscriptionId::try_from(id).ok());
    id.ok_or_else(|| item::unreadable(key.as_ref()))
}
