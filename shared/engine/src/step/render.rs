//! Renders with a browser: opens the proxy for a web page, and maps the proxy's findings to job errors.

use std::path::Path;

use domain::job::{JobError, JobErrorCode};
use task::{PrintReport, Product, WebAccess, WebPage, WebProxy};

use super::Step;
use crate::child::RENDER;
use crate::error::EngineError;
use crate::operation::{Module, for_browser};
use crate::outcome::report;

impl Step<'_> {
    /// Renders the step's document, or the job's web page in the first step.
    pub(super) fn render(&self, module: &Module, directory: &Path) -> Result<Product, EngineError> {
        let mut task = self.task(directory, None);
        let url = self.request.web_page.filter(|_| self.index == 0);
        let proxy = url.map(|_| self.open_proxy()).transpose()?;
        let page = url.zip(proxy.as_ref());
        task.page = page.map(|(url, proxy)| WebPage {
            url: url.reveal().to_owned(),
            proxy: proxy.port(),
            interception_key_hash: self.web.and_then(WebAccess::interception_key_hash),
        });
        let limits = for_browser(self.limits(module), task.page.is_some());
        let printed = match self.claim(&task, limits)? {
            Some(finished) => report(Ok::<_, EngineError>(finished)),
            None => self.report(&task, RENDER, limits),
        };
        if proxy.as_ref().is_some_and(|proxy| proxy.is_exceeded()) {
            return Err(exceeded());
        }
        match (printed?, proxy) {
            (PrintReport::Done(product), _) => Ok(product),
            (PrintReport::Unreachable { url, status }, Some(proxy)) => {
                Err(unreached(&url, status, proxy.as_ref()))
            }
            (PrintReport::Unreachable { .. }, None) => Err(crate::outcome::crashed()),
        }
    }

    fn open_proxy(&self) -> Result<Box<dyn WebProxy>, EngineError> {
        let missing = || EngineError::Service("web access is not enabled".to_owned());
        let opened = self.web.ok_or_else(missing)?.open();
        opened.map_err(|error| EngineError::service("the proxy cannot be opened", error))
    }
}

fn unreached(url: &str, status: Option<u16>, proxy: &dyn WebProxy) -> EngineError {
    if proxy.has_blocked(url) {
        return document(
            JobErrorCode::FetchBlocked,
            "The URL resolves to an address that this service does not connect to.".to_owned(),
        );
    }
    let message = match status {
        // The proxy responds with these statuses as well when it cannot connect.
        None | Some(502 | 504) => "The page could not be loaded. Check that its URL returns a web page without signing in.".to_owned(),
        Some(status) => format!("The page's server responded with status {status}."),
    };
    document(JobErrorCode::FetchFailed, message)
}

fn exceeded() -> EngineError {
    let message = "The page and its resources exceed the size limit.";
    document(JobErrorCode::InputTooLarge, message.to_owned())
}

fn document(code: JobErrorCode, message: String) -> EngineError {
    EngineError::Document(JobError::new(code, message))
}
