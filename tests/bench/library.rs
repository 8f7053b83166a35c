//! Document libraries of any size, filled with copies of one document's record.

use std::collections::HashMap;
use std::time::{Instant, SystemTime};

use aws_config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use domain::id::DocumentId;
use domain::timestamp::Timestamp;
use futures::stream::{self, StreamExt};
use tests::library_fixture::LibraryFixture;
use tests::stack::{new_account, stack};

use crate::latency::small_documents;
use crate::statistics::Sample;
use crate::traffic::LoadClient;

type Item = HashMap<String, AttributeValue>;

/// Items in one write: the limit of DynamoDB.
const WRITE_BATCH: usize = 25;

/// Concurrent writes.
const WRITERS: usize = 8;

/// Documents that match the search.
const MATCHES: usize = 10;

/// Default page size of a list.
const PAGE: i32 = 50;

/// The owner of a library of `size` documents, of which ten contain the word `ink`.
pub(crate) async fn of(size: usize) -> LoadClient {
    let (account, key) = new_account("business");
    let mut shelf = LibraryFixture::open(&account).await;
    for _ in 0..MATCHES {
        shelf.add_with_text("scan.pdf", "paper and ink").await;
    }
    let tables = tables().await;
    let copied = newest(&tables, &account, 1).await.remove(0);
    let started = SystemTime::now();
    let copies: Vec<_> = (MATCHES..size)
        .map(|number| copy(&copied, started, number))
        .collect();
    let writes = copies
        .chunks(WRITE_BATCH)
        .map(|items| write(&tables, items));
    stream::iter(writes)
        .buffer_unordered(WRITERS)
        .collect::<Vec<()>>()
        .await;
    LoadClient::with_key(&account, &key, &small_documents()[0]).await
}

/// Measures direct queries of the table for one page of the client's library.
pub(crate) async fn direct_query(load_client: &LoadClient, times: usize) -> Sample {
    let tables = tables().await;
    let mut sample = Vec::new();
    for _ in 0..times {
        let started = Instant::now();
        let page = newest(&tables, &load_client.account, PAGE).await;
        assert!(!page.is_empty());
        sample.push(started.elapsed());
    }
    sample.into_iter().collect()
}

async fn tables() -> Client {
    let aws = &stack().aws;
    let credentials = Credentials::new(
        &aws.access_key_id,
        &aws.secret_access_key,
        None,
        None,
        "stack file",
    );
    let config = aws_config::defaults(BehaviorVersion::v2026_01_12())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .endpoint_url(&aws.endpoint_url)
        .region(Region::new(aws.region.clone()))
        .credentials_provider(credentials)
        .load()
        .await;
    Client::new(&config)
}

fn table() -> &'static str {
    &stack().resources.tables["documents"]
}

/// The records of the account's newest documents.
async fn newest(tables: &Client, account: &str, limit: i32) -> Vec<Item> {
    let found = tables
        .query()
        .table_name(table())
        .scan_index_forward(false)
        .key_condition_expression("pk = :account AND begins_with(sk, :documents)")
        .expression_attribute_values(":account", AttributeValue::S(format!("ACCOUNT#{account}")))
        .expression_attribute_values(":documents", AttributeValue::S("DOC#".to_owned()))
        .limit(limit)
        .send()
        .await
        .unwrap();
    found.items.unwrap()
}

/// The same record with a new identifier.
fn copy(record: &Item, started: SystemTime, number: usize) -> Item {
    let AttributeValue::S(own) = &record["id"] else {
        panic!("a document's identifier is a string");
    };
    let id = DocumentId::mint(
        Timestamp::from(started),
        rand::random::<u128>() ^ number as u128,
    );
    let renamed = |value: &AttributeValue| match value {
        AttributeValue::S(text) => AttributeValue::S(text.replace(own.as_str(), id.as_str())),
        other => other.clone(),
    };
    record
        .iter()
        .map(|(name, value)| (name.clone(), renamed(value)))
        .collect()
}

async fn write(tables: &Client, items: &[Item]) {
    let put = |item: &Item| {
        let put = PutRequest::builder()
            .set_item(Some(item.clone()))
            .build()
            .unwrap();
        WriteRequest::builder().put_request(put).build()
    };
    let written = tables
        .batch_write_item()
        .request_items(table(), items.iter().map(put).collect())
        .send()
        .await
        .unwrap();
    assert!(written.unprocessed_items.unwrap_or_default().is_empty());
}
