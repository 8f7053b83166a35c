//! Redrive of a dead-letter queue that receives messages meanwhile.

use aws::MoveReport;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use crate::script::{Reply, Request, Script};
use crate::{error, services};

const RECEIVE: &str = "ReceiveMessage";
const CHANGE_VISIBILITY: &str = "ChangeMessageVisibility";
const UNTIL: Timestamp = Timestamp(1_000);

fn message(id: &str, sent: i64) -> Value {
    json!({
        "MessageId": id, "ReceiptHandle": format!("handle of {id}"), "Body": format!("body of {id}"),
        "Attributes": {"SentTimestamp": sent.to_string()},
    })
}

/// A queue that returns these batches, and then the last one repeatedly.
async fn queue(receipts: Vec<Vec<Value>>) -> Script {
    let mut receipts = receipts.into_iter();
    let given = std::sync::Mutex::new((receipts.next().unwrap(), receipts));
    Script::play(move |request: &Request| {
        match request.operation.as_str() {
            RECEIVE => {}
            // The message is visible already.
            CHANGE_VISIBILITY => return error(400, "MessageNotInflight"),
            _ => return Reply::Ok(json!({"MessageId": "new"})),
        }
        let mut given = given.lock().unwrap();
        let messages = given.0.clone();
        if let Some(next) = given.1.next() {
            given.0 = next;
        }
        Reply::Ok(json!({"Messages": messages}))
    })
    .await
}

async fn moved(script: &Script) -> MoveReport {
    let (from, to) = (
        format!("{}/1/from", script.endpoint()),
        format!("{}/1/to", script.endpoint()),
    );
    let services = services(script).await;
    let moved = services.move_messages(&from, &to, UNTIL, |body| format!("read {body}"));
    moved.await.unwrap()
}

fn values<'a>(bodies: &'a [Value], member: &str) -> Vec<&'a str> {
    bodies
        .iter()
        .map(|body| body[member].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn older_messages_after_newer_ones_are_moved_and_the_newer_ones_made_visible_again() {
    let (newer, older) = (message("newer", 1_000), message("older", 999));
    let script = queue(vec![vec![newer], vec![older], vec![]]).await;
    assert_eq!(moved(&script).await, MoveReport { moved: 1, left: 1 });
    let sent = script.bodies("SendMessage");
    assert_eq!(values(&sent, "MessageBody"), ["read body of older"]);
    let deleted = script.bodies("DeleteMessage");
    assert_eq!(values(&deleted, "ReceiptHandle"), ["handle of older"]);
    let made_visible = script.bodies(CHANGE_VISIBILITY);
    assert_eq!(values(&made_visible, "ReceiptHandle"), ["handle of newer"]);
}

#[tokio::test]
async fn the_redrive_of_a_queue_that_repeats_the_same_newer_messages_ends() {
    let script = queue(vec![vec![message("newer", 1_000)]]).await;
    assert_eq!(moved(&script).await, MoveReport { moved: 0, left: 1 });
    assert_eq!(script.bodies(RECEIVE).len(), 2);
}
