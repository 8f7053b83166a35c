//! The calls that several ports make of the tables.

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::{UpdateItemError, UpdateItemOutput};
use aws_sdk_dynamodb::types::{Delete, Put, ReturnValuesOnConditionCheckFailure};
use domain::id::AccountId;
use domain::ports::PortError;

use crate::error::{Failure, failed, judge};
use crate::item::{self, Item, Key, SERVICE, text};
use crate::job_item::WRITE;
use crate::keys;
use crate::retry::Patience;
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

/// Makes an update that sets [`WRITE`] to `write`; `false` when its condition does not hold, unless that is because the
/// update was made already, of which the SDK did not hear and which it repeated.
pub(crate) async fn update_once(
    update: UpdateItemFluentBuilder,
    write: &str,
) -> Result<bool, PortError> {
    let update = update
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let mut patience = Patience::new();
    loop {
        let Err(error) = update.clone().send().await else {
            return Ok(true);
        };
        if let Some(UpdateItemError::ConditionalCheckFailedException(refused)) =
            error.as_service_error()
        {
            return Ok(is_from(refused.item(), write));
        }
        wait_if_busy(judge(SERVICE, &error), &mut patience).await?;
    }
}

/// Makes a put of an item with [`WRITE`] `write`, in the same way.
pub(crate) async fn put_once(put: PutItemFluentBuilder, write: &str) -> Result<bool, PortError> {
    let put =
        put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let mut patience = Patience::new();
    loop {
        let Err(error) = put.clone().send().await else {
            return Ok(true);
        };
        if let Some(PutItemError::ConditionalCheckFailedException(refused)) =
            error.as_service_error()
        {
            return Ok(is_from(refused.item(), write));
        }
        wait_if_busy(judge(SERVICE, &error), &mut patience).await?;
    }
}

/// Whether an item is from this very write.
fn is_from(item: Option<&Item>, write: &str) -> bool {
    item.is_some_and(|item| item::read_text(item, WRITE) == Some(write))
}

/// Waits a while before the next attempt, where one is worth it.
pub(crate) async fn wait_if_busy(
    failure: Failure,
    patience: &mut Patience,
) -> Result<(), PortError> {
    match failure {
        Failure::Busy => patience.wait().await,
        Failure::Unknown(error) | Failure::Refused(error) => Err(error),
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
