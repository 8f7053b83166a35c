//! DynamoDB calls that several ports share.

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::{UpdateItemError, UpdateItemOutput};
use aws_sdk_dynamodb::types::{Delete, Put, ReturnValuesOnConditionCheckFailure};
use domain::id::AccountId;
use domain::ports::PortError;

use crate::error::{Failure, classify, failed};
use crate::item::{self, Item, Key, SERVICE, text};
use crate::job_item::WRITE;
use crate::keys;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::transaction::incomplete;

/// Condition: the item does not exist.
pub(crate) const NOT_EXISTS: &str = "attribute_not_exists(pk)";
/// Condition: the item exists.
pub(crate) const EXISTS: &str = "attribute_exists(pk)";

/// The put of an item, on condition that it does not exist.
pub(crate) fn new_item(table: &str, item: Item) -> Result<Put, PortError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(item))
        .condition_expression(NOT_EXISTS)
        .build()
        .map_err(|error| incomplete(&error))
}

/// The unconditional put of an item.
pub(crate) fn replacement(table: &str, item: Item) -> Result<Put, PortError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(item))
        .build()
        .map_err(|error| incomplete(&error))
}

/// The unconditional delete of an item.
pub(crate) fn removal(table: &str, key: &Key) -> Result<Delete, PortError> {
    Delete::builder()
        .table_name(table)
        .set_key(Some(key.attributes()))
        .build()
        .map_err(|error| incomplete(&error))
}

/// Whether the condition of an update was met; a failed condition is not an error.
pub(crate) fn condition_met(
    response: Result<UpdateItemOutput, SdkError<UpdateItemError, HttpResponse>>,
) -> Result<bool, Failure> {
    match response {
        Ok(_) => Ok(true),
        Err(SdkError::ServiceError(context))
            if context.err().is_conditional_check_failed_exception() =>
        {
            Ok(false)
        }
        Err(error) => Err(classify(SERVICE, &error)),
    }
}

/// Executes an update that sets [`WRITE`] to `write`; `false` if its condition fails. If it fails because the SDK repeated
/// the update after losing the response, the result is `true`.
pub(crate) async fn update_once(
    update: UpdateItemFluentBuilder,
    write: &str,
) -> Result<bool, PortError> {
    let update = update
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let mut retries = RetryBudget::new();
    loop {
        let Err(error) = update.clone().send().await else {
            return Ok(true);
        };
        if let Some(UpdateItemError::ConditionalCheckFailedException(rejected)) =
            error.as_service_error()
        {
            return Ok(is_from(rejected.item(), write));
        }
        wait_if_busy(classify(SERVICE, &error), &mut retries).await?;
    }
}

/// As [`update_once`], for the put of an item with [`WRITE`] `write`.
pub(crate) async fn put_once(put: PutItemFluentBuilder, write: &str) -> Result<bool, PortError> {
    let put =
        put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let mut retries = RetryBudget::new();
    loop {
        let Err(error) = put.clone().send().await else {
            return Ok(true);
        };
        if let Some(PutItemError::ConditionalCheckFailedException(rejected)) =
            error.as_service_error()
        {
            return Ok(is_from(rejected.item(), write));
        }
        wait_if_busy(classify(SERVICE, &error), &mut retries).await?;
    }
}

/// Whether an item was written by `write`.
fn is_from(item: Option<&Item>, write: &str) -> bool {
    item.is_some_and(|item| item::read_text(item, WRITE) == Some(write))
}

/// Waits before the next attempt if the failure is retryable, else returns its error.
pub(crate) async fn wait_if_busy(
    failure: Failure,
    retries: &mut RetryBudget,
) -> Result<(), PortError> {
    match failure {
        Failure::Busy => retries.wait().await,
        Failure::Unknown(error) | Failure::Rejected(error) => Err(error),
    }
}

impl Services {
    /// Reads all rows of an account whose sort keys have the prefix `prefix`, consistently.
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
            .map(|response| response.item)
            .map_err(|error| failed(SERVICE, &error))
    }
}
