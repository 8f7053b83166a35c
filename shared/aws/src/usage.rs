//! Usage counters of accounts: one item per month with one attribute per day; and rate-limit counters of anonymous requests.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use domain::id::AccountId;
use domain::plan::PlanLimits;
use domain::ports::{PortError, Usage};
use domain::timestamp::{Period, Timestamp};
use domain::usage::Used;

use crate::error::{Failure, failed};
use crate::item::{self, EXPIRES, Item, SERVICE, number};
use crate::keys;
use crate::services::Services;
use crate::table::condition_met;
use crate::transaction::incomplete;

/// Seconds of a minute.
const MINUTE: i64 = 60;
/// TTL of a rate-limit counter in seconds; exceeds any clock skew.
const COUNTER_TTL: i64 = 600;
/// Attribute: usage of the month.
pub(crate) const MONTH: &str = "month";

#[async_trait]
impl Usage for Services {
    async fn used(&self, account: &AccountId, period: Period) -> Result<Used, PortError> {
        let key = keys::usage(account, period);
        let found = self.read(self.accounts_table()?, &key).await?;
        let counters = found.unwrap_or_default();
        Ok(Used {
            today: count(&counters, &day_attribute(period)),
            this_month: count(&counters, MONTH),
        })
    }

    async fn set_used(
        &self,
        id: &AccountId,
        period: Period,
        today: Option<u32>,
        this_month: Option<u32>,
    ) -> Result<(), PortError> {
        let mut update = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(keys::usage(id, period).attributes()))
            .expression_attribute_values(":version", number(item::RECORD_VERSION));
        let mut changes = vec!["recordVersion = :version".to_owned()];
        let day = day_attribute(period);
        for (name, value) in [(MONTH, this_month), (day.as_str(), today)] {
            if let Some(value) = value {
                changes.push(format!("#{name} = :{name}"));
                update = update
                    .expression_attribute_names(format!("#{name}"), name)
                    .expression_attribute_values(format!(":{name}"), number(value));
            }
        }
        update
            .update_expression(format!("SET {}", changes.join(", ")))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn count_anonymous(
        &self,
        name: &str,
        most: u32,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        let minute = now.seconds().div_euclid(MINUTE);
        let response = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(keys::public_counter(name, minute).attributes()))
            .update_expression(
                "SET #counted = if_not_exists(#counted, :none) + :one, #expires = :expires",
            )
            .condition_expression("attribute_not_exists(#counted) OR #counted < :most")
            .expression_attribute_names("#counted", "counted")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(most))
            .expression_attribute_values(":expires", number(now.seconds() + COUNTER_TTL))
            .send()
            .await;
        condition_met(response).map_err(Failure::into_error)
    }
}

/// Name of the attribute with the usage of a day: `d21`.
pub(crate) fn day_attribute(period: Period) -> String {
    let day = period.day();
    format!("d{}", day.rsplit('-').next().unwrap_or_default())
}

/// The update that adds a charge, on condition that it stays within `limits`.
pub(crate) fn charge(
    table: &str,
    account: &AccountId,
    period: Period,
    units: u32,
    limits: &PlanLimits,
) -> Result<Update, PortError> {
    let month = ("#month", ":month", limits.per_month);
    let day = ("#day", ":day", limits.per_day);
    let mut update = add(table, account, period, i64::from(units));
    let mut conditions = Vec::new();
    for (name, value, limit) in [month, day] {
        let Some(limit) = limit else { continue };
        let room = i64::from(limit) - i64::from(units);
        update = update.expression_attribute_values(value, number(room));
        // If the charge alone exceeds the limit, a missing counter fails too.
        conditions.push(if room < 0 {
            format!("{name} <= {value}")
        } else {
            format!("(attribute_not_exists({name}) OR {name} <= {value})")
        });
    }
    update
        .condition_expression(conditions.join(" AND "))
        .build()
        .map_err(|error| incomplete(&error))
}

/// Subtracts a charge from the period in which it was counted.
pub(crate) fn subtract_charge(
    table: &str,
    account: &AccountId,
    period: Period,
    units: u32,
) -> Result<Update, PortError> {
    add(table, account, period, -i64::from(units))
        .build()
        .map_err(|error| incomplete(&error))
}

fn add(table: &str, account: &AccountId, period: Period, units: i64) -> UpdateBuilder {
    Update::builder()
        .table_name(table)
        .set_key(Some(keys::usage(account, period).attributes()))
        .update_expression("SET recordVersion = :version ADD #month :units, #day :units")
        .expression_attribute_names("#month", MONTH)
        .expression_attribute_names("#day", day_attribute(period))
        .expression_attribute_values(":units", number(units))
        .expression_attribute_values(":version", number(item::RECORD_VERSION))
}

/// Reads a counter as at least 0: refunds after a change by the operator may have made it negative.
fn count(counters: &Item, name: &str) -> u32 {
    let value = item::read_number(counters, name).unwrap_or(0);
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::plan::Plan;
    use domain::timestamp::Timestamp;

    const NOW: Timestamp = Timestamp(1_795_250_000_000);

    #[test]
    fn a_charge_is_limited_by_every_quota_of_the_plan() {
        let account = AccountId::mint(NOW, 1);
        let condition = |plan: Plan, units| {
            let update = charge("t", &account, NOW.period(), units, plan.limits()).unwrap();
            update.condition_expression().unwrap().to_owned()
        };
        assert_eq!(
            condition(Plan::Free, 1),
            "(attribute_not_exists(#month) OR #month <= :month) AND (attribute_not_exists(#day) OR #day <= :day)"
        );
        assert_eq!(
            condition(Plan::Starter, 2),
            "(attribute_not_exists(#month) OR #month <= :month)"
        );
        assert_eq!(condition(Plan::Starter, 2_001), "#month <= :month");
    }

    #[test]
    fn a_day_is_an_attribute() {
        assert_eq!(day_attribute(NOW.period()), "d21");
    }
}
