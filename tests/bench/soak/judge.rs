//! What must be true of all that receivers heard, and of what the delivery logs say.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use standardwebhooks::Webhook;
use tests::trusted_host::Request;

use super::receivers::Receiver;

/// The identifiers of events by the job that they tell of; every receiver is told the same.
#[derive(Default)]
pub(super) struct Judged(BTreeMap<String, String>);

impl Judged {
    /// Judges what one receiver heard of `jobs`, and the `lines` of its log.
    ///
    /// # Panics
    /// When anything was lost, doubled under another identifier, or forged, or the log says something else.
    pub(super) fn judge(
        &mut self,
        receiver: &Receiver,
        webhook: &Value,
        received: &[Request],
        lines: &[Value],
        jobs: &[String],
    ) {
        let heard = self.heard(receiver, webhook, received);
        let told: BTreeMap<_, _> = lines
            .iter()
            .map(|line| (text(&line["eventId"]), line))
            .collect();
        assert_eq!(told.len(), lines.len(), "{}: told twice", receiver.path);
        for id in &heard {
            assert!(
                told.contains_key(id),
                "{}: {id} is not in the log",
                receiver.path
            );
        }
        if receiver.is_living {
            let events: BTreeSet<_> = jobs.iter().map(|job| self.0[job].clone()).collect();
            assert_eq!(heard, events, "{}: lost or invented", receiver.path);
            assert_eq!(told.len(), events.len(), "{}", receiver.path);
        }
        for line in lines {
            assert_eq!(line["status"] == "delivered", receiver.is_living, "{line}");
        }
        println!(
            "  {:<16}{:>6} attempts for {:>5} events",
            receiver.path,
            received.len(),
            heard.len()
        );
    }

    /// The events that a receiver heard of, each signed for it.
    fn heard(
        &mut self,
        receiver: &Receiver,
        webhook: &Value,
        received: &[Request],
    ) -> BTreeSet<String> {
        let verifier = Webhook::new(webhook["secret"].as_str().unwrap()).unwrap();
        let mut heard = BTreeSet::new();
        for request in received {
            assert!(is_signed(&verifier, request), "{request:?}");
            let (id, body) = (request.header("webhook-id").to_owned(), request.json());
            assert_eq!(body["id"], id.as_str());
            assert_eq!(body["type"], receiver.event);
            if receiver.is_told_of_jobs() {
                let known = self.0.entry(text(&body["data"]["jobId"]));
                assert_eq!(*known.or_insert_with(|| id.clone()), id, "{body}");
            }
            heard.insert(id);
        }
        heard
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Whether a signature is right, however long ago it came.
fn is_signed(verifier: &Webhook, request: &Request) -> bool {
    let at = request.header("webhook-timestamp").parse().unwrap();
    let signature = verifier.sign(request.header("webhook-id"), at, &request.body);
    let signature = signature.unwrap();
    request
        .header("webhook-signature")
        .split(' ')
        .any(|one| one == signature)
}
