//! TransactWriteItems: all-or-nothing writes.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    CancellationReason, ConditionCheck, Delete, Put, TransactWriteItem, Update,
};
use domain::ports::PortError;

use crate::error::{Failure, classify, unavailable};
use crate::item::SERVICE;
use crate::retry::RetryBudget;
use crate::services::Services;

const CONDITION_FAILED: &str = "ConditionalCheckFailed";
const NONE: &str = "None";
/// Transient cancellation reasons.
const BUSY: [&str; 3] = [
    "TransactionConflict",
    "ThrottlingError",
    "ProvisionedThroughputExceeded",
];

/// Role of a write in its transaction, by which the caller identifies the failed condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteRole {
    /// The account.
    Account,
    /// A key or the row that points to it.
    Key,
    /// An identity or the row that points to it.
    Identity,
    /// The record of an idempotency key.
    Idempotency,
    /// The job.
    Job,
    /// The account's counters.
    Usage,
    /// The ledger row of the charge.
    Charge,
    /// The ledger row of the refund.
    Refund,
    /// An outbox row.
    Outbox,
    /// A saved document.
    Document,
    /// A row in a document's partition.
    DocumentRow,
    /// An import.
    Import,
    /// The inspection job of a version.
    Inspection,
    /// A subscription.
    Subscription,
    /// The counter of an account's subscriptions.
    Subscriptions,
    /// The tombstone of a subscription.
    Unsubscribed,
}

/// The writes of one transaction.
#[derive(Clone, Default)]
pub(crate) struct Transaction {
    roles: Vec<WriteRole>,
    items: Vec<TransactWriteItem>,
}

/// Result of a transaction.
pub(crate) enum Committed {
    /// All of it was written.
    Yes,
    /// Nothing was written, because the conditions of these writes failed.
    No(Vec<WriteRole>),
}

impl Transaction {
    pub(crate) fn put(&mut self, role: WriteRole, put: Put) {
        self.push(role, TransactWriteItem::builder().put(put).build());
    }

    pub(crate) fn update(&mut self, role: WriteRole, update: Update) {
        self.push(role, TransactWriteItem::builder().update(update).build());
    }

    pub(crate) fn delete(&mut self, role: WriteRole, delete: Delete) {
        self.push(role, TransactWriteItem::builder().delete(delete).build());
    }

    pub(crate) fn check(&mut self, role: WriteRole, check: ConditionCheck) {
        let item = TransactWriteItem::builder().condition_check(check);
        self.push(role, item.build());
    }

    fn push(&mut self, role: WriteRole, item: TransactWriteItem) {
        self.roles.push(role);
        self.items.push(item);
    }

    /// The roles of the writes whose conditions failed.
    ///
    /// # Errors
    /// [`Failure::Busy`] if no condition failed and a reason is transient.
    fn failed_conditions(&self, reasons: &[CancellationReason]) -> Result<Vec<WriteRole>, Failure> {
        let code = |reason: &CancellationReason| reason.code().unwrap_or(NONE).to_owned();
        let codes: Vec<String> = reasons.iter().map(code).collect();
        let failed: Vec<WriteRole> = (self.roles.iter().zip(&codes))
            .filter(|(_, code)| *code == CONDITION_FAILED)
            .map(|(role, _)| *role)
            .collect();
        if !failed.is_empty() {
            return Ok(failed);
        }
        if codes.iter().any(|code| BUSY.contains(&code.as_str())) {
            return Err(Failure::Busy);
        }
        let reason = format!("transaction canceled: {}", codes.join(", "));
        Err(Failure::Rejected(unavailable(SERVICE, reason)))
    }
}

impl Services {
    /// Executes a transaction. `token` makes it idempotent for ten minutes, so the SDK's own retries are safe.
    pub(crate) async fn commit(
        &self,
        transaction: &Transaction,
        token: &str,
    ) -> Result<Committed, Failure> {
        let response = self
            .tables()
            .transact_write_items()
            .set_transact_items(Some(transaction.items.clone()))
            .client_request_token(token)
            .send()
            .await;
        match response {
            Ok(_) => Ok(Committed::Yes),
            Err(error) => match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(canceled)) => {
                    transaction
                        .failed_conditions(canceled.cancellation_reasons())
                        .map(Committed::No)
                }
                _ => Err(classify(SERVICE, &error)),
            },
        }
    }

    /// Executes a transaction, retrying on conflicts; `false` if a condition fails.
    pub(crate) async fn commit_with_retries(&self, all: &Transaction) -> Result<bool, PortError> {
        let token = new_write();
        let mut retries = RetryBudget::new();
        loop {
            match self.commit(all, &token).await {
                Ok(Committed::Yes) => return Ok(true),
                Ok(Committed::No(_)) => return Ok(false),
                Err(Failure::Busy) => retries.wait().await?,
                Err(Failure::Rejected(error) | Failure::Unknown(error)) => return Err(error),
            }
        }
    }
}

/// A random identifier of a write, also used as its idempotency token.
pub(crate) fn new_write() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// The error of an SDK builder without a required member, which does not occur in practice.
pub(crate) fn incomplete(error: &aws_sdk_dynamodb::error::BuildError) -> PortError {
    unavailable(SERVICE, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transaction() -> Transaction {
        Transaction {
            roles: vec![WriteRole::Idempotency, WriteRole::Job, WriteRole::Usage],
            items: Vec::new(),
        }
    }

    fn reasons(codes: [&str; 3]) -> Vec<CancellationReason> {
        codes
            .map(|code| CancellationReason::builder().code(code).build())
            .into()
    }

    #[test]
    fn failed_conditions_are_returned_even_together_with_a_conflict() {
        let failed = transaction()
            .failed_conditions(&reasons([
                CONDITION_FAILED,
                "TransactionConflict",
                CONDITION_FAILED,
            ]))
            .unwrap();
        assert_eq!(failed, [WriteRole::Idempotency, WriteRole::Usage]);
    }

    #[test]
    fn a_conflict_alone_is_retryable() {
        for code in BUSY {
            let outcome = transaction().failed_conditions(&reasons([NONE, code, NONE]));
            assert!(matches!(outcome, Err(Failure::Busy)), "{code}");
        }
    }

    #[test]
    fn any_other_reason_is_an_error_with_all_codes() {
        let outcome = transaction().failed_conditions(&reasons([NONE, "ValidationError", NONE]));
        let Err(Failure::Rejected(error)) = outcome else {
            panic!("not rejected");
        };
        assert_eq!(
            error.to_string(),
            "dynamodb: transaction canceled: None, ValidationError, None"
        );
    }
}
