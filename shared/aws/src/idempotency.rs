//! Records of idempotency keys.

use aws_sdk_dynamodb::types::{AttributeValue, Delete, Put};
use domain::id::{DocumentId, JobId, SourceKey};
use domain::ports::PortError;
use domain::timestamp::Timestamp;

use crate::item::{self, EXPIRES, Item, number, text};
use crate::keys;
use crate::services::Services;
use crate::transaction::incomplete;

const BODY: &str = "bodyHash";
const JOB: &str = "jobId";
const SOURCE: &str = "sourceKey";
const DOCUMENT: &str = "documentId";
/// Expiry of the record in milliseconds. Compared by our conditions, because DynamoDB's TTL deletes late.
const EXPIRES_AT: &str = "expiresAt";
/// Condition: the key is unused or its record has expired.
pub(crate) const FREE: &str = "attribute_not_exists(pk) OR expiresAt <= :now";

/// The resource that a request with the key created.
pub(crate) enum Subject {
    Job(JobId),
    Source(SourceKey),
    Document(DocumentId),
}

impl Subject {
    /// Name and value of the attribute that identifies the resource.
    pub(crate) fn attribute(&self) -> (&'static str, &str) {
        match self {
            Self::Job(job) => (JOB, job.as_str()),
            Self::Source(source) => (SOURCE, source.as_str()),
            Self::Document(document) => (DOCUMENT, document.as_str()),
        }
    }
}

/// The record of a key's use.
pub(crate) struct Record {
    pub(crate) body_hash: String,
    pub(crate) subject: Subject,
    expires_at: Timestamp,
}

impl Record {
    pub(crate) fn new(body_hash: &str, subject: Subject, expires_at: Timestamp) -> Self {
        Self {
            body_hash: body_hash.to_owned(),
            subject,
            expires_at,
        }
    }

    /// The record's item.
    pub(crate) fn item(&self, fingerprint: &str) -> Item {
        let (name, value) = self.subject.attribute();
        item::new(
            &keys::idempotency(fingerprint),
            [
                (BODY, text(&self.body_hash)),
                (name, text(value)),
                (EXPIRES_AT, number(self.expires_at.milliseconds())),
                (EXPIRES, number(self.expires_at.seconds())),
            ],
        )
    }

    /// Parses a record.
    pub(crate) fn read(item: &Item) -> Result<Self, PortError> {
        let read = || {
            let job = item::read_text(item, JOB).and_then(|id| id.parse().ok());
            let source = item::read_text(item, SOURCE).and_then(|key| key.parse().ok());
            let document = item::read_text(item, DOCUMENT).and_then(|id| id.parse().ok());
            let subject = job
                .map(Subject::Job)
                .or(source.map(Subject::Source))
                .or(document.map(Subject::Document));
            Some(Self {
                body_hash: item::read_text(item, BODY)?.to_owned(),
                subject: subject?,
                expires_at: Timestamp(item::read_number(item, EXPIRES_AT)?),
            })
        };
        read().ok_or_else(|| item::unreadable(item::key_of(item).as_ref()))
    }
}

/// The conditional put of a record: succeeds if its key is free at `now`.
pub(crate) fn take(
    table: &str,
    fingerprint: &str,
    record: &Record,
    now: Timestamp,
) -> Result<Put, PortError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(record.item(fingerprint)))
        .condition_expression(FREE)
        .expression_attribute_values(":now", at(now))
        .build()
        .map_err(|error| incomplete(&error))
}

/// The conditional delete of the record that refers to `document`; any other record is kept.
pub(crate) fn release(
    table: &str,
    fingerprint: &str,
    document: &DocumentId,
) -> Result<Delete, PortError> {
    Delete::builder()
        .table_name(table)
        .set_key(Some(keys::idempotency(fingerprint).attributes()))
        .condition_expression("attribute_not_exists(pk) OR documentId = :document")
        .expression_attribute_values(":document", text(document.as_str()))
        .build()
        .map_err(|error| incomplete(&error))
}

/// A timestamp as an attribute value of the conditions.
pub(crate) fn at(now: Timestamp) -> AttributeValue {
    number(now.milliseconds())
}

impl Services {
    /// The record of a key, read consistently, unless it has expired at `now`.
    pub(crate) async fn recorded(
        &self,
        fingerprint: &str,
        now: Timestamp,
    ) -> Result<Option<Record>, PortError> {
        let key = keys::idempotency(fingerprint);
        let found = self.read(self.jobs_table()?, &key).await?;
        let record = found.as_ref().map(Record::read).transpose()?;
        Ok(record.filter(|record| record.expires_at > now))
    }
}
