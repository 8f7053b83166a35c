//! The burst counters on the item of a credential: one attribute a second.

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use domain::burst::Burst;
use domain::ports::PortError;
use domain::timestamp::Timestamp;

use crate::error::{failed, judge};
use crate::item::{self, Item, Key, SERVICE, number};
use crate::services::Services;
use crate::table::KNOWN;

/// Counters of seconds just past that each admission removes.
const SECONDS_REMOVED: i64 = 9;
/// How many counters may be left over before they are removed.
const LEFT_OVER: usize = 64;
/// The condition that a credential is known and has room in this second.
pub(super) const KNOWN_WITH_ROOM: &str =
    "attribute_exists(pk) AND (attribute_not_exists(#now) OR #now < burstLimit)";

/// What became of counting a request.
pub(super) enum Counted {
    /// It fits: the credential's item, with the request counted.
    Yes(Item),
    /// It does not: the item as it is, or none.
    No(Option<Item>),
}

impl Services {
    /// Counts a request on the item of a credential that is known and has room in this second.
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
            .condition_expression(KNOWN_WITH_ROOM)
            .expression_attribute_names("#now", counter(now.seconds()))
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld))
    }

    /// Sends such an update.
    pub(super) async fn counted(
        &self,
        credential: &Key,
        update: UpdateItemFluentBuilder,
        now: Timestamp,
    ) -> Result<Counted, PortError> {
        match update.send().await {
            Ok(answer) => {
                let stored = answer.attributes.unwrap_or_default();
                self.remove_left_over(credential, &stored, now).await;
                Ok(Counted::Yes(stored))
            }
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(found)) => {
                    Ok(Counted::No(found.item().cloned()))
                }
                // One that is being revoked or throttled at this moment may be tried again soon.
                _ => Err(judge(SERVICE, &error).into_error()),
            },
        }
    }

    /// A request that nothing follows within [`SECONDS_REMOVED`] leaves its counter behind. They are removed when there
    /// are [`LEFT_OVER`] of them: at most one request in as many makes a second update, and the item stays below 1 KB
    /// more than it needs. A failure is left to the next request.
    async fn remove_left_over(&self, credential: &Key, stored: &Item, now: Timestamp) {
        let present = counter(now.seconds());
        let past: Vec<&str> = stored
            .keys()
            .filter(|name| is_counter(name) && **name < present)
            .map(String::as_str)
            .take(2 * LEFT_OVER)
            .collect();
        let (true, Ok(table)) = (past.len() >= LEFT_OVER, self.accounts_table()) else {
            return;
        };
        let removed = self
            .tables()
            .update_item()
            .table_name(table)
            .set_key(Some(credential.attributes()))
            .update_expression(format!("REMOVE {}", past.join(", ")))
            .condition_expression(KNOWN)
            .send()
            .await;
        if let Err(error) = removed {
            tracing::warn!(error = %failed(SERVICE, &error), "burst counters left over");
        }
    }
}

/// The attribute that counts the requests of a second.
fn counter(second: i64) -> String {
    format!("b{second}")
}

fn is_counter(name: &str) -> bool {
    name.strip_prefix('b')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What is left of this second on the item of a credential.
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
    fn counters_are_told_from_other_attributes() {
        assert!(is_counter(&counter(1_795_250_000)));
        for name in ["b", "burstLimit", "b1x", "1795250000"] {
            assert!(!is_counter(name), "{name}");
        }
    }
}
