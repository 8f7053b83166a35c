//! Several writes that happen together or not at all.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    CancellationReason, ConditionCheck, Delete, Put, TransactWriteItem, Update,
};
use domain::ports::PortError;

use crate::error::{Failure, judge, unavailable};
use crate::item::SERVICE;
use crate::retry::Patience;
use crate::services::Services;

const CONDITION_FAILED: &str = "ConditionalCheckFailed";
const NONE: &str = "None";
/// Reasons that pass.
const BUSY: [&str; 3] = [
    "TransactionConflict",
    "ThrottlingError",
    "ProvisionedThroughputExceeded",
];

/// What a write of a transaction is about, by which its refusal is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
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
    /// What belongs to a saved document.
    Belonging,
    /// An import.
    Import,
    /// The job of a look into a version.
    Look,
    /// A subscription.
    Subscription,
    /// The count of an account's subscriptions.
    Subscriptions,
    /// That a subscription ended.
    Unsubscribed,
}

/// The writes of one transaction.
#[derive(Clone, Default)]
pub(crate) struct Transaction {
    parts: Vec<Part>,
    items: Vec<TransactWriteItem>,
}

/// What became of a transaction.
pub(crate) enum Committed {
    /// All of it was written.
    Yes,
    /// Nothing was written, because the conditions of these parts do not hold.
    No(Vec<Part>),
}

impl Transaction {
    pub(crate) fn put(&mut self, part: Part, put: Put) {
        self.push(part, TransactWriteItem::builder().put(put).build());
    }

    pub(crate) fn update(&mut self, part: Part, update: Update) {
        self.push(part, TransactWriteItem::builder().update(update).build());
    }

    pub(crate) fn delete(&mut self, part: Part, delete: Delete) {
        self.push(part, TransactWriteItem::builder().delete(delete).build());
    }

    pub(crate) fn check(&mut self, part: Part, check: ConditionCheck) {
        let item = TransactWriteItem::builder().condition_check(check);
        self.push(part, item.build());
    }

    fn push(&mut self, part: Part, item: TransactWriteItem) {
        self.parts.push(part);
        self.items.push(item);
    }

    /// The parts whose conditions failed.
    ///
    /// # Errors
    /// [`Failure::Busy`] when no condition failed and another reason will pass.
    fn refused(&self, reasons: &[CancellationReason]) -> Result<Vec<Part>, Failure> {
        let code = |reason: &CancellationReason| reason.code().unwrap_or(NONE).to_owned();
        let codes: Vec<String> = reasons.iter().map(code).collect();
        let refused: Vec<Part> = (self.parts.iter().zip(&codes))
            .filter(|(_, code)| *code == CONDITION_FAILED)
            .map(|(part, _)| *part)
            .collect();
        if !refused.is_empty() {
            return Ok(refused);
        }
        if codes.iter().any(|code| BUSY.contains(&code.as_str())) {
            return Err(Failure::Busy);
        }
        let reason = format!("transaction cancelled: {}", codes.join(", "));
        Err(Failure::Refused(unavailable(SERVICE, reason)))
    }
}

impl Services {
    /// Writes all of a transaction or nothing. A repetition with the same `token` within ten minutes writes nothing
    /// again and succeeds, so the SDK's own retries are safe.
    pub(crate) async fn commit(
        &self,
        transaction: &Transaction,
        token: &str,
    ) -> Result<Committed, Failure> {
        let answer = self
            .tables()
            .transact_write_items()
            .set_transact_items(Some(transaction.items.clone()))
            .client_request_token(token)
            .send()
            .await;
        match answer {
            Ok(_) => Ok(Committed::Yes),
            Err(error) => match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                    transaction
                        .refused(cancelled.cancellation_reasons())
                        .map(Committed::No)
                }
                _ => Err(judge(SERVICE, &error)),
            },
        }
    }

    /// Writes all of a transaction, waiting for others who write the same rows; `false` when a condition does not hold.
    pub(crate) async fn commit_patiently(&self, all: &Transaction) -> Result<bool, PortError> {
        let token = new_write();
        let mut patience = Patience::new();
        loop {
            match self.commit(all, &token).await {
                Ok(Committed::Yes) => return Ok(true),
                Ok(Committed::No(_)) => return Ok(false),
                Err(Failure::Busy) => patience.wait().await?,
                Err(Failure::Refused(error) | Failure::Unknown(error)) => return Err(error),
            }
        }
    }
}

/// A name for one write, which also makes its repetition harmless.
pub(crate) fn new_write() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// An SDK builder that lacks a required member: never in practice.
pub(crate) fn incomplete(error: &aws_sdk_dynamodb::error::BuildError) -> PortError {
    unavailable(SERVICE, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transaction() -> Transaction {
        Transaction {
            parts: vec![Part::Idempotency, Part::Job, Part::Usage],
            items: Vec::new(),
        }
    }

    fn reasons(codes: [&str; 3]) -> Vec<CancellationReason> {
        codes
            .map(|code| CancellationReason::builder().code(code).build())
            .into()
    }

    #[test]
    fn refused_parts_are_named_even_beside_a_conflict() {
        let refused = transaction()
            .refused(&reasons([
                CONDITION_FAILED,
                "TransactionConflict",
                CONDITION_FAILED,
            ]))
            .unwrap();
        assert_eq!(refused, [Part::Idempotency, Part::Usage]);
    }

    #[test]
    fn a_conflict_alone_passes() {
        for code in BUSY {
            let outcome = transaction().refused(&reasons([NONE, code, NONE]));
            assert!(matches!(outcome, Err(Failure::Busy)), "{code}");
        }
    }

    #[test]
    fn any_other_reason_is_an_error_that_tells_it() {
        let outcome = transaction().refused(&reasons([NONE, "ValidationError", NONE]));
        let Err(Failure::Refused(error)) = outcome else {
            panic!("not refused");
        };
        assert_eq!(
            error.to_string(),
            "dynamodb: transaction cancelled: None, ValidationError, None"
        );
    }
}
