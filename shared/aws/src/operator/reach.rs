//! Checks that resources exist and are reachable, and compares the local clock with S3's.

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
    /// Checks that the accounts table, the jobs table, the bucket, the bus and the queue of each processor exist.
    pub async fn reach(&self) -> Vec<(String, Result<(), PortError>)> {
        let mut responses = vec![
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
            responses.push((name, self.reach_queue(*processor).await));
        }
        responses
    }

    /// Returns by how many seconds the local clock is ahead of S3's; negative if it is behind. AWS rejects signatures from a
    /// difference of five minutes.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if S3 fails or its response has no `Date` header.
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
            .ok_or_else(|| unavailable("s3", "response without `Date` header"))
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

/// Interceptor that records the difference between the local clock and the `Date` header of the response.
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
