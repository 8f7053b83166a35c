//! Writes rows to the running stack's tables that this release would not write.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    AttributeValue, DeleteRequest, PutRequest, ReturnValue, WriteRequest,
};
use domain::id::JobId;
use domain::outbox::shard;
use domain::timestamp::Timestamp;
use tests::stack::stack;

use crate::aws;

/// Maximum writes of a `BatchWriteItem` request.
const BATCH_SIZE: usize = 25;

/// An attribute value.
pub(crate) struct Attribute(AttributeValue);

impl From<&str> for Attribute {
    fn from(text: &str) -> Self {
        Self(AttributeValue::S(text.to_owned()))
    }
}

/// Replaces an attribute of an item and returns the previous value.
pub(crate) async fn replace(
    table: &str,
    pk: &str,
    sk: &str,
    attribute: &str,
    value: Attribute,
) -> Attribute {
    let update = Client::new(&aws::config().await)
        .update_item()
        .table_name(&stack().resources.tables[table])
        .key("pk", AttributeValue::S(pk.to_owned()))
        .key("sk", AttributeValue::S(sk.to_owned()))
        .update_expression("SET #attribute = :value")
        .condition_expression("attribute_exists(#attribute)")
        .expression_attribute_names("#attribute", attribute)
        .expression_attribute_values(":value", value.0)
        .return_values(ReturnValue::UpdatedOld);
    let before = update.send().await.unwrap().attributes.unwrap();
    Attribute(before[attribute].clone())
}

/// Outbox rows of a newer release, which this release cannot read, at the head of a shard.
pub(crate) struct NewerRows(Vec<HashMap<String, AttributeValue>>);

impl NewerRows {
    /// Puts `count` rows before all due rows in the shard of `job`.
    pub(crate) async fn before(job: &str, count: u128) -> Self {
        let shard = shard(&job.parse().unwrap());
        let number = |value: i64| AttributeValue::N(value.to_string());
        let mut keys = Vec::new();
        let mut puts = Vec::new();
        for random in 0..count {
            let pk = format!("JOB#{}", JobId::mint(Timestamp(1), random));
            let key = HashMap::from([
                ("pk".to_owned(), AttributeValue::S(pk)),
                (
                    "sk".to_owned(),
                    AttributeValue::S("OUTBOX#ticket".to_owned()),
                ),
            ]);
            let mut row = key.clone();
            row.insert("recordVersion".to_owned(), number(2));
            row.insert("dueShard".to_owned(), number(shard.into()));
            row.insert("dueAt".to_owned(), number(1));
            let put = PutRequest::builder().set_item(Some(row)).build().unwrap();
            puts.push(WriteRequest::builder().put_request(put).build());
            keys.push(key);
        }
        write(puts).await;
        Self(keys)
    }

    /// Deletes the rows.
    pub(crate) async fn remove(self) {
        let delete = |key| {
            let delete = DeleteRequest::builder().set_key(Some(key)).build().unwrap();
            WriteRequest::builder().delete_request(delete).build()
        };
        write(self.0.into_iter().map(delete).collect()).await;
    }
}

async fn write(writes: Vec<WriteRequest>) {
    let client = Client::new(&aws::config().await);
    let table = &stack().resources.tables["jobs"];
    for batch in writes.chunks(BATCH_SIZE) {
        let written = client
            .batch_write_item()
            .request_items(table, batch.to_vec());
        let left = written.send().await.unwrap().unprocessed_items;
        assert!(left.is_none_or(|left| left.is_empty()));
    }
}
