//! The queues of fan-outs and of what could not be told.

use async_trait::async_trait;
use domain::ports::PortError;
use domain::ports::subscriptions::ContinueFanOut;

use crate::error::failed;
use crate::queue::SERVICE;
use crate::services::Services;

#[async_trait]
impl ContinueFanOut for Services {
    async fn continue_fan_out(&self, group: &str, message: &str) -> Result<(), PortError> {
        self.queues()
            .send_message()
            .queue_url(self.fanout_queue()?)
            .message_group_id(group)
            .message_body(message)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn reject(&self, message: &str) -> Result<(), PortError> {
        self.queues()
            .send_message()
            .queue_url(self.fanout_dead_letter_queue()?)
            .message_body(message)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }
}
