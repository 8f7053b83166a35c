//! Rate limit: counters on the item of a credential, one attribute per second.

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use domain::burst::Burst;
use domain::ports::PortError;
use domain::timestamp::Timestamp;

use crate::error::{classify, failed};
use crate::item::{self, Item, Key, SERVICE, number};
use crate::services::Services;
use crate::table::EXISTS;

/// Number of preceding seconds whose counters each request removes.
const SECONDS_REMOVED: i64 = 9;
/// Number of stale counters at which they are removed.
const MAX_STALE_COUNTERS: usize = 64;
/// Condition: the credential exists and its limit for the current second is not reached.
pub(super) const WITHIN_BURST_LIMIT: &str =
    "attribute_exists(pk) AND (attribute_not_exists(#now) OR #now < burstLimit)";

/// Result of counting a request.
pub(super) enum Counted {
    /// Counted: the credential's updated item.
    Yes(Item),
    /// Not counted, because the condition failed: the stored item, if any.
    No(Option<Item>),
}

impl Services {
    /// Builds the update that counts a request if [`WITHIN_BURST_LIMIT`] holds.
    pub(super) fn count_request(
        &self,
        credential: &Key,
        now: Timestamp,
    ) -> Result<UpdateItemFluentBuilder, PortError> {
        let past: Vec<String> = (1..=SECONDS_REMOVED)
            .map(|ago| counter(now.seconds() - ago))
            .collect();
        let update = format!(
            "SET #now = if_not_exists(#now, :none) + :one REMOVE {}",
            past.join(", ")
        );
        Ok(self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(credential.attributes()))
            .update_expression(update)
            .condition_expression(WITHIN_BURST_LIMIT)
            .expression_attribute_names("#now", counter(now.seconds()))
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld))
    }

    /// Executes such an update.
    pub(super) async fn counted(
        &self,
        credential: &Key,
        update: UpdateItemFluentBuilder,
        now: Timestamp,
    ) -> Result<Counted, PortError> {
        match update.send().await {
            Ok(response) => {
                let stored = response.attributes.unwrap_or_default();
                self.remove_stale_counters(credential, &stored, now).await;
                Ok(Counted::Yes(stored))
            }
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(found)) => {
                    Ok(Counted::No(found.item().cloned()))
                }
                // A conflict with a revocation or throttling is transient.
                _ => Err(classify(SERVICE, &error).into_error()),
            },
        }
    }

    /// Removes stale counters once there are [`MAX_STALE_COUNTERS`]. A counter becomes stale if no request follows within
    /// [`SECONDS_REMOVED`] seconds. At most one request in [`MAX_STALE_COUNTERS`] makes this second update, and stale counters
    /// take less than 1 KB. After a failure, the next request tries again.
    async fn remove_stale_counters(&self, credential: &Key, stored: &Item, now: Timestamp) {
        let present = counter(now.seconds());
        let past: Vec<&str> = stored
            .keys()
            .filter(|name| is_counter(name) && **name < present)
            .map(String::as_str)
            .take(2 * MAX_STALE_COUNTERS)
            .collect();
        let (true, Ok(table)) = (past.len() >= MAX_STALE_COUNTERS, self.accounts_table()) else {
            return;
        };
        let removed = self
            .tables()
            .update_item()
            .table_name(table)
            .set_key(Some(credential.attributes()))
            .update_expression(format!("REMOVE {}", past.join(", ")))
            .condition_expression(EXISTS)
            .send()
            .await;
        if let Err(error) = removed {
            tracing::warn!(error = %failed(SERVICE, &error), "cannot remove stale burst counters");
        }
    }
}

/// Name of the attribute that counts the requests of a second.
fn counter(second: i64) -> String {
    format!("b{second}")
}

fn is_counter(name: &str) -> bool {
    name.strip_prefix('b')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The remaining rate limit of the current second.
pub(super) fn burst(stored: &Item, now: Timestamp) -> Burst {
    let used = item::read_number(stored, &counter(now.seconds())).unwrap_or(0);
    Burst::after(burst_limit(stored), u32::try_from(used).unwrap_or(u32::MAX))
}

pub(super) fn burst_limit(stored: &Item) -> u32 {
    let limit = item::read_number(stored, "burstLimit").unwrap_or(0);
    u32::try_from(limit).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_distinguished_from_other_attributes() {
        assert!(is_counter(&counter(1_795_250_000)));
        for name in ["b", "burstLimit", "b1x", "1795250000"] {
            assert!(!is_counter(name), "{name}");
        }
    }
}
