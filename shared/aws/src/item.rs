//! DynamoDB items and their keys: conversion from and to records.

use std::collections::HashMap;
use std::fmt::Display;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ports::PortError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::unavailable;

/// Service name in error messages.
pub(crate) const SERVICE: &str = "dynamodb";
/// Partition key of every table.
pub(crate) const PARTITION: &str = "pk";
/// Sort key of every table.
pub(crate) const SORT: &str = "sk";
/// TTL attribute, in seconds.
pub(crate) const EXPIRES: &str = "expiresAtSeconds";
/// Record version of every item without a version of its own.
pub(crate) const RECORD_VERSION: u32 = 1;
const VERSION: &str = "recordVersion";

/// An item of a table.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// Whether a newer release than this one wrote the item.
pub(crate) fn is_newer(item: &Item) -> bool {
    read_number(item, VERSION).is_some_and(|version| version > i64::from(RECORD_VERSION))
}

/// The primary key of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pk: String,
    sk: String,
}

impl Key {
    /// The key with this partition and sort key.
    pub(crate) fn new(pk: String, sk: impl Into<String>) -> Self {
        Self { pk, sk: sk.into() }
    }

    /// The key as one string, which [`Key::named`] parses.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.pk, self.sk)
    }

    /// Parses the result of [`Key::name`].
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (pk, sk) = name.split_once(' ')?;
        Some(Self::new(pk.to_owned(), sk))
    }

    /// The partition key.
    pub(crate) fn partition(&self) -> &str {
        &self.pk
    }

    /// The sort key.
    pub(crate) fn sort(&self) -> &str {
        &self.sk
    }

    /// The key as attributes.
    pub(crate) fn attributes(&self) -> HashMap<String, AttributeValue> {
        HashMap::from([
            (PARTITION.to_owned(), text(&self.pk)),
            (SORT.to_owned(), text(&self.sk)),
        ])
    }
}

/// A string attribute.
pub(crate) fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

/// A number attribute.
pub(crate) fn number(value: impl Display) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// Reads a string attribute.
pub(crate) fn read_text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.get(name)?.as_s().ok().map(String::as_str)
}

/// Reads an integer attribute.
pub(crate) fn read_number(item: &Item, name: &str) -> Option<i64> {
    item.get(name)?.as_n().ok()?.parse().ok()
}

/// Reads the key of an item.
pub(crate) fn key_of(item: &Item) -> Option<Key> {
    Some(Key::new(
        read_text(item, PARTITION)?.to_owned(),
        read_text(item, SORT)?,
    ))
}

/// An item with its key, record version and these attributes.
pub(crate) fn new<const N: usize>(key: &Key, attributes: [(&str, AttributeValue); N]) -> Item {
    let mut item = key.attributes();
    item.insert(VERSION.to_owned(), number(RECORD_VERSION));
    item.extend(attributes.map(|(name, value)| (name.to_owned(), value)));
    item
}

/// Serializes a record to an item.
pub(crate) fn write<T: Serialize>(key: &Key, record: &T) -> Result<Item, PortError> {
    let attributes: Item = serde_dynamo::to_item(record)
        .map_err(|error| unavailable(SERVICE, format!("cannot serialize a record: {error}")))?;
    let mut item = new(key, []);
    item.extend(attributes);
    Ok(item)
}

/// Deserializes a record. The error names the item's key and omits its content.
pub(crate) fn read<T: DeserializeOwned>(item: Item) -> Result<T, PortError> {
    let key = key_of(&item);
    serde_dynamo::from_item(item).map_err(|_| unreadable(key.as_ref()))
}

/// An item that this release cannot read.
pub(crate) fn unreadable(key: Option<&Key>) -> PortError {
    let name = key.map_or("an item", Key::partition);
    unavailable(SERVICE, format!("{name} cannot be read"))
}
