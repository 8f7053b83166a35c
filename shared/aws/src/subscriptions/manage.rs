//! Creates and changes subscriptions, together with the account's count of them.

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use domain::ports::{PortError, Subscribed, SubscriptionRequest, Subscriptions};
use domain::subscription::Subscription;

use super::record::{self, RecordedRequest};
use crate::error::{Failure, unavailable};
use crate::item::{self, SERVICE, number, text};
use crate::job_item::WRITE;
use crate::keys;
use crate::keys::subscriptions as own;
use crate::services::Services;
use crate::table::{new_item, replacement};
use crate::transaction::{Committed, Transaction, WriteRole};

impl Services {
    /// Makes one attempt; `None` if the caller should retry.
    pub(super) async fn try_to_subscribe(
        &self,
        subscription: &Subscription,
        request: Option<&SubscriptionRequest>,
        all: &Transaction,
    ) -> Result<Option<Subscribed>, PortError> {
        match self.commit(all, subscription.id.as_str()).await {
            Ok(Committed::Yes) => Ok(Some(Subscribed::New)),
            // Checked first: a replay succeeds even if the account has reached its limit.
            Ok(Committed::No(roles)) if roles.contains(&WriteRole::Idempotency) => {
                self.recorded_request(subscription, request).await
            }
            Ok(Committed::No(roles)) if roles.contains(&WriteRole::Subscriptions) => {
                Ok(Some(Subscribed::LimitReached))
            }
            Ok(Committed::No(_)) => Err(unavailable(
                SERVICE,
                "the subscription identifier exists already",
            )),
            Err(Failure::Busy) => Ok(None),
            Err(Failure::Unknown(error)) => self.is_subscribed(subscription).await?.ok_or(error),
            Err(Failure::Rejected(error)) => Err(error),
        }
    }

    async fn is_subscribed(
        &self,
        subscription: &Subscription,
    ) -> Result<Option<Option<Subscribed>>, PortError> {
        let (account, id) = (&subscription.account_id, &subscription.id);
        let stored = self.subscription(account, id).await?;
        Ok(stored.map(|_| Some(Subscribed::New)))
    }

    /// The request recorded under the idempotency key; `None` if the record has expired.
    async fn recorded_request(
        &self,
        subscription: &Subscription,
        request: Option<&SubscriptionRequest>,
    ) -> Result<Option<Subscribed>, PortError> {
        let Some(request) = request else {
            return Ok(None);
        };
        let key = keys::idempotency(&request.fingerprint);
        let row = self.read(self.subscriptions_table()?, &key).await?;
        let recorded = row.map(|row| RecordedRequest::read(&row, subscription.created_at));
        let Some(recorded) = recorded.transpose()?.flatten() else {
            return Ok(None);
        };
        if recorded.subscription == subscription.id {
            return Ok(Some(Subscribed::New));
        }
        if recorded.body_hash != request.body_hash {
            return Ok(Some(Subscribed::KeyReused));
        }
        let account = &subscription.account_id;
        let stored = self.subscription(account, &recorded.subscription).await?;
        Ok(Some(Subscribed::Replayed(stored.map(Box::new))))
    }

    pub(super) fn subscribe_transaction(
        &self,
        subscription: &Subscription,
        most: u32,
        request: Option<&SubscriptionRequest>,
    ) -> Result<Transaction, PortError> {
        let (table, account) = (self.subscriptions_table()?, &subscription.account_id);
        let mut all = Transaction::default();
        if let Some(request) = request {
            let take = record::take(table, request, subscription)?;
            all.put(WriteRole::Idempotency, take);
            let pointer = record::pointer(account, request);
            all.put(WriteRole::Subscription, replacement(table, pointer)?);
        }
        let increment_count = record::increment_count(table, account, most)?;
        all.update(WriteRole::Subscriptions, increment_count);
        let row = item::write(&own::subscription(account, &subscription.id), subscription)?;
        all.put(WriteRole::Subscription, new_item(table, row)?);
        Ok(all)
    }

    pub(super) fn new_secrets(
        &self,
        subscription: &Subscription,
        seen: u64,
        write: &str,
    ) -> Result<UpdateItemFluentBuilder, PortError> {
        let secrets = serde_dynamo::to_attribute_value(&subscription.secrets)
            .map_err(|_| unavailable(SERVICE, "cannot serialize the secrets"))?;
        Ok(self
            .health_row(&subscription.account_id, &subscription.id)?
            .update_expression("SET secrets = :secrets, revision = :revision, #write = :write")
            .condition_expression("revision = :seen")
            .expression_attribute_names("#write", WRITE)
            .expression_attribute_values(":secrets", secrets)
            .expression_attribute_values(":revision", number(subscription.revision))
            .expression_attribute_values(":seen", number(seen))
            .expression_attribute_values(":write", text(write)))
    }
}
