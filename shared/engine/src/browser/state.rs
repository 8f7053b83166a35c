//! What is known of a page from the events that the browser sends.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::Value;

/// What is known of a page.
#[derive(Default)]
pub(super) struct State {
    /// The page's main frame.
    pub(super) frame: String,
    /// Status and URL of the last answer that became the main document.
    pub(super) document: Option<(u16, String)>,
    /// Where the main frame is that could not be loaded.
    pub(super) unreachable: Option<String>,
    /// Where the main document was last looked for.
    pub(super) asked_for: Option<String>,
    /// Whether there is another document than the empty one that a page begins with, whose end of loading may come late.
    begun: bool,
    /// Whether the last document and what it holds are loaded.
    pub(super) loaded: bool,
    /// Whether something outside was asked for and not given.
    pub(super) refused: bool,
    /// Requests that are under way.
    pending: BTreeSet<String>,
    /// When the last request ended.
    changed: Option<Instant>,
}

/// More requests at once than a page has; the rest is not waited for.
const PENDING: usize = 10_000;
/// Requests that do not end by themselves, or whose end changes nothing.
const ENDLESS: [&str; 4] = ["EventSource", "Ping", "Prefetch", "WebSocket"];

impl State {
    /// Takes an event in.
    pub(super) fn note(&mut self, method: &str, params: &Value) {
        match method {
            "Network.requestWillBeSent" => self.begin(params),
            "Network.loadingFinished" | "Network.loadingFailed" => self.end(params),
            "Network.responseReceived" => self.answered(params),
            "Page.frameNavigated" => self.navigated(params.get("frame").unwrap_or(params)),
            "Page.loadEventFired" => self.loaded = self.begun,
            _ => {}
        }
    }

    /// Since when nothing is under way; `None` while something is.
    pub(super) fn quiet_since(&self) -> Option<Instant> {
        self.changed.filter(|_| self.pending.is_empty())
    }

    fn begin(&mut self, params: &Value) {
        let kind = text(params, "type");
        if self.is_main_document(params) {
            let url = params.get("request").map(|request| text(request, "url"));
            self.asked_for = url.map(str::to_owned);
        }
        if !ENDLESS.contains(&kind) && self.pending.len() < PENDING {
            self.pending.insert(text(params, "requestId").to_owned());
        }
    }

    fn end(&mut self, params: &Value) {
        self.pending.remove(text(params, "requestId"));
        self.changed = Some(Instant::now());
    }

    fn answered(&mut self, params: &Value) {
        let Some(response) = params.get("response") else {
            return;
        };
        if self.is_main_document(params) {
            let status = response.get("status").and_then(Value::as_u64).unwrap_or(0);
            let status = u16::try_from(status).unwrap_or(u16::MAX);
            self.document = Some((status, text(response, "url").to_owned()));
        }
    }

    fn navigated(&mut self, frame: &Value) {
        if text(frame, "id") == self.frame {
            let unreachable = frame.get("unreachableUrl").and_then(Value::as_str);
            self.unreachable = unreachable.map(str::to_owned);
            self.begun |= text(frame, "url") != "about:blank";
            self.loaded = false;
            self.changed = Some(Instant::now());
        }
    }

    fn is_main_document(&self, params: &Value) -> bool {
        text(params, "type") == "Document" && text(params, "frameId") == self.frame
    }
}

/// A text of an object; empty if there is none.
pub(super) fn text<'a>(object: &'a Value, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_end_of_the_empty_page_is_not_that_of_the_document() {
        let mut state = State {
            frame: "main".to_owned(),
            ..State::default()
        };
        let arrive = |state: &mut State, url: &str| {
            let frame = json!({ "frame": { "id": "main", "url": url } });
            state.note("Page.frameNavigated", &frame);
        };
        arrive(&mut state, "about:blank");
        state.note("Page.loadEventFired", &json!({}));
        assert!(!state.loaded);
        arrive(&mut state, "https://document.invalid/");
        assert!(!state.loaded);
        state.note("Page.loadEventFired", &json!({}));
        assert!(state.loaded);
    }
}
