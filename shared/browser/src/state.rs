//! The state of a page, updated by the browser's events.

use std::collections::HashSet;
use std::time::Instant;

use chromiumoxide_cdp::cdp::browser_protocol::network::{RequestId, ResourceType};
use chromiumoxide_cdp::cdp::browser_protocol::page::FrameId;

use crate::event::{Event, Frame, RequestWillBeSent, ResponseReceived};

/// The state of a page.
#[derive(Default)]
pub(crate) struct State {
    /// The page's main frame.
    pub(crate) frame: FrameId,
    /// Status and URL of the last response that became the main document.
    pub(crate) document: Option<(u16, String)>,
    /// The URL of the main frame if it could not be loaded.
    pub(crate) unreachable: Option<String>,
    /// The URL of the last request for the main document.
    pub(crate) requested: Option<String>,
    /// Number of documents that replaced the initial empty one, whose load event may come late.
    pub(crate) documents: u32,
    /// Whether the last document is `about:blank`.
    pub(crate) is_blank: bool,
    /// Whether the last document and its resources are loaded.
    pub(crate) loaded: bool,
    /// Whether an external resource was requested and refused.
    pub(crate) refused: bool,
    /// Requests without a response.
    pending: HashSet<RequestId>,
    /// When the last request ended.
    changed: Option<Instant>,
}

/// Maximum number of pending requests that are awaited.
const MAX_PENDING: usize = 10_000;
/// Requests that may never end, or whose result does not affect the page.
const NOT_AWAITED: [ResourceType; 4] = [
    ResourceType::EventSource,
    ResourceType::Ping,
    ResourceType::Prefetch,
    ResourceType::WebSocket,
];

impl State {
    /// Updates the state by an event.
    pub(crate) fn update(&mut self, event: Event) {
        match event {
            Event::RequestWillBeSent(event) => self.requested(event),
            Event::RequestEnded(event) => self.ended(&event.request_id),
            Event::ResponseReceived(event) => self.responded(event),
            Event::FrameNavigated(event) => self.navigated(event.frame),
            Event::LoadEventFired => self.loaded = self.documents > 0,
            Event::DialogOpening | Event::RequestPaused(_) | Event::TargetCrashed => {}
        }
    }

    /// When the last pending request ended; `None` while one is pending.
    pub(crate) fn quiet_since(&self) -> Option<Instant> {
        self.changed.filter(|_| self.pending.is_empty())
    }

    fn requested(&mut self, event: RequestWillBeSent) {
        let resource_type = event.r#type.as_ref();
        if self.is_main_document(resource_type, event.frame_id.as_ref()) {
            self.requested = Some(event.request.url);
        }
        let is_awaited =
            !resource_type.is_some_and(|resource_type| NOT_AWAITED.contains(resource_type));
        if is_awaited && self.pending.len() < MAX_PENDING {
            self.pending.insert(event.request_id);
        }
    }

    fn ended(&mut self, request: &RequestId) {
        self.pending.remove(request);
        self.changed = Some(Instant::now());
    }

    fn responded(&mut self, event: ResponseReceived) {
        if self.is_main_document(event.r#type.as_ref(), event.frame_id.as_ref()) {
            let status = event.response.status.max(0);
            let status = u16::try_from(status).unwrap_or(u16::MAX);
            self.document = Some((status, event.response.url));
        }
    }

    fn navigated(&mut self, frame: Frame) {
        if frame.id == self.frame {
            self.unreachable = frame.unreachable_url;
            self.is_blank = frame.url == "about:blank";
            self.documents += u32::from(self.documents > 0 || !self.is_blank);
            self.loaded = false;
            self.changed = Some(Instant::now());
        }
    }

    fn is_main_document(
        &self,
        resource_type: Option<&ResourceType>,
        frame: Option<&FrameId>,
    ) -> bool {
        resource_type == Some(&ResourceType::Document) && frame == Some(&self.frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::FrameNavigated;

    #[test]
    fn the_load_event_of_the_empty_page_is_not_that_of_the_document() {
        let mut state = State {
            frame: FrameId::new("main"),
            ..State::default()
        };
        let navigate = |state: &mut State, url: &str| {
            let frame = Frame {
                id: FrameId::new("main"),
                url: url.to_owned(),
                unreachable_url: None,
            };
            state.update(Event::FrameNavigated(FrameNavigated { frame }));
        };
        let load = |state: &mut State| state.update(Event::LoadEventFired);
        navigate(&mut state, "about:blank");
        load(&mut state);
        assert!(!state.loaded);
        navigate(&mut state, "https://document.invalid/");
        assert!(!state.loaded);
        load(&mut state);
        assert!(state.loaded);
        assert_eq!((state.documents, state.is_blank), (1, false));
        navigate(&mut state, "about:blank");
        assert_eq!((state.documents, state.is_blank), (2, true));
    }
}
