//! Receivers: what a test has them answer, and what they were sent.

use std::collections::{BTreeMap, VecDeque};

use async_trait::async_trait;
use domain::ports::{CallReceivers, PortError};
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFault, Outcome};

use super::{Call, Fakes};

/// What a receiver was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiverCall {
    /// Where to.
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

/// Who answers how.
#[derive(Default)]
pub(super) struct Receivers {
    outcomes: BTreeMap<String, VecDeque<Outcome>>,
    calls: Vec<ReceiverCall>,
}

impl Fakes {
    /// Has the receiver at `url` answer so, one after the other; the last goes for all that follow. A receiver that was
    /// told nothing answers 200.
    pub fn receiver_answers(&self, url: &str, outcomes: impl IntoIterator<Item = Outcome>) {
        let mut state = super::lock(&self.state);
        let outcomes = outcomes.into_iter().collect();
        state.receivers.outcomes.insert(url.to_owned(), outcomes);
    }

    /// What was sent to receivers, in order.
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
    ) -> Outcome {
        let call = ReceiverCall {
            url: url.reveal().to_owned(),
            headers: headers.to_vec(),
            body: body.to_owned(),
        };
        let answer = self
            .call(Call::CallReceiver, |state| Ok(state.receivers.answer(call)))
            .await;
        answer.unwrap_or_else(|error| Outcome::NoAnswer(fault(&error)))
    }
}

impl Receivers {
    fn answer(&mut self, call: ReceiverCall) -> Outcome {
        let planned = self.outcomes.get_mut(&call.url);
        let outcome = planned.and_then(|planned| match planned.len() {
            0 | 1 => planned.front().copied(),
            _ => planned.pop_front(),
        });
        self.calls.push(call);
        outcome.unwrap_or(Outcome::Answered {
            status: 200,
            retry_after: None,
        })
    }
}

/// What a receiver that does not answer looks like: slow after `Fault::TimedOut`, unreachable otherwise.
fn fault(error: &PortError) -> DeliveryFault {
    let slow = error.to_string().ends_with(super::NO_ANSWER_IN_TIME);
    match slow {
        true => DeliveryFault::TimedOut,
        false => DeliveryFault::ConnectionFailed,
    }
}
