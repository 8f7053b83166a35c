//! CDP events that the driver handles, each with the members in use only. The types of `chromiumoxide_cdp` would reject events
//! of newer browsers, which may add or remove members and enumeration values.

use std::borrow::Cow;
use std::str::FromStr;

use chromiumoxide_cdp::cdp::browser_protocol::network::{RequestId, ResourceType};
use chromiumoxide_cdp::cdp::browser_protocol::page::FrameId;
use chromiumoxide_cdp::cdp::browser_protocol::{fetch, inspector, network, page};
use serde::{Deserialize, Deserializer};

/// An event. All others are dropped unparsed.
#[derive(Debug)]
pub(crate) enum Event {
    /// A script opens a dialog.
    DialogOpening,
    /// A frame loaded another document.
    FrameNavigated(FrameNavigated),
    /// The main document and its resources are loaded.
    LoadEventFired,
    /// A request has finished or failed.
    RequestEnded(RequestEnded),
    /// A request waits for a command of the driver.
    RequestPaused(RequestPaused),
    /// A request starts.
    RequestWillBeSent(RequestWillBeSent),
    /// The headers of a response were received.
    ResponseReceived(ResponseReceived),
    /// The page's process has ended.
    TargetCrashed,
}

/// A frame loaded another document.
#[derive(Debug, Deserialize)]
pub(crate) struct FrameNavigated {
    /// The frame.
    pub(crate) frame: Frame,
}

/// A frame of a page.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Frame {
    /// Its identifier.
    pub(crate) id: FrameId,
    /// The URL of its document.
    pub(crate) url: String,
    /// The URL that could not be loaded.
    pub(crate) unreachable_url: Option<String>,
}

/// A request has ended: the common part of two events.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestEnded {
    /// The request.
    pub(crate) request_id: RequestId,
}

/// A request waits for a command of the driver.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPaused {
    /// The request's id for that command.
    pub(crate) request_id: fetch::RequestId,
    /// Its content.
    pub(crate) request: Request,
}

/// A request starts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestWillBeSent {
    /// The request.
    pub(crate) request_id: RequestId,
    /// Its content.
    pub(crate) request: Request,
    /// The type of the resource; `None` if it is unknown.
    #[serde(default, deserialize_with = "known")]
    pub(crate) r#type: Option<ResourceType>,
    /// The frame that it is for.
    pub(crate) frame_id: Option<FrameId>,
}

/// The content of a request.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    /// Its URL.
    pub(crate) url: String,
}

/// The headers of a response were received.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseReceived {
    /// The response.
    pub(crate) response: ResponseHead,
    /// The type of the resource; `None` if it is unknown.
    #[serde(default, deserialize_with = "known")]
    pub(crate) r#type: Option<ResourceType>,
    /// The frame that it is for.
    pub(crate) frame_id: Option<FrameId>,
}

/// The head of a response.
#[derive(Debug, Deserialize)]
pub(crate) struct ResponseHead {
    /// The URL, after redirects.
    pub(crate) url: String,
    /// The status code.
    pub(crate) status: i64,
}

impl Event {
    /// Parses an event; `None` if the driver does not handle it.
    pub(crate) fn parse(method: &str, params: &str) -> serde_json::Result<Option<Self>> {
        use serde_json::from_str;
        Ok(Some(match method {
            page::EventJavascriptDialogOpening::IDENTIFIER => Self::DialogOpening,
            page::EventFrameNavigated::IDENTIFIER => Self::FrameNavigated(from_str(params)?),
            page::EventLoadEventFired::IDENTIFIER => Self::LoadEventFired,
            network::EventLoadingFinished::IDENTIFIER | network::EventLoadingFailed::IDENTIFIER => {
                Self::RequestEnded(from_str(params)?)
            }
            fetch::EventRequestPaused::IDENTIFIER => Self::RequestPaused(from_str(params)?),
            network::EventRequestWillBeSent::IDENTIFIER => {
                Self::RequestWillBeSent(from_str(params)?)
            }
            network::EventResponseReceived::IDENTIFIER => Self::ResponseReceived(from_str(params)?),
            inspector::EventTargetCrashed::IDENTIFIER => Self::TargetCrashed,
            _ => return Ok(None),
        }))
    }
}

/// A value of an enumeration; `None` if the enumeration does not have it.
fn known<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = Cow::<str>::deserialize(deserializer)?;
    Ok(value.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(method: &str, params: &str) -> Event {
        Event::parse(method, params).unwrap().unwrap()
    }

    #[test]
    fn unknown_members_and_values_are_ignored() {
        let sent = r#"{"requestId":"R","request":{"url":"https://a.test/","method":"QUERY","newMember":[1]},
            "type":"HologramSheet","frameId":"F","initiator":{"type":"oracle"},"newMember":{}}"#;
        match parse(network::EventRequestWillBeSent::IDENTIFIER, sent) {
            Event::RequestWillBeSent(event) => {
                assert_eq!(event.request_id, RequestId::new("R"));
                assert_eq!(event.request.url, "https://a.test/");
                assert_eq!(event.r#type, None);
                assert_eq!(event.frame_id, Some(FrameId::new("F")));
            }
            other => panic!("{other:?}"),
        }
        let received = r#"{"response":{"status":200,"url":"https://a.test/","securityState":"quantum"},
            "type":"Document","loaderId":7}"#;
        match parse(network::EventResponseReceived::IDENTIFIER, received) {
            Event::ResponseReceived(event) => {
                assert_eq!(event.r#type, Some(ResourceType::Document));
                assert_eq!((event.response.status, event.frame_id), (200, None));
            }
            other => panic!("{other:?}"),
        }
        let navigated = r#"{"frame":{"id":"F","url":"https://a.test/","secureContextType":"New"},"type":"New"}"#;
        match parse(page::EventFrameNavigated::IDENTIFIER, navigated) {
            Event::FrameNavigated(event) => assert_eq!(event.frame.unreachable_url, None),
            other => panic!("{other:?}"),
        }
        let paused = r#"{"requestId":"P","request":{"url":"https://a.test/","initialPriority":"New"},
            "resourceType":"New","responseErrorReason":"New"}"#;
        match parse(fetch::EventRequestPaused::IDENTIFIER, paused) {
            Event::RequestPaused(event) => {
                assert_eq!(event.request_id, fetch::RequestId::new("P"));
            }
            other => panic!("{other:?}"),
        }
        let failed =
            r#"{"requestId":"R","corsErrorStatus":{"corsError":"InvalidLocalNetworkAccess"}}"#;
        match parse(network::EventLoadingFailed::IDENTIFIER, failed) {
            Event::RequestEnded(event) => assert_eq!(event.request_id, RequestId::new("R")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_member_in_use_is_required() {
        let parse = |params| Event::parse(network::EventRequestWillBeSent::IDENTIFIER, params);
        assert!(parse(r#"{"request":{"url":"https://a.test/"}}"#).is_err());
        assert!(
            parse(r#"{"requestId":"R","request":{"url":"https://a.test/"},"type":5}"#).is_err()
        );
        assert!(parse(r#"{"requestId":"R","request":{"url":"https://a.test/"}}"#).is_ok());
    }
}
