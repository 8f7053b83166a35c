//! Rows of the documents table that are in the index `due`.

use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, DeleteRequest, WriteRequest,
};
use domain::id::DocumentId;
use domain::library::{Draft, Import, Removal, shard};
use domain::ports::PortError;
use domain::timestamp::Timestamp;

use crate::item::{self, EXPIRES, Item, Key, number, text};
use crate::job_item::{DUE_AT, DUE_SHARD, FINGERPRINT};
use crate::keys::{LISTED_AS, library as keys, unlisted_sort_key};
use crate::table::EXISTS;
use crate::transaction::incomplete;

/// The row of an import, due when its lease ends.
pub(super) fn import(import: &Import) -> Result<Item, PortError> {
    let mut row = item::write(&keys::import(&import.document_id), import)?;
    row.extend(due(&import.document_id, import.lease_until));
    Ok(row)
}

/// The row of a removal, due at `at`.
pub(super) fn removal(removal: &Removal, at: Timestamp) -> Result<Item, PortError> {
    let mut row = item::write(&keys::removal(&removal.document_id), removal)?;
    row.extend(due(&removal.document_id, at));
    Ok(row)
}

/// The row of a draft, due when no function can still use it.
pub(super) fn draft(draft: &Draft) -> Result<Item, PortError> {
    let key = keys::draft(&draft.document_id, &draft.version_id);
    let mut row = item::write(&key, draft)?;
    row.extend(due(&draft.document_id, draft.due()));
    Ok(row)
}

fn due(document: &DocumentId, at: Timestamp) -> [(String, AttributeValue); 2] {
    [
        (DUE_SHARD.to_owned(), number(shard(document))),
        (DUE_AT.to_owned(), number(at.milliseconds())),
    ]
}

/// The ledger row of an import's charge. It refers to the idempotency record and is indexed by account, so that erasure
/// finds both.
pub(super) fn charge(import: &Import) -> Item {
    let key = keys::import_charge(&import.document_id);
    let mut row = ledger(&key, import, import.created_at);
    let listed_as = unlisted_sort_key(import.document_id.as_str());
    row.insert(LISTED_AS.to_owned(), text(listed_as));
    if let Some(fingerprint) = &import.fingerprint {
        row.insert(FINGERPRINT.to_owned(), text(fingerprint));
    }
    row
}

/// The ledger row of an import's charge or refund.
pub(super) fn ledger(key: &Key, import: &Import, at: Timestamp) -> Item {
    item::new(
        key,
        [
            ("accountId", text(import.account_id.as_str())),
            ("credits", number(import.charge.credits)),
            ("units", number(import.charge.units)),
            ("day", text(&import.charge.day)),
            ("at", number(at.milliseconds())),
            (EXPIRES, number(import.expires_at.seconds())),
        ],
    )
}

/// The delete of an item, on condition that it exists.
pub(crate) fn delete_existing(table: &str, key: &Key) -> Result<Delete, PortError> {
    Delete::builder()
        .table_name(table)
        .set_key(Some(key.attributes()))
        .condition_expression(EXISTS)
        .build()
        .map_err(|error| incomplete(&error))
}

/// Checks that an item exists.
pub(super) fn check_exists(table: &str, key: &Key) -> Result<ConditionCheck, PortError> {
    ConditionCheck::builder()
        .table_name(table)
        .set_key(Some(key.attributes()))
        .condition_expression(EXISTS)
        .build()
        .map_err(|error| incomplete(&error))
}

/// The delete of an item in a batch.
pub(crate) fn delete(key: &Key) -> Result<WriteRequest, PortError> {
    let delete = DeleteRequest::builder()
        .set_key(Some(key.attributes()))
        .build()
        .map_err(|error| incomplete(&error))?;
    Ok(WriteRequest::builder().delete_request(delete).build())
}
