//! One page of a browser: loads what it is given.

mod script;
mod settle;

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::operation::Viewport;
use serde_json::{Value, json};

use super::connection::{Connection, Message, answer};
use super::state::{State, text};
use super::{Pace, Trouble};

/// Where a document is loaded from that comes from no web: a name that never exists, under which it has no access to
/// anything else.
const DOCUMENT_URL: &str = "https://document.invalid/";

/// How a document is loaded that comes from no web.
pub(crate) struct Document {
    /// HTML.
    pub(crate) bytes: Vec<u8>,
    /// The header that says what it is, and in which encoding, if that is known.
    pub(crate) content_type: String,
    /// Whether its scripts run.
    pub(crate) scripts: bool,
}

/// Why a page is not there.
#[derive(Debug)]
pub(crate) struct Unreached {
    /// The URL that did not answer as it should, after redirects.
    pub(crate) url: String,
    /// The status that it answered with, if it did.
    pub(crate) status: Option<u16>,
}

/// One page.
pub(crate) struct Page {
    connection: Connection,
    session: String,
    state: State,
    /// What is given for [`DOCUMENT_URL`]; everything else is refused then.
    document: Option<Document>,
    /// Whether it shows a document that comes from no web, all of which scripts of ours see.
    is_seen_through: bool,
}

/// Schemes that lead to files and to the browser itself; pages may not ask for them anyway.
const BLOCKED: [&str; 6] = [
    "file:*",
    "chrome:*",
    "chrome-untrusted:*",
    "devtools:*",
    "filesystem:*",
    "view-source:*",
];

impl Page {
    /// Opens a page of a browser that has just been started.
    pub(crate) fn open(mut connection: Connection, until: Instant) -> Result<Self, Trouble> {
        let options = json!({ "url": "about:blank" });
        let target = connection.ask("Target.createTarget", &options, until)?;
        let options = json!({ "targetId": text(&target, "targetId"), "flatten": true });
        let attached = connection.ask("Target.attachToTarget", &options, until)?;
        let deny = json!({ "behavior": "deny" });
        connection.ask("Browser.setDownloadBehavior", &deny, until)?;
        let mut page = Self {
            connection,
            session: text(&attached, "sessionId").to_owned(),
            state: State::default(),
            document: None,
            is_seen_through: false,
        };
        let tree = page.call("Page.getFrameTree", json!({}), until)?;
        let frame = tree.pointer("/frameTree/frame/id").and_then(Value::as_str);
        page.state.frame = frame.ok_or(Trouble::Gone)?.to_owned();
        page.call("Page.enable", json!({}), until)?;
        page.call("Network.enable", json!({}), until)?;
        page.call("Network.setBlockedURLs", json!({ "urls": BLOCKED }), until)?;
        Ok(page)
    }

    /// Whether it still answers.
    pub(crate) fn is_well(&mut self, until: Instant) -> bool {
        self.call("Page.getFrameTree", json!({}), until).is_ok()
    }

    /// Loads a document that comes from no web: whatever it asks for is refused.
    pub(crate) fn load_document(&mut self, document: Document, pace: &Pace) -> Result<(), Trouble> {
        if !document.scripts {
            let disabled = json!({ "value": true });
            self.call("Emulation.setScriptExecutionDisabled", disabled, pace.load)?;
        }
        self.is_seen_through = !has_shadows(&document.bytes);
        self.document = Some(document);
        self.call("Performance.enable", json!({}), pace.load)?;
        let everything = json!({ "patterns": [{ "urlPattern": "*" }] });
        self.call("Fetch.enable", everything, pace.load)?;
        self.navigate(DOCUMENT_URL, pace)?
            .map_err(|_| Trouble::Gone)
    }

    /// Loads a page from the web.
    pub(crate) fn load_url(
        &mut self,
        url: &str,
        pace: &Pace,
    ) -> Result<Result<(), Unreached>, Trouble> {
        self.navigate(url, pace)
    }

    /// Whether something outside was asked for and refused.
    pub(crate) fn asked_for_more(&self) -> bool {
        self.state.refused
    }

    /// Sends a command and waits for its answer.
    pub(super) fn call(
        &mut self,
        method: &str,
        params: Value,
        until: Instant,
    ) -> Result<Value, Trouble> {
        let id = self.send(method, &params)?;
        loop {
            let message = self.connection.receive(until)?.ok_or(Trouble::Late)?;
            if message.id == Some(id) {
                return answer(message);
            }
            self.take(message)?;
        }
    }

    /// Sends a command that a page refuses while it becomes another one, again and again for a moment until it is taken.
    pub(super) fn insist(
        &mut self,
        method: &str,
        params: &Value,
        until: Instant,
    ) -> Result<Value, Trouble> {
        const MOMENT: Duration = Duration::from_secs(2);
        const PAUSE: Duration = Duration::from_millis(50);
        let last = until.min(Instant::now() + MOMENT);
        loop {
            match self.call(method, params.clone(), until) {
                Err(Trouble::Refused) if Instant::now() < last => {
                    self.wait(Instant::now() + PAUSE, |_| false)?;
                }
                answer => return answer,
            }
        }
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<u64, Trouble> {
        self.connection.send(Some(&self.session), method, params)
    }

    fn navigate(&mut self, url: &str, pace: &Pace) -> Result<Result<(), Unreached>, Trouble> {
        let begun = self.call("Page.navigate", json!({ "url": url }), pace.load)?;
        if begun.get("errorText").is_some() {
            let url = self
                .state
                .asked_for
                .clone()
                .unwrap_or_else(|| url.to_owned());
            return Ok(Err(Unreached { url, status: None }));
        }
        self.settle(pace)?;
        Ok(self.reached())
    }

    /// Gives the page a style sheet that no page and no policy of its own keeps away: where its rules are `!important`, they
    /// have the last word.
    pub(crate) fn overrule(&mut self, rules: &str, until: Instant) -> Result<(), Trouble> {
        self.call("DOM.enable", json!({}), until)?;
        self.call("CSS.enable", json!({}), until)?;
        let frame = json!({ "frameId": self.state.frame });
        let sheet = self.call("CSS.createStyleSheet", frame, until)?;
        let rules = json!({ "styleSheetId": text(&sheet, "styleSheetId"), "text": rules });
        self.call("CSS.setStyleSheetText", rules, until).map(drop)
    }

    /// Sets the window in which the page is laid out.
    pub(crate) fn show_in(&mut self, viewport: &Viewport, until: Instant) -> Result<(), Trouble> {
        let window = json!({
            "width": viewport.width, "height": viewport.height, "deviceScaleFactor": viewport.scale, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", window, until)
            .map(drop)
    }

    /// Keeps the page where it is: what it leaves for from now on is given up before it is asked for. Where it has only just
    /// come to, it has a moment to be there.
    pub(crate) fn stay(&mut self, until: Instant) -> Result<(), Trouble> {
        const MOMENT: Duration = Duration::from_secs(1);
        let leaving = json!({ "patterns": [{ "urlPattern": "*", "resourceType": "Document" }] });
        self.call("Fetch.enable", leaving, until)?;
        self.wait(until.min(Instant::now() + MOMENT), |state| state.loaded)?;
        self.insist("Page.stopLoading", &json!({}), until).map(drop)
    }

    /// Whether the main document is one that its server meant to give.
    fn reached(&self) -> Result<(), Unreached> {
        if let Some(url) = &self.state.unreachable {
            let (url, status) = (url.clone(), None);
            return Err(Unreached { url, status });
        }
        match &self.state.document {
            Some((status, url)) if *status >= 400 => Err(Unreached {
                url: url.clone(),
                status: Some(*status),
            }),
            _ => Ok(()),
        }
    }

    /// Takes an event in and answers what the browser waits for.
    fn take(&mut self, message: Message) -> Result<(), Trouble> {
        if message.session_id != self.session {
            return Ok(());
        }
        match message.method.as_str() {
            "Inspector.targetCrashed" => return Err(Trouble::Gone),
            "Page.javascriptDialogOpening" => {
                // Nobody is there to answer.
                let refuse = json!({ "accept": false });
                self.send("Page.handleJavaScriptDialog", &refuse)?;
            }
            "Fetch.requestPaused" => self.give(&message.params)?,
            method => self.state.note(method, &message.params),
        }
        Ok(())
    }

    /// Gives the document to whoever asks for it first, and refuses everything else.
    fn give(&mut self, paused: &Value) -> Result<(), Trouble> {
        let id = text(paused, "requestId");
        let url = paused.pointer("/request/url").and_then(Value::as_str);
        let wanted = url == Some(DOCUMENT_URL);
        match self.document.take_if(|_| wanted) {
            Some(document) => {
                let body = STANDARD.encode(&document.bytes);
                let headers = [("Content-Type", &document.content_type)]
                    .map(|(name, value)| json!({ "name": name, "value": value }));
                let given = json!({
                    "requestId": id, "responseCode": 200, "responseHeaders": headers, "body": body,
                });
                self.send("Fetch.fulfillRequest", &given)?;
            }
            None => {
                // Of a page with a style sheet of ours the browser itself asks for the document once more.
                self.state.refused |= !wanted;
                // Aborted, so that a document that leads elsewhere stays where it is.
                let refused = json!({ "requestId": id, "errorReason": "Aborted" });
                self.send("Fetch.failRequest", &refused)?;
            }
        }
        Ok(())
    }
}

/// Whether a document may have shadow trees, which scripts may be kept from [HTML Standard, 4.12.3]. A letter has a second
/// byte in some encodings, which is zero then.
fn has_shadows(document: &[u8]) -> bool {
    const ATTRIBUTE: &[u8] = b"shadowroot";
    let letters = document.iter().filter(|byte| **byte != 0);
    let letters: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    letters
        .windows(ATTRIBUTE.len())
        .any(|part| part == ATTRIBUTE)
}
