//! The deliveries whose tickets went astray or had no queue to wait in.

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use domain::ports::{DueDelivery, DueDeliveryPage, DuePosition, PortError};
use domain::subscription::{Delivery, DeliveryTicket};
use domain::timestamp::Timestamp;

use crate::item::{self, Item, number};
use crate::job_item::{DUE_AT, SENT};
use crate::keys::subscriptions as own;
use crate::services::Services;

impl Services {
    /// A change of a delivery's row, which has to say on what condition.
    pub(super) fn delivery_row(
        &self,
        ticket: &DeliveryTicket,
    ) -> Result<UpdateItemFluentBuilder, PortError> {
        let key = own::delivery(&ticket.subscription_id, &ticket.delivery_id);
        Ok(self
            .tables()
            .update_item()
            .table_name(self.subscriptions_table()?)
            .set_key(Some(key.attributes())))
    }
}

/// Every move writes both anew, and one that has ended is due at no time.
pub(super) fn postponement(
    row: UpdateItemFluentBuilder,
    seen: &DueDelivery,
    until: Timestamp,
) -> UpdateItemFluentBuilder {
    row.update_expression("SET #due = :until, #sent = :sent")
        .condition_expression("#due = :seenDue AND #sent = :seenSent")
        .expression_attribute_names("#due", DUE_AT)
        .expression_attribute_names("#sent", SENT)
        .expression_attribute_values(":until", number(until.milliseconds()))
        .expression_attribute_values(":sent", number(seen.sent.saturating_add(1)))
        .expression_attribute_values(":seenDue", number(seen.due.milliseconds()))
        .expression_attribute_values(":seenSent", number(seen.sent))
}

/// Sorts the rows that are due still: the index lags behind.
pub(super) fn due_page(
    rows: Vec<Item>,
    now: Timestamp,
    next: Option<DuePosition>,
) -> DueDeliveryPage {
    let mut page = DueDeliveryPage {
        next,
        ..DueDeliveryPage::default()
    };
    for row in rows {
        let Some(due) = read_due_at(&row).filter(|due| *due <= now) else {
            continue;
        };
        let name = item::key_of(&row).map(|key| key.name());
        match read_due(row, due) {
            Some(due) => page.deliveries.push(due),
            None => page.unreadable.extend(name),
        }
    }
    page
}

/// When the row is due; `None` for one that has ended.
fn read_due_at(row: &Item) -> Option<Timestamp> {
    item::read_number(row, DUE_AT).map(Timestamp)
}

/// What a row holds that is due since `due`; `None` for one that this release cannot read.
fn read_due(row: Item, due: Timestamp) -> Option<DueDelivery> {
    let sent = item::read_number(&row, SENT).unwrap_or(0);
    let readable = (!item::is_newer(&row)).then_some(row)?;
    let delivery: Delivery = item::read(readable).ok()?;
    Some(DueDelivery {
        ticket: delivery.ticket(),
        sent: u32::try_from(sent).unwrap_or(u32::MAX),
        due,
    })
}
