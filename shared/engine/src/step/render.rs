//! The part of a step that a browser does: opens the way that its page may take, and asks the proxy what became of it.

use std::path::Path;

use domain::job::{JobError, JobErrorCode};
use task::{Printed, Product, WebAccess, WebPage, WebProxy};

use super::Step;
use crate::child::RENDER;
use crate::error::EngineError;
use crate::operation::{Module, for_browser};
use crate::outcome::report;

impl Step<'_> {
    /// Prints the step's document, or the page that the job is about if this is its first step.
    pub(super) fn render(&self, module: &Module, directory: &Path) -> Result<Product, EngineError> {
        let mut task = self.task(directory, None);
        let url = self.request.web_page.filter(|_| self.index == 0);
        let proxy = url.map(|_| self.open_proxy()).transpose()?;
        let page = url.zip(proxy.as_ref());
        task.page = page.map(|(url, proxy)| WebPage {
            url: url.reveal().to_owned(),
            proxy: proxy.port(),
            trusted_key: self.web.and_then(WebAccess::trusted_key),
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
            (Printed::Done(product), _) => Ok(product),
            (Printed::Unreached { url, status }, Some(proxy)) => {
                Err(unreached(&url, status, proxy.as_ref()))
            }
            (Printed::Unreached { .. }, None) => Err(crate::outcome::crashed()),
        }
    }

    fn open_proxy(&self) -> Result<Box<dyn WebProxy>, EngineError> {
        let missing = || EngineError::Service("no way to the web was opened".to_owned());
        let opened = self.web.ok_or_else(missing)?.open();
        opened.map_err(|error| EngineError::service("a proxy cannot be opened", error))
    }
}

fn unreached(url: &str, status: Option<u16>, proxy: &dyn WebProxy) -> EngineError {
    if proxy.has_refused(url) {
        return document(
            JobErrorCode::FetchBlocked,
            "The URL leads to where this service may not go.".to_owned(),
        );
    }
    let message = match status {
        // The proxy, too, answers so when it does not get through.
        None | Some(502 | 504) => "The page could not be loaded: see that its URL answers with a web page, without signing in.".to_owned(),
        Some(status) => format!("The page answered with status {status}."),
    };
    document(JobErrorCode::FetchFailed, message)
}

fn exceeded() -> EngineError {
    let message = "The page and what it shows take more bytes than is allowed.";
    document(JobErrorCode::InputTooLarge, message.to_owned())
}

fn document(code: JobErrorCode, message: String) -> EngineError {
    EngineError::Document(JobError::new(code, message))
}
