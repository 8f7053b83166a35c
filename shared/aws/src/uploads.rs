//! Uploads: presigned PUT URLs, one per idempotency key, and inspection of uploaded objects by HEAD.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use domain::id::{AccountId, SourceKey};
use domain::ports::{ObjectMetadata, PortError, RecordedUpload, UploadGrant, Uploads};
use domain::source::upload_object;
use domain::timestamp::Timestamp;

use crate::error::{failed, unavailable};
use crate::idempotency::{FREE, Record, Subject, at};
use crate::item::{SERVICE as TABLES, text};
use crate::keys;
use crate::objects::SERVICE as STORE;
use crate::presigned::VALIDITY;
use crate::services::Services;

#[async_trait]
impl Uploads for Services {
    async fn inspect(
        &self,
        account: &AccountId,
        source: &SourceKey,
    ) -> Result<Option<ObjectMetadata>, PortError> {
        self.head(&upload_object(account, source)).await
    }

    async fn upload_url(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        size_bytes: u64,
        now: Timestamp,
    ) -> Result<UploadGrant, PortError> {
        let length = i64::try_from(size_bytes).map_err(|_| {
            unavailable(STORE, "the upload exceeds the maximum size of an S3 object")
        })?;
        let signed = self
            .objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(upload_object(account, source))
            .content_type(content_type)
            .content_length(length)
            // The URL creates an object and never overwrites one.
            .if_none_match("*")
            .presigned(valid_from(now)?)
            .await
            .map_err(|error| failed(STORE, &error))?;
        Ok(UploadGrant {
            url: signed.uri().to_owned(),
            headers: vec![
                ("Content-Type".to_owned(), content_type.to_owned()),
                ("Content-Length".to_owned(), size_bytes.to_string()),
                ("If-None-Match".to_owned(), "*".to_owned()),
            ],
            expires_at: now.plus(VALIDITY),
        })
    }

    async fn record_upload(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        source: &SourceKey,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<RecordedUpload, PortError> {
        let record = Record::new(body_hash, Subject::Source(source.clone()), expires_at);
        let mut item = record.item(fingerprint);
        // Erasure of the account finds the record by this attribute.
        item.insert(keys::ACCOUNT_ID.to_owned(), text(account.as_str()));
        let listed_as = keys::unlisted_sort_key(source.as_str());
        item.insert(keys::LISTED_AS.to_owned(), text(listed_as));
        let response = self
            .tables()
            .put_item()
            .table_name(self.jobs_table()?)
            .set_item(Some(item))
            .condition_expression(FREE)
            .expression_attribute_values(":now", at(now))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match response {
            Ok(_) => Ok(RecordedUpload::New),
            Err(error) => match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(rejected)) => {
                    let missing = || unavailable(TABLES, "the response has no idempotency record");
                    let previous = rejected.item().ok_or_else(missing)?;
                    Ok(check_record(Record::read(previous)?, body_hash, source))
                }
                _ => Err(failed(TABLES, &error)),
            },
        }
    }

    async fn put_source(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        bytes: &[u8],
    ) -> Result<(), PortError> {
        let put = self
            .objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(upload_object(account, source))
            .content_type(content_type)
            .body(ByteStream::from(bytes.to_vec()))
            .send()
            .await;
        put.map(drop).map_err(|error| failed(STORE, &error))
    }
}

fn check_record(previous: Record, body_hash: &str, source: &SourceKey) -> RecordedUpload {
    match previous.subject {
        // Our own write, which the SDK repeated after losing the response.
        Subject::Source(ours) if ours == *source => RecordedUpload::New,
        Subject::Source(theirs) if previous.body_hash == body_hash => {
            RecordedUpload::Replayed(theirs)
        }
        _ => RecordedUpload::KeyReused,
    }
}

fn valid_from(now: Timestamp) -> Result<PresigningConfig, PortError> {
    let since_epoch = Duration::from_millis(u64::try_from(now.milliseconds()).unwrap_or(0));
    PresigningConfig::builder()
        .start_time(SystemTime::UNIX_EPOCH + since_epoch)
        .expires_in(VALIDITY)
        .build()
        .map_err(|error| unavailable(STORE, error.to_string()))
}
