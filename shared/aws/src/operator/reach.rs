//! Whether everything that the services work on is there, and whether our clock agrees with theirs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use aws_sdk_s3::config::interceptors::BeforeDeserializationInterceptorContextRef;
use aws_sdk_s3::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_s3::error::BoxError;
use aws_sdk_s3::primitives::{DateTime, DateTimeFormat};
use domain::ports::PortError;
use domain::processor::Processor;
use domain::timestamp::Timestamp;

use crate::error::{failed, unavailable};
use crate::services::Services;

impl Services {
    /// Asks each table, the bucket, the bus and each queue whether it is there.
    pub async fn reach(&self) -> Vec<(String, Result<(), PortError>)> {
        let mut answers = vec![
            (
                "accounts table".to_owned(),
                self.reach_table(self.accounts_table()).await,
            ),
            (
                "jobs table".to_owned(),
                self.reach_table(self.jobs_table()).await,
            ),
            ("bucket".to_owned(), self.clock_ahead().await.map(|_| ())),
            ("bus".to_owned(), self.reach_bus().await),
        ];
        for processor in Processor::ALL {
            let name = format!("queue {}", processor.name());
            answers.push((name, self.reach_queue(*processor).await));
        }
        answers
    }

    /// By how many seconds this machine's clock is ahead of the object store's; negative when it is behind. Signatures
    /// are refused from five minutes on.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] when the bucket does not answer, or not with a date.
    pub async fn clock_ahead(&self) -> Result<i64, PortError> {
        let dated = Dated::default();
        self.objects()
            .head_bucket()
            .bucket(self.bucket()?)
            .customize()
            .interceptor(dated.clone())
            .send()
            .await
            .map_err(|error| failed("s3", &error))?;
        dated
            .ahead()
            .ok_or_else(|| unavailable("s3", "an answer without a date"))
    }

    async fn reach_table(&self, name: Result<&str, PortError>) -> Result<(), PortError> {
        self.tables()
            .describe_table()
            .table_name(name?)
            .send()
            .await
            .map(|_| ())
            .map_err(|error| failed("dynamodb", &error))
    }

    async fn reach_bus(&self) -> Result<(), PortError> {
        self.buses()
            .describe_event_bus()
            .name(self.bus()?)
            .send()
            .await
            .map(|_| ())
            .map_err(|error| failed("events", &error))
    }

    async fn reach_queue(&self, processor: Processor) -> Result<(), PortError> {
        self.queues()
            .get_queue_attributes()
            .queue_url(self.queue_url(processor)?)
            .send()
            .await
            .map(|_| ())
            .map_err(|error| failed("sqs", &error))
    }
}

/// Notes how far our clock is ahead of the date of an answer.
#[derive(Clone, Debug, Default)]
struct Dated(Arc<Mutex<Option<i64>>>);

impl Dated {
    fn ahead(&self) -> Option<i64> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Intercept for Dated {
    fn name(&self) -> &'static str {
        "Dated"
    }

    fn read_before_deserialization(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let theirs = context
            .response()
            .headers()
            .get("date")
            .and_then(|date| DateTime::from_str(date, DateTimeFormat::HttpDate).ok());
        let ours = Timestamp::from(SystemTime::now()).seconds();
        let ahead = theirs.and_then(|theirs| ours.checked_sub(theirs.secs()));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = ahead;
        Ok(())
    }
}
