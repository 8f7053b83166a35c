//! Puts trigger events on the event bus and reads the dead-letter queue of `fanout`.

use std::time::{Duration, Instant};

use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use serde_json::{Value, json};
use tests::stack::stack;

use crate::aws;

/// Timeout for an event to be delivered or dead-lettered.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Puts an event on the bus as the app's backend does.
pub(crate) async fn put_event(source: &str, detail_type: &str, detail: &Value) {
    let entry = PutEventsRequestEntry::builder()
        .event_bus_name(&stack().resources.bus)
        .source(source)
        .detail_type(detail_type)
        .detail(detail.to_string())
        .build();
    let bus = aws_sdk_eventbridge::Client::new(&aws::config().await);
    let response = bus.put_events().entries(entry).send().await.unwrap();
    assert_eq!(response.failed_entry_count(), 0, "{response:?}");
}

/// The `detail` of a trigger event.
pub(crate) fn detail(account: &str, id: &str, data: Value) -> Value {
    json!({"accountId": account, "id": id, "occurredAt": 1_795_167_000_000_i64, "data": data})
}

/// Waits for a dead letter of `fanout` that contains `text`, deletes and returns it: `{reason, event}`.
pub(crate) async fn take_dead_letter(text: &str) -> Value {
    let queues = aws_sdk_sqs::Client::new(&aws::config().await);
    let url = &stack().resources.dead_letter_queues["fanout"];
    let deadline = Instant::now() + TIMEOUT;
    while Instant::now() < deadline {
        // Other messages become visible again after a second, for other tests.
        let request = queues.receive_message().queue_url(url);
        let request = request.max_number_of_messages(10).visibility_timeout(1);
        let received = request.wait_time_seconds(1).send().await.unwrap();
        for message in received.messages.unwrap_or_default() {
            let body = message.body.unwrap();
            if body.contains(text) {
                let delete = queues.delete_message().queue_url(url);
                let delete = delete.set_receipt_handle(message.receipt_handle);
                delete.send().await.unwrap();
                return serde_json::from_str(&body).unwrap();
            }
        }
    }
    panic!("no dead letter contains {text}");
}

/// Sends a message to the dead-letter queue of `fanout`.
pub(crate) async fn send_dead_letter(message: &Value) {
    let queues = aws_sdk_sqs::Client::new(&aws::config().await);
    let url = &stack().resources.dead_letter_queues["fanout"];
    let send = queues.send_message().queue_url(url);
    send.message_body(message.to_string()).send().await.unwrap();
}
