//! Messages from the browser: responses to commands, and events.

use std::borrow::Cow;

use chromiumoxide_cdp::cdp::browser_protocol::target::SessionId;
use chromiumoxide_types::{CallId, Error};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::BrowserError;
use crate::event::Event;

/// A message of the browser.
#[derive(Debug)]
pub(crate) enum Message {
    /// The response to a command.
    Response(Response),
    /// An event of a page.
    Event {
        /// The session of the page; `None` for the browser itself.
        session: Option<SessionId>,
        /// The event.
        event: Event,
    },
}

/// The response to a command.
#[derive(Debug)]
pub(crate) struct Response {
    /// The command's number.
    pub(crate) id: CallId,
    result: Result<Box<RawValue>, Error>,
}

/// The common members of all messages. The contents are parsed later.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    id: Option<CallId>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<Error>,
    session_id: Option<SessionId>,
}

impl Message {
    /// Parses a message; `None` if it is an event that the driver does not handle.
    pub(crate) fn parse(text: &[u8]) -> Result<Option<Self>, BrowserError> {
        let envelope: Envelope<'_> = serde_json::from_slice(text)
            .map_err(|error| BrowserError::malformed("message", error))?;
        if let Some(id) = envelope.id {
            let result = match (envelope.result, envelope.error) {
                (Some(result), None) => Ok(result.to_owned()),
                (None, Some(error)) => Err(error),
                _ => {
                    let reason = "either a result or an error is required";
                    return Err(BrowserError::malformed("response", reason));
                }
            };
            return Ok(Some(Self::Response(Response { id, result })));
        }
        let missing = || BrowserError::malformed("message", "`id` or `method` is required");
        let method = envelope.method.ok_or_else(missing)?;
        let params = envelope.params.map_or("{}", RawValue::get);
        let event = Event::parse(&method, params);
        let event = event.map_err(|error| BrowserError::malformed(method, error))?;
        let session = envelope.session_id;
        Ok(event.map(|event| Self::Event { session, event }))
    }
}

impl Response {
    /// The result of the command `method`.
    pub(crate) fn result<R: DeserializeOwned>(self, method: &str) -> Result<R, BrowserError> {
        match self.result {
            Ok(result) => serde_json::from_str(result.get())
                .map_err(|error| BrowserError::malformed(format!("result of {method}"), error)),
            Err(error) => Err(BrowserError::Rejected {
                method: method.to_owned(),
                reason: error.to_string(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use chromiumoxide_cdp::cdp::browser_protocol::io::{ReadReturns, StreamHandle};
    use chromiumoxide_cdp::cdp::browser_protocol::page::{NavigateParams, StopLoadingParams};
    use chromiumoxide_cdp::cdp::browser_protocol::performance::{GetMetricsReturns, Metric};
    use serde::de::IgnoredAny;

    use super::*;
    use crate::returns::{GetLayoutMetrics, Navigate, PrintToPdf};

    /// Recorded from chromium-headless-shell 156: a page that is not found, whose image is aborted, is printed, opens a
    /// dialog and crashes.
    const EXCHANGE: &str = include_str!("message/exchange.jsonl");

    fn parse(text: &str) -> Option<Message> {
        Message::parse(text.as_bytes()).unwrap()
    }

    fn response(text: &str) -> Response {
        match parse(text) {
            Some(Message::Response(response)) => response,
            other => panic!("{other:?}"),
        }
    }

    fn malformed(text: &str) -> String {
        Message::parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_recorded_exchange_is_parsed_into_typed_values() {
        let (mut events, mut responses) = (Vec::new(), Vec::new());
        for message in EXCHANGE.lines().filter_map(parse) {
            match message {
                Message::Event { session, event } => {
                    assert_eq!(session, Some(SessionId::new("SESSION")));
                    events.push(summary(&event));
                }
                Message::Response(response) => responses.push(response),
            }
        }
        assert_eq!(
            events,
            [
                "request Document http://page.test/missing",
                "response 404 http://page.test/missing",
                "navigated http://page.test/missing",
                "request Image http://page.test/gone.png",
                "ended LOADER",
                "paused http://page.test/gone.png",
                "ended 5648.2",
                "loaded",
                "dialog",
                "crashed",
            ]
        );
        let mut result_of = |id| {
            let found = responses
                .iter()
                .position(|response| response.id == CallId::new(id));
            responses.remove(found.unwrap())
        };
        let navigated: Navigate = result_of(8).result("").unwrap();
        assert_eq!(navigated.error_text, None);
        let metrics: GetMetricsReturns = result_of(11).result("").unwrap();
        let listeners = Metric::new("JSEventListeners", 0.0);
        assert!(metrics.metrics.contains(&listeners));
        let printed: PrintToPdf = result_of(12).result("").unwrap();
        assert_eq!(printed.stream, Some(StreamHandle::new("1")));
        let chunk: ReadReturns = result_of(13).result("").unwrap();
        assert_eq!((chunk.base64_encoded, chunk.eof), (Some(true), false));
        let layout: GetLayoutMetrics = result_of(14).result("").unwrap();
        assert_eq!(layout.css_content_size.width, 800.0);
        let rejected = result_of(15).result::<IgnoredAny>(StopLoadingParams::IDENTIFIER);
        let rejected = rejected.unwrap_err();
        assert_eq!(
            rejected.to_string(),
            "the browser rejected Page.stopLoading: Error -32601: 'Page.nonsense' wasn't found"
        );
    }

    fn summary(event: &Event) -> String {
        match event {
            Event::RequestWillBeSent(event) => {
                let kind = event.r#type.as_ref().unwrap();
                format!("request {} {}", kind.as_ref(), event.request.url)
            }
            Event::ResponseReceived(event) => {
                format!("response {} {}", event.response.status, event.response.url)
            }
            Event::FrameNavigated(event) => format!("navigated {}", event.frame.url),
            Event::RequestEnded(event) => format!("ended {}", event.request_id.inner()),
            Event::RequestPaused(event) => format!("paused {}", event.request.url),
            Event::LoadEventFired => "loaded".to_owned(),
            Event::DialogOpening => "dialog".to_owned(),
            Event::TargetCrashed => "crashed".to_owned(),
        }
    }

    #[test]
    fn events_that_are_not_handled_are_dropped_unparsed() {
        let unknown =
            r#"{"method":"Network.dataReceived","params":{"requestId":[1,2]},"sessionId":"S"}"#;
        assert!(parse(unknown).is_none());
    }

    #[test]
    fn malformed_messages_have_descriptive_errors() {
        assert!(malformed("no JSON").starts_with("the browser sent a malformed message: expected"));
        assert_eq!(
            malformed(r#"{"params":{}}"#),
            "the browser sent a malformed message: `id` or `method` is required"
        );
        assert_eq!(
            malformed(r#"{"id":1}"#),
            "the browser sent a malformed response: either a result or an error is required"
        );
        assert_eq!(
            malformed(r#"{"method":"Page.frameNavigated","params":{}}"#),
            "the browser sent a malformed Page.frameNavigated: missing field `frame` at line 1 column 2"
        );
        let wrong = response(r#"{"id":1,"result":{"errorText":5}}"#);
        let wrong = wrong.result::<Navigate>(NavigateParams::IDENTIFIER);
        assert_eq!(
            wrong.unwrap_err().to_string(),
            "the browser sent a malformed result of Page.navigate: invalid type: integer `5`, expected a string at line 1 column 14"
        );
    }
}
