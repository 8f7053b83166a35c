//! Due deliveries: those whose ticket was lost, and those whose retry delay exceeds the limit of SQS.

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use domain::ports::{DueDelivery, DueDeliveryPage, DuePosition, PortError};
use domain::subscription::{Delivery, DeliveryTicket};
use domain::timestamp::Timestamp;

use crate::item::{self, Item, number};
use crate::job_item::{DUE_AT, SENT};
use crate::keys::subscriptions as own;
use crate::services::Services;

impl Services {
    /// The update of a delivery's row; the caller adds the condition.
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

/// Postpones a delivery that is unchanged: every change rewrites `dueAt` and `sent`, and a finished delivery has no `dueAt`.
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

/// Parses the rows that are still due: the index is eventually consistent.
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

/// When the row is due; `None` for a finished delivery.
fn read_due_at(row: &Item) -> Option<Timestamp> {
    item::read_number(row, DUE_AT).map(Timestamp)
}

/// Parses a row that is due since `due`; `None` if this release cannot read it.
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
