//! Publishes trigger events on the bus, as the backend of the mobile app does.

use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use domain::ports::PortError;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "events";

impl Services {
    /// Publishes one event and returns its EventBridge identifier. `detail` is JSON.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if no bus is configured, EventBridge fails or it rejects the event.
    pub async fn put_on_bus(
        &self,
        source: &str,
        detail_type: &str,
        detail: &str,
    ) -> Result<String, PortError> {
        let entry = PutEventsRequestEntry::builder()
            .event_bus_name(self.bus()?)
            .source(source)
            .detail_type(detail_type)
            .detail(detail)
            .build();
        let response = self.buses().put_events().entries(entry).send().await;
        let response = response.map_err(|error| failed(SERVICE, &error))?;
        let [entry] = response.entries() else {
            return Err(unavailable(SERVICE, "not one result entry for one event"));
        };
        let rejected = || {
            let code = entry.error_code().unwrap_or("no code");
            unavailable(SERVICE, format!("EventBridge rejected the event: {code}"))
        };
        entry.event_id().map(str::to_owned).ok_or_else(rejected)
    }
}
