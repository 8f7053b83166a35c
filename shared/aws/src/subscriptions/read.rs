//! Reads pages of subscriptions.

use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use domain::ports::{PortError, SubscriptionPage};
use domain::subscription::SubscriptionId;

use crate::error::classify;
use crate::item::{self, Item, SERVICE, SORT, key_of};
use crate::retry::RetryBudget;
use crate::table::wait_if_busy;

/// Executes a query, retrying while the table throttles: a fan-out reads all subscriptions of an account in a burst. These
/// retries start after those of the SDK.
pub(super) async fn query_with_retries(
    query: QueryFluentBuilder,
) -> Result<QueryOutput, PortError> {
    let mut retries = None;
    loop {
        let error = match query.clone().send().await {
            Ok(response) => return Ok(response),
            Err(error) => classify(SERVICE, &error),
        };
        wait_if_busy(error, retries.get_or_insert_with(RetryBudget::new)).await?;
    }
}

/// Parses the rows. The next page starts after the last row, readable or not.
pub(super) fn page(
    mut rows: Vec<Item>,
    more: bool,
    limit: usize,
) -> Result<SubscriptionPage, PortError> {
    let more = more || rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| more);
    let mut page = SubscriptionPage {
        next: last.map(position).transpose()?,
        ..SubscriptionPage::default()
    };
    for row in rows {
        let key = key_of(&row);
        match item::read(row) {
            Ok(subscription) => page.subscriptions.push(subscription),
            Err(_) => page.unreadable.extend(key.map(|key| key.name())),
        }
    }
    Ok(page)
}

/// The subscription identifier in a row's key.
fn position(row: &Item) -> Result<SubscriptionId, PortError> {
    let key = key_of(row);
    let sort = item::read_text(row, SORT);
    let id = sort
        .and_then(|sort| sort.split_once('#'))
        .map(|(_, id)| id.to_owned());
    let id = id.and_then(|id| SubscriptionId::try_from(id).ok());
    id.ok_or_else(|| item::unreadable(key.as_ref()))
}
