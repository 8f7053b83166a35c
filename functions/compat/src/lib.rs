//! Compatibility routes: single-request conversions. Each creates a job; for URL sources the response is the job's result if
//! it completes in time.
#![cfg_attr(test, allow(missing_docs))]

mod anonymous;
mod compress;
mod convert;
mod job_request;
mod merge;
mod ocr;
mod pdf;
mod poll;
mod rate_limit;
mod response;
mod sample;
mod sandbox;
mod settings;
mod source;
#[cfg(test)]
mod tests;
mod web_page;

use std::sync::Arc;

use domain::key::Pepper;
use domain::ports::{Callers, Jobs, Objects, Queues, Uploads, Usage};
use fetch::Policy;
use runtime::api::{Api, Authenticator, Issuer, Request};

pub use rate_limit::AnonymousRateLimit;
pub use settings::Settings;

/// Ports that the compatibility routes use.
pub trait Ports: Callers + Jobs + Objects + Queues + Uploads + Usage + 'static {}

impl<P> Ports for P where P: Callers + Jobs + Objects + Queues + Uploads + Usage + 'static {}

/// State shared by the handlers.
struct Compat<P> {
    ports: Arc<P>,
    pepper: Pepper,
    settings: Settings,
}

impl<P> Compat<P> {
    /// Returns the guard for source URLs. It also rejects the host names of the request, so that the service cannot be made to
    /// call itself.
    fn guard(&self, request: &Request) -> Policy {
        self.settings.guard.with_own_hosts(request.own_hosts())
    }
}

/// Creates the compatibility routes over `ports`.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    settings: Settings,
) -> Api<impl Send + Sync + 'static> {
    let callers = Arc::clone(&ports) as Arc<dyn Callers>;
    let authenticator = Authenticator::new(callers, pepper.clone(), issuer);
    let compat = Compat {
        ports,
        pepper,
        settings,
    };
    Api::new("compat", Arc::new(compat), Some(authenticator))
        .route("convertDocument", convert::convert_document)
        .route("recognizeText", ocr::recognize_text)
        .route("compressDocument", compress::compress_document)
        .route("processPdf", pdf::process_pdf)
        .route("mergeFiles", merge::merge_files)
        .route("renderWebPage", web_page::render_web_page)
        .route("convertSample", sandbox::convert_sample)
}
