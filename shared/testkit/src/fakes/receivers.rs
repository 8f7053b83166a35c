//! Webhook receivers with scripted outcomes, which record their requests.

use std::collections::{BTreeMap, VecDeque};

use async_trait::async_trait;
use domain::ports::{CallReceivers, PortError};
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFailure, DeliveryOutcome};

use super::{Call, Fakes};

/// A request to a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiverCall {
    /// The receiver's URL.
    pub url: String,
    /// The headers, in order.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
}

impl ReceiverCall {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(known, _)| *known == name)?;
        Some(value)
    }
}

/// Scripted outcomes and recorded requests.
#[derive(Default)]
pub(super) struct Receivers {
    outcomes: BTreeMap<String, VecDeque<DeliveryOutcome>>,
    calls: Vec<ReceiverCall>,
}

impl Fakes {
    /// Sets the outcomes of the next requests to `url`, in order; the last one repeats. Without outcomes, a receiver responds
    /// 200.
    pub fn set_receiver_outcomes(
        &self,
        url: &str,
        outcomes: impl IntoIterator<Item = DeliveryOutcome>,
    ) {
        let mut state = super::lock(&self.state);
        let outcomes = outcomes.into_iter().collect();
        state.receivers.outcomes.insert(url.to_owned(), outcomes);
    }

    /// All requests to receivers, in order.
    #[must_use]
    pub fn receiver_calls(&self) -> Vec<ReceiverCall> {
        super::lock(&self.state).receivers.calls.clone()
    }
}

#[async_trait]
impl CallReceivers for Fakes {
    async fn call_receiver(
        &self,
        url: &SourceUrl,
        headers: &[(&'static str, String)],
        body: &str,
    ) -> DeliveryOutcome {
        let call = ReceiverCall {
            url: url.reveal().to_owned(),
            headers: headers.to_vec(),
            body: body.to_owned(),
        };
        let outcome = self
            .call(Call::CallReceiver, |state| {
                Ok(state.receivers.respond(call))
            })
            .await;
        outcome.unwrap_or_else(|error| DeliveryOutcome::NoResponse(fault(&error)))
    }
}

impl Receivers {
    fn respond(&mut self, call: ReceiverCall) -> DeliveryOutcome {
        let planned = self.outcomes.get_mut(&call.url);
        let outcome = planned.and_then(|planned| match planned.len() {
            0 | 1 => planned.front().copied(),
            _ => planned.pop_front(),
        });
        self.calls.push(call);
        outcome.unwrap_or(DeliveryOutcome::Responded {
            status: 200,
            retry_after: None,
        })
    }
}

/// The delivery failure of a fault: a timeout for `Fault::TimedOut`, else unreachable.
fn fault(error: &PortError) -> DeliveryFailure {
    let slow = error.to_string().ends_with(super::TIMED_OUT);
    match slow {
        true => DeliveryFailure::TimedOut,
        false => DeliveryFailure::ConnectionFailed,
    }
}
