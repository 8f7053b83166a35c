//! Reading subscriptions.

use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use domain::ports::{PortError, SubscriptionPage};
use domain::subscription::SubscriptionId;

use crate::error::judge;
use crate::item::{self, Item, SERVICE, SORT, key_of};
use crate::retry::Patience;
use crate::table::wait_if_busy;

/// Asks until the table is not busy: an event that fans out to all of an account's subscriptions reads them at once. The SDK
/// has tried several times before patience begins.
pub(super) async fn patiently(query: QueryFluentBuilder) -> Result<QueryOutput, PortError> {
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

/// The subscription that a row is of, by its key.
fn position(row: &Item) -> Result<SubscriptionId, PortError> {
    let key = key_of(row);
    let sort = item::read_text(row, SORT);
    let id = sort
        .and_then(|sort| sort.split_once('#'))
        .map(|(_, id)| id.to_owned());
    let id = id.and_then(|id| SubscriptionId::try_from(id).ok());
    id.ok_or_else(|| item::unreadable(key.as_ref()))
}
