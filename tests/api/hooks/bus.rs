//! The app's backend, which puts triggers on the bus, and the queue of what nobody could read.

use std::time::{Duration, Instant};

use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use serde_json::{Value, json};
use tests::stack::stack;

use crate::aws;

/// The longest that an event takes to be told or set aside.
const PATIENCE: Duration = Duration::from_secs(60);

/// Puts an event on the bus as the app's backend does.
pub(crate) async fn put(source: &str, detail_type: &str, detail: &Value) {
    let entry = PutEventsRequestEntry::builder()
        .event_bus_name(&stack().resources.bus)
        .source(source)
        .detail_type(detail_type)
        .detail(detail.to_string())
        .build();
    let bus = aws_sdk_eventbridge::Client::new(&aws::config().await);
    let answer = bus.put_events().entries(entry).send().await.unwrap();
    assert_eq!(answer.failed_entry_count(), 0, "{answer:?}");
}

/// The detail of a trigger.
pub(crate) fn detail(account: &str, id: &str, data: Value) -> Value {
    json!({"accountId": account, "id": id, "occurredAt": 1_795_167_000_000_i64, "data": data})
}

/// What was set aside and says this, which is then gone: `{reason, event}`.
pub(crate) async fn set_aside(says: &str) -> Value {
    let queues = aws_sdk_sqs::Client::new(&aws::config().await);
    let url = &stack().resources.dead_letter_queues["fanout"];
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        // What is not looked for is in sight again after a second, for other tests.
        let request = queues.receive_message().queue_url(url);
        let request = request.max_number_of_messages(10).visibility_timeout(1);
        let received = request.wait_time_seconds(1).send().await.unwrap();
        for message in received.messages.unwrap_or_default() {
            let body = message.body.unwrap();
            if body.contains(says) {
                let delete = queues.delete_message().queue_url(url);
                let delete = delete.set_receipt_handle(message.receipt_handle);
                delete.send().await.unwrap();
                return serde_json::from_str(&body).unwrap();
            }
        }
    }
    panic!("nothing was set aside that says {says}");
}

/// Sets a message aside as the service does.
pub(crate) async fn set_aside_by_hand(message: &Value) {
    let queues = aws_sdk_sqs::Client::new(&aws::config().await);
    let url = &stack().resources.dead_letter_queues["fanout"];
    let send = queues.send_message().queue_url(url);
    send.message_body(message.to_string()).send().await.unwrap();
}
