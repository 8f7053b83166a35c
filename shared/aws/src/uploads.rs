//! Remembering which upload an idempotency key was given.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use domain::id::{AccountId, SourceKey};
use domain::ports::{PortError, RememberUploads, Remembered};
use domain::timestamp::Timestamp;

use crate::error::{failed, unavailable};
use crate::idempotency::{FREE, Record, Subject, at};
use crate::item::{SERVICE, text};
use crate::keys;
use crate::services::Services;

#[async_trait]
impl RememberUploads for Services {
    async fn remember(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        source: &SourceKey,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<Remembered, PortError> {
        let record = Record::new(body_hash, Subject::Source(source.clone()), expires_at);
        let mut item = record.item(fingerprint);
        // Whoever erases the account finds it by this.
        item.insert(keys::ACCOUNT_ID.to_owned(), text(account.as_str()));
        let listed_as = keys::unlisted(source.as_str());
        item.insert(keys::LISTED_AS.to_owned(), text(listed_as));
        let answer = self
            .tables()
            .put_item()
            .table_name(self.jobs_table()?)
            .set_item(Some(item))
            .condition_expression(FREE)
            .expression_attribute_values(":now", at(now))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match answer {
            Ok(_) => Ok(Remembered::New),
            Err(error) => match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(refused)) => {
                    let untold = || unavailable(SERVICE, "an idempotency record is not told");
                    let earlier = refused.item().ok_or_else(untold)?;
                    Ok(judge(Record::read(earlier)?, body_hash, source))
                }
                _ => Err(failed(SERVICE, &error)),
            },
        }
    }
}

fn judge(earlier: Record, body_hash: &str, source: &SourceKey) -> Remembered {
    match earlier.subject {
        // Our own write, of which the SDK did not hear and which it repeated.
        Subject::Source(ours) if ours == *source => Remembered::New,
        Subject::Source(theirs) if earlier.body_hash == body_hash => Remembered::Replayed(theirs),
        _ => Remembered::KeyReused,
    }
}
