//! The compatibility forms: each makes a job like any other, and those whose client can wait answer with its result.
#![cfg_attr(test, allow(missing_docs))]

mod answer;
mod budget;
mod compress;
mod convert;
mod form;
mod merge;
mod ocr;
mod pdf;
mod public;
mod sample;
mod sandbox;
mod settings;
mod source;
#[cfg(test)]
mod tests;
mod wait;
mod web_page;

use std::sync::Arc;

use domain::key::Pepper;
use domain::ports::{Callers, Jobs, Objects, Queues, Uploads, Usage};
use fetch::Policy;
use runtime::api::{Api, Call, Gate, Issuer};

pub use budget::Budget;
pub use settings::Settings;

/// What the compatibility forms may do.
pub trait Ports: Callers + Jobs + Objects + Queues + Uploads + Usage + 'static {}

impl<P> Ports for P where P: Callers + Jobs + Objects + Queues + Uploads + Usage + 'static {}

/// What the handlers share.
struct Compat<P> {
    ports: Arc<P>,
    pepper: Pepper,
    settings: Settings,
}

impl<P> Compat<P> {
    /// The guard of what a request wants to have fetched, which may not lead back to where the request came in.
    fn guard(&self, call: &Call) -> Policy {
        self.settings.guard.with_own(call.own_hosts())
    }
}

/// The compatibility forms over `ports`.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    settings: Settings,
) -> Api<impl Send + Sync + 'static> {
    let callers = Arc::clone(&ports) as Arc<dyn Callers>;
    let gate = Gate::new(callers, pepper.clone(), issuer);
    let compat = Compat {
        ports,
        pepper,
        settings,
    };
    Api::new("compat", Arc::new(compat), Some(gate))
        .route("convertDocument", convert::convert_document)
        .route("recogniseText", ocr::recognise_text)
        .route("compressDocument", compress::compress_document)
        .route("processPdf", pdf::process_pdf)
        .route("mergeFiles", merge::merge_files)
        .route("renderWebPage", web_page::render_web_page)
        .route("convertSample", sandbox::convert_sample)
}
