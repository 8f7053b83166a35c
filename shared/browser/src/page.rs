//! A page (CDP target with its session): loads a document or a URL.

mod script;
mod settle;

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide_cdp::cdp::browser_protocol::browser::{
    SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::emulation::{
    SetDeviceMetricsOverrideParams, SetScriptExecutionDisabledParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::fetch::{
    self, FailRequestParams, FulfillRequestParams, HeaderEntry, RequestPattern,
};
use chromiumoxide_cdp::cdp::browser_protocol::network::{
    self, BlockPattern, ErrorReason, ResourceType, SetBlockedUrLsParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::page::{
    self, GetFrameTreeParams, HandleJavaScriptDialogParams, NavigateParams, StopLoadingParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::target::{
    AttachToTargetParams, AttachToTargetReturns, CreateTargetParams, CreateTargetReturns, SessionId,
};
use chromiumoxide_cdp::cdp::browser_protocol::{css, dom, performance};
use chromiumoxide_types::{CallId, Command};
use domain::operation::Viewport;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::connection::Connection;
use crate::event::{Event, RequestPaused};
use crate::message::Message;
use crate::returns::{GetFrameTree, Navigate};
use crate::state::State;
use crate::{BrowserError, Deadlines};

pub(crate) use self::settle::none_if_not_executed;

/// The URL under which a document without a URL is loaded: its host never resolves, and its origin has no access to others.
/// From the directories of its path, the browser resolves relative links that lead upwards.
pub const DOCUMENT_URL: &str = "https://document.invalid/1/2/3/4/";

/// A document without a URL.
pub struct Document {
    /// HTML.
    pub bytes: Vec<u8>,
    /// The `Content-Type` header, with the encoding if it is known.
    pub content_type: String,
    /// Whether scripts of the document run.
    pub scripts: bool,
}

/// The URL of a page that did not load.
#[derive(Debug)]
pub struct LoadFailure {
    /// The URL, after redirects.
    pub url: String,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
}

/// A page.
pub struct Page {
    connection: Connection,
    session: SessionId,
    state: State,
    /// The response for [`DOCUMENT_URL`], until it is sent; all other requests are refused.
    document: Option<Document>,
    /// Whether the page is a document without shadow trees, so that the driver's scripts can query every element.
    no_shadow_trees: bool,
    /// Whether scripts of the page run.
    pub(crate) runs_scripts: bool,
    /// Number of documents up to the requested one.
    documents: u32,
}

/// URLs of files and of the browser itself. Pages cannot request them anyway.
const BLOCKED: [&str; 6] = [
    "file:*",
    "chrome:*",
    "chrome-untrusted:*",
    "devtools:*",
    "filesystem:*",
    "view-source:*",
];

impl Page {
    /// Opens an empty page of a browser that has just been started.
    pub(crate) fn open(mut connection: Connection, until: Instant) -> Result<Self, BrowserError> {
        let create = CreateTargetParams::new("about:blank");
        let target: CreateTargetReturns = connection.call(&create, until)?;
        let attach = AttachToTargetParams {
            target_id: target.target_id,
            flatten: Some(true),
        };
        let attached: AttachToTargetReturns = connection.call(&attach, until)?;
        let deny = SetDownloadBehaviorParams::new(SetDownloadBehaviorBehavior::Deny);
        connection.call::<IgnoredAny>(&deny, until)?;
        let mut page = Self {
            connection,
            session: attached.session_id,
            state: State::default(),
            document: None,
            no_shadow_trees: false,
            runs_scripts: true,
            documents: 1,
        };
        let tree: GetFrameTree = page.call(&GetFrameTreeParams {}, until)?;
        page.state.frame = tree.frame_tree.frame.id;
        page.run(&page::EnableParams::default(), until)?;
        page.run(&network::EnableParams::default(), until)?;
        let blocked = BLOCKED.map(|url| BlockPattern::new(url, true));
        let blocked = SetBlockedUrLsParams {
            url_patterns: Some(blocked.into()),
        };
        page.run(&blocked, until)?;
        Ok(page)
    }

    /// Whether the page still responds.
    pub fn responds(&mut self, until: Instant) -> bool {
        self.run(&GetFrameTreeParams {}, until).is_ok()
    }

    /// Loads a document without a URL. All requests of the document are refused.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects a command or does not respond before the deadlines.
    pub fn load_document(
        &mut self,
        document: Document,
        deadlines: &Deadlines,
    ) -> Result<(), BrowserError> {
        let until = deadlines.load;
        self.runs_scripts = document.scripts;
        if !document.scripts {
            self.run(&SetScriptExecutionDisabledParams::new(true), until)?;
        }
        self.no_shadow_trees = !may_have_shadow_trees(&document.bytes);
        self.document = Some(document);
        self.run(&performance::EnableParams::default(), until)?;
        self.intercept(None, until)?;
        self.navigate(DOCUMENT_URL, deadlines)?
            .map_err(|_| BrowserError::Closed)
    }

    /// Loads a page from the web.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects a command or does not respond before the deadlines. The inner result fails
    /// if the page did not load.
    pub fn load_url(
        &mut self,
        url: &str,
        deadlines: &Deadlines,
    ) -> Result<Result<(), LoadFailure>, BrowserError> {
        self.navigate(url, deadlines)
    }

    /// Whether the document requested an external resource, which was refused.
    pub fn refused_requests(&self) -> bool {
        self.state.refused
    }

    /// Whether the page navigated away from the requested document without a request that could be refused: to
    /// `about:blank`, or to a `blob:` URL of its own.
    pub fn was_replaced(&self) -> bool {
        self.state.documents > self.documents
    }

    /// Sends a command and waits for its response.
    pub(crate) fn run(
        &mut self,
        command: &impl Command,
        until: Instant,
    ) -> Result<(), BrowserError> {
        self.call::<IgnoredAny>(command, until).map(drop)
    }

    /// Sends a command and waits for the result.
    pub(crate) fn call<R: DeserializeOwned>(
        &mut self,
        command: &impl Command,
        until: Instant,
    ) -> Result<R, BrowserError> {
        let id = self.send(command)?;
        loop {
            let message = self.connection.receive(until)?;
            match message.ok_or(BrowserError::TimedOut)? {
                Message::Response(response) if response.id == id => {
                    return response.result(&command.identifier());
                }
                message => self.handle(message)?,
            }
        }
    }

    /// Sends a command that a page rejects while it navigates, and retries it for a moment.
    pub(crate) fn call_with_retry<R: DeserializeOwned>(
        &mut self,
        command: &impl Command,
        until: Instant,
    ) -> Result<R, BrowserError> {
        const RETRY_FOR: Duration = Duration::from_secs(2);
        const PAUSE: Duration = Duration::from_millis(50);
        let last = until.min(Instant::now() + RETRY_FOR);
        loop {
            match self.call(command, until) {
                Err(BrowserError::Rejected { .. }) if Instant::now() < last => {
                    self.wait(Instant::now() + PAUSE, |_| false)?;
                }
                result => return result,
            }
        }
    }

    fn send(&mut self, command: &impl Command) -> Result<CallId, BrowserError> {
        self.connection.send(Some(&self.session), command)
    }

    /// Pauses the page's requests of one resource type, or all of them.
    fn intercept(
        &mut self,
        resource_type: Option<ResourceType>,
        until: Instant,
    ) -> Result<(), BrowserError> {
        let pattern = RequestPattern {
            url_pattern: Some("*".to_owned()),
            resource_type,
            request_stage: None,
        };
        let enable = fetch::EnableParams {
            patterns: Some(vec![pattern]),
            handle_auth_requests: None,
        };
        self.run(&enable, until)
    }

    fn navigate(
        &mut self,
        url: &str,
        deadlines: &Deadlines,
    ) -> Result<Result<(), LoadFailure>, BrowserError> {
        let navigation: Navigate = self.call(&NavigateParams::new(url), deadlines.load)?;
        if navigation.error_text.is_some() {
            let requested = self.state.requested.clone();
            let url = requested.unwrap_or_else(|| url.to_owned());
            return Ok(Err(LoadFailure { url, status: None }));
        }
        self.settle(deadlines)?;
        Ok(self.load_result())
    }

    /// Adds a style sheet, which no policy of the page blocks. Its `!important` rules override the page's own.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn add_style_sheet(&mut self, rules: &str, until: Instant) -> Result<(), BrowserError> {
        self.run(&dom::EnableParams::default(), until)?;
        self.run(&css::EnableParams {}, until)?;
        let create = css::CreateStyleSheetParams::new(self.state.frame.clone());
        let sheet: css::CreateStyleSheetReturns = self.call(&create, until)?;
        let text = css::SetStyleSheetTextParams::new(sheet.style_sheet_id, rules);
        self.run(&text, until)
    }

    /// Sets the viewport in which the page is laid out.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn set_viewport(
        &mut self,
        viewport: &Viewport,
        until: Instant,
    ) -> Result<(), BrowserError> {
        let (width, height) = (viewport.width, viewport.height);
        let metrics = SetDeviceMetricsOverrideParams::new(width, height, viewport.scale, false);
        self.run(&metrics, until)
    }

    /// Keeps the page from navigating away: further navigations are aborted before they are requested. A navigation that
    /// has just been committed has a moment to load.
    ///
    /// # Errors
    ///
    /// Fails if the browser is closed, rejects the command or does not respond before `until`.
    pub fn block_navigation(&mut self, until: Instant) -> Result<(), BrowserError> {
        const LOAD_TIME: Duration = Duration::from_secs(1);
        self.intercept(Some(ResourceType::Document), until)?;
        self.wait(until.min(Instant::now() + LOAD_TIME), |state| state.loaded)?;
        self.call_with_retry::<IgnoredAny>(&StopLoadingParams {}, until)?;
        if !self.state.is_blank {
            self.documents = self.state.documents;
        }
        Ok(())
    }

    /// Whether the main document loaded with a status of success.
    fn load_result(&self) -> Result<(), LoadFailure> {
        if let Some(url) = &self.state.unreachable {
            let (url, status) = (url.clone(), None);
            return Err(LoadFailure { url, status });
        }
        match &self.state.document {
            Some((status, url)) if *status >= 400 => Err(LoadFailure {
                url: url.clone(),
                status: Some(*status),
            }),
            _ => Ok(()),
        }
    }

    /// Handles an event of this page, and sends the commands that the browser waits for.
    fn handle(&mut self, message: Message) -> Result<(), BrowserError> {
        match message {
            Message::Event { session, event } if session.as_ref() == Some(&self.session) => {
                match event {
                    Event::TargetCrashed => Err(BrowserError::Closed),
                    // A dialog would block the page.
                    Event::DialogOpening => self
                        .send(&HandleJavaScriptDialogParams::new(false))
                        .map(drop),
                    Event::RequestPaused(paused) => self.fulfill_or_refuse(paused),
                    event => {
                        self.state.update(event);
                        Ok(())
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// Responds to the first request for the document, and refuses all other requests.
    fn fulfill_or_refuse(&mut self, paused: RequestPaused) -> Result<(), BrowserError> {
        let is_document = paused.request.url == DOCUMENT_URL;
        match self.document.take_if(|_| is_document) {
            Some(document) => {
                let content_type = HeaderEntry::new("Content-Type", document.content_type);
                let mut fulfill = FulfillRequestParams::new(paused.request_id, 200);
                fulfill.response_headers = Some(vec![content_type]);
                fulfill.body = Some(STANDARD.encode(&document.bytes).into());
                self.send(&fulfill).map(drop)
            }
            None => {
                // After a style sheet was added, the browser requests the document once more.
                self.state.refused |= !is_document;
                // `Aborted` keeps the current document when the request is a navigation.
                let refuse = FailRequestParams::new(paused.request_id, ErrorReason::Aborted);
                self.send(&refuse).map(drop)
            }
        }
    }
}

/// Whether a document may have shadow trees, which scripts may be unable to see [HTML Standard, 4.12.3]. In UTF-16 a letter
/// has a second byte, which is zero.
fn may_have_shadow_trees(document: &[u8]) -> bool {
    const ATTRIBUTE: &[u8] = b"shadowroot";
    let letters = document.iter().filter(|byte| **byte != 0);
    let letters: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    letters
        .windows(ATTRIBUTE.len())
        .any(|part| part == ATTRIBUTE)
}
