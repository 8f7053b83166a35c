//! What the application around the service puts on the bus, by hand.

use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use domain::ports::PortError;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "events";

impl Services {
    /// Puts one event on the bus and returns the bus's own identifier for it. `detail` is JSON.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] when the bus does not answer, is not named, or does not take the event.
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
        let answer = self.buses().put_events().entries(entry).send().await;
        let answer = answer.map_err(|error| failed(SERVICE, &error))?;
        let [entry] = answer.entries() else {
            return Err(unavailable(SERVICE, "not one answer to one event"));
        };
        let refused = || {
            let code = entry.error_code().unwrap_or("no code");
            unavailable(SERVICE, format!("the bus refused the event: {code}"))
        };
        entry.event_id().map(str::to_owned).ok_or_else(refused)
    }
}
