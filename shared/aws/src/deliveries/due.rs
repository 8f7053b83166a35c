//! The deliveries whose tickets went astray or had no queue to wait in.

use async_trait::async_trait;
use domain::ports::subscriptions::{DueDelivery, DueDeliveryPage, FindDueDeliveries};
use domain::ports::{DuePosition, PortError};
use domain::subscription::{Delivery, DeliveryTicket};
use domain::timestamp::Timestamp;

use crate::error::Failure;
use crate::item::{self, Item, number};
use crate::job_item::{DUE_AT, SENT};
use crate::keys::{self, subscriptions as own};
use crate::services::Services;
use crate::table::held;

#[async_trait]
impl FindDueDeliveries for Services {
    async fn due_deliveries(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DueDeliveryPage, PortError> {
        let table = self.subscriptions_table()?;
        let (wanted, next) = self.due_keys_of(table, shard, now, after, limit).await?;
        let rows = self.read_all(table, &wanted).await?;
        let mut page = DueDeliveryPage {
            next,
            ..DueDeliveryPage::default()
        };
        for row in rows.into_iter().filter(|row| is_still_due(row, now)) {
            let name = keys::of(&row).map(|key| key.name());
            match read_due(row) {
                Some(due) => page.deliveries.push(due),
                None => page.unreadable.extend(name),
            }
        }
        Ok(page)
    }

    async fn postpone_delivery(
        &self,
        ticket: &DeliveryTicket,
        sent: u32,
        due: Timestamp,
    ) -> Result<(), PortError> {
        let key = own::delivery(&ticket.subscription_id, &ticket.delivery_id);
        let update = self
            .tables()
            .update_item()
            .table_name(self.subscriptions_table()?)
            .set_key(Some(key.attributes()))
            .update_expression("SET #due = :due, #sent = :sent")
            // One that has ended is due at no time.
            .condition_expression("attribute_exists(#due)")
            .expression_attribute_names("#due", DUE_AT)
            .expression_attribute_names("#sent", SENT)
            .expression_attribute_values(":due", number(due.milliseconds()))
            .expression_attribute_values(":sent", number(sent));
        held(update.send().await)
            .map(|_| ())
            .map_err(Failure::into_error)
    }
}

/// The index lags behind: what was put off since is not due any more.
fn is_still_due(row: &Item, now: Timestamp) -> bool {
    item::read_number(row, DUE_AT).is_some_and(|due| due <= now.milliseconds())
}

/// What a row holds; `None` for one that this release cannot read.
fn read_due(row: Item) -> Option<DueDelivery> {
    let sent = item::read_number(&row, SENT).unwrap_or(0);
    let readable = (!item::is_newer(&row)).then_some(row)?;
    let delivery: Delivery = item::read(readable).ok()?;
    Some(DueDelivery {
        ticket: delivery.ticket(),
        sent: u32::try_from(sent).unwrap_or(u32::MAX),
    })
}
