//! Checks the received webhooks and the delivery logs of a soak run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use standardwebhooks::Webhook;
use tests::trusted_host::Request;

use super::receivers::Receiver;

/// Event identifiers by job; every receiver must get the same.
#[derive(Default)]
pub(super) struct DeliveryChecks(BTreeMap<String, String>);

impl DeliveryChecks {
    /// Checks the requests that one receiver got for `jobs`, and the entries of its delivery log.
    ///
    /// # Panics
    /// If an event was lost, duplicated under another identifier, or forged, or if the log differs.
    pub(super) fn check(
        &mut self,
        receiver: &Receiver,
        webhook: &Value,
        received: &[Request],
        entries: &[Value],
        jobs: &[String],
    ) {
        let received_events = self.received_events(receiver, webhook, received);
        let logged: BTreeMap<_, _> = entries
            .iter()
            .map(|entry| (text(&entry["eventId"]), entry))
            .collect();
        assert_eq!(
            logged.len(),
            entries.len(),
            "{}: an event is logged twice",
            receiver.path
        );
        for id in &received_events {
            assert!(
                logged.contains_key(id),
                "{}: event {id} is missing from the log",
                receiver.path
            );
        }
        if receiver.is_working {
            let events: BTreeSet<_> = jobs.iter().map(|job| self.0[job].clone()).collect();
            assert_eq!(
                received_events, events,
                "{}: events were lost or invented",
                receiver.path
            );
            assert_eq!(logged.len(), events.len(), "{}", receiver.path);
        }
        for entry in entries {
            assert_eq!(
                entry["status"] == "delivered",
                receiver.is_working,
                "{entry}"
            );
        }
        println!(
            "  {:<16}{:>6} attempts for {:>5} events",
            receiver.path,
            received.len(),
            received_events.len()
        );
    }

    /// The identifiers of the received events, whose signatures are checked.
    fn received_events(
        &mut self,
        receiver: &Receiver,
        webhook: &Value,
        received: &[Request],
    ) -> BTreeSet<String> {
        let verifier = Webhook::new(webhook["secret"].as_str().unwrap()).unwrap();
        let mut received_events = BTreeSet::new();
        for request in received {
            assert!(is_signed(&verifier, request), "{request:?}");
            let (id, body) = (request.header("webhook-id").to_owned(), request.json());
            assert_eq!(body["id"], id.as_str());
            assert_eq!(body["type"], receiver.event);
            if receiver.receives_job_events() {
                let recorded = self.0.entry(text(&body["data"]["jobId"]));
                assert_eq!(*recorded.or_insert_with(|| id.clone()), id, "{body}");
            }
            received_events.insert(id);
        }
        received_events
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Whether a signature is valid, regardless of its age.
fn is_signed(verifier: &Webhook, request: &Request) -> bool {
    let at = request.header("webhook-timestamp").parse().unwrap();
    let signature = verifier.sign(request.header("webhook-id"), at, &request.body);
    let signature = signature.unwrap();
    request
        .header("webhook-signature")
        .split(' ')
        .any(|candidate| candidate == signature)
}
