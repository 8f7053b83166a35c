//! All rows of the tables and all objects of the bucket of the running stack, read with its
//! credentials. Only tests scan tables.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client as Tables;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_s3::Client as Objects;
use tests::stack::stack;

pub(crate) type Row = HashMap<String, AttributeValue>;

/// Scans a table.
pub(crate) async fn rows(table: &str) -> Vec<Row> {
    let tables = Tables::new(&crate::aws::config().await);
    let table = &stack().resources.tables[table];
    let mut pages = tables.scan().table_name(table).into_paginator().send();
    let mut rows = Vec::new();
    while let Some(page) = pages.next().await {
        rows.extend(page.unwrap().items.unwrap_or_default());
    }
    rows
}

/// Lists the keys of all objects with this prefix.
pub(crate) async fn objects(prefix: &str) -> Vec<String> {
    let config = crate::aws::config().await;
    let config = aws_sdk_s3::config::Builder::from(&config).force_path_style(true);
    let objects = Objects::from_conf(config.build());
    let listed = objects
        .list_objects_v2()
        .bucket(&stack().resources.bucket)
        .prefix(prefix);
    let mut pages = listed.into_paginator().send();
    let mut names = Vec::new();
    while let Some(page) = pages.next().await {
        let page = page.unwrap();
        let found = page.contents().iter().filter_map(|object| object.key());
        names.extend(found.map(str::to_owned));
    }
    names
}

/// Returns a string attribute, or an empty string.
pub(crate) fn text<'a>(row: &'a Row, attribute: &str) -> &'a str {
    let text = row.get(attribute).and_then(|value| value.as_s().ok());
    text.map_or("", String::as_str)
}
