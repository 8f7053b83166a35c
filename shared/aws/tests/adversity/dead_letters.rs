//! Emptying a dead-letter queue into which messages come meanwhile.

use aws::Moved;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use crate::script::{Answer, Request, Script};
use crate::{error, services};

const RECEIVE: &str = "ReceiveMessage";
const SHOW: &str = "ChangeMessageVisibility";
const UNTIL: Timestamp = Timestamp(1_000);

fn message(id: &str, sent: i64) -> Value {
    json!({
        "MessageId": id, "ReceiptHandle": format!("handle of {id}"), "Body": format!("body of {id}"),
        "Attributes": {"SentTimestamp": sent.to_string()},
    })
}

/// A queue that gives these, and the last of them again and again.
async fn queue(receipts: Vec<Vec<Value>>) -> Script {
    let mut receipts = receipts.into_iter();
    let given = std::sync::Mutex::new((receipts.next().unwrap(), receipts));
    Script::play(move |request: &Request| {
        match request.operation.as_str() {
            RECEIVE => {}
            // It is in sight already.
            SHOW => return error(400, "MessageNotInflight"),
            _ => return Answer::Ok(json!({"MessageId": "new"})),
        }
        let mut given = given.lock().unwrap();
        let messages = given.0.clone();
        if let Some(next) = given.1.next() {
            given.0 = next;
        }
        Answer::Ok(json!({"Messages": messages}))
    })
    .await
}

async fn moved(script: &Script) -> Moved {
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
async fn older_messages_behind_newer_ones_are_moved_and_the_newer_ones_shown_again() {
    let (newer, older) = (message("newer", 1_000), message("older", 999));
    let script = queue(vec![vec![newer], vec![older], vec![]]).await;
    assert_eq!(moved(&script).await, Moved { moved: 1, left: 1 });
    let sent = script.bodies("SendMessage");
    assert_eq!(values(&sent, "MessageBody"), ["read body of older"]);
    let deleted = script.bodies("DeleteMessage");
    assert_eq!(values(&deleted, "ReceiptHandle"), ["handle of older"]);
    let shown = script.bodies(SHOW);
    assert_eq!(values(&shown, "ReceiptHandle"), ["handle of newer"]);
}

#[tokio::test]
async fn a_queue_that_only_gives_the_same_newer_messages_comes_to_an_end() {
    let script = queue(vec![vec![message("newer", 1_000)]]).await;
    assert_eq!(moved(&script).await, Moved { moved: 0, left: 1 });
    assert_eq!(script.bodies(RECEIVE).len(), 2);
}
