//! The calls that several ports make of the tables.

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::update_item::{UpdateItemError, UpdateItemOutput};
use aws_sdk_dynamodb::types::{Delete, Put};
use domain::id::AccountId;
use domain::ports::PortError;

use crate::error::{Failure, failed, judge};
use crate::item::{Item, SERVICE, text};
use crate::keys::{self, Key};
use crate::services::Services;
use crate::transaction::incomplete;

/// The condition that an item is not there yet.
pub(crate) const NEW: &str = "attribute_not_exists(pk)";
/// The condition that an item is there.
pub(crate) const KNOWN: &str = "attribute_exists(pk)";

/// A put of an item that must not be there yet.
pub(crate) fn new_item(table: &str, item: Item) -> Result<Put, PortError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(item))
        .condition_expression(NEW)
        .build()
        .map_err(|error| incomplete(&error))
}

/// A put of an item in place of whatever is there.
pub(crate) fn replacement(table: &str, item: Item) -> Result<Put, PortError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(item))
        .build()
        .map_err(|error| incomplete(&error))
}

/// The removal of an item, if it is there.
pub(crate) fn removal(table: &str, key: &Key) -> Result<Delete, PortError> {
    Delete::builder()
        .table_name(table)
        .set_key(Some(key.attributes()))
        .build()
        .map_err(|error| incomplete(&error))
}

/// Whether the condition of an update held.
pub(crate) fn held(
    answer: Result<UpdateItemOutput, SdkError<UpdateItemError, HttpResponse>>,
) -> Result<bool, Failure> {
    match answer {
        Ok(_) => Ok(true),
        Err(SdkError::ServiceError(context))
            if context.err().is_conditional_check_failed_exception() =>
        {
            Ok(false)
        }
        Err(error) => Err(judge(SERVICE, &error)),
    }
}

impl Services {
    /// The rows of an account whose sort keys begin with `prefix`, all of them, read consistently.
    pub(crate) async fn rows_of_account(
        &self,
        account: &AccountId,
        prefix: &str,
    ) -> Result<Vec<Item>, PortError> {
        self.tables()
            .query()
            .table_name(self.accounts_table()?)
            .consistent_read(true)
            .key_condition_expression("pk = :account AND begins_with(sk, :prefix)")
            .expression_attribute_values(":account", text(keys::account(account).partition()))
            .expression_attribute_values(":prefix", text(prefix))
            .into_paginator()
            .items()
            .send()
            .collect::<Result<_, _>>()
            .await
            .map_err(|error| failed(SERVICE, &error))
    }

    /// Reads an item consistently.
    pub(crate) async fn read(&self, table: &str, key: &Key) -> Result<Option<Item>, PortError> {
        self.tables()
            .get_item()
            .table_name(table)
            .set_key(Some(key.attributes()))
            .consistent_read(true)
            .send()
            .await
            .map(|answer| answer.item)
            .map_err(|error| failed(SERVICE, &error))
    }
}
