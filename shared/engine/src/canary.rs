//! Shows at start-up that a browser's way out is the proxy and nothing else.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{ConvertOptions, Operation};
use domain::source::SourceUrl;
use sandbox::Scratch;

use crate::engines::Engines;
use crate::error::EngineError;
use crate::request::Request;

/// What the page may take: it is never loaded.
const LIMITS: JobLimits = JobLimits {
    file_bytes: 1,
    pages: 1,
    image_side: 1,
};

impl Engines {
    /// Has the browser load a page of this very machine, which only the guard keeps it from: the proxy has to have been
    /// asked, and nothing may have come past it. Blocks for about the time of one page.
    ///
    /// # Errors
    /// [`EngineError::Service`] if the browser does not start, or goes its own way.
    pub fn prove_web_is_guarded(&self, scratch_base: &Path) -> Result<(), EngineError> {
        let failed = |error| EngineError::service("the canary cannot be set up", error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let answer = self.load(&format!("http://127.0.0.1:{port}/canary"), scratch_base);
        let came_past = listener.accept().is_ok();
        match answer {
            Err(EngineError::Document(error))
                if error.code == JobErrorCode::FetchBlocked && !came_past =>
            {
                Ok(())
            }
            Err(EngineError::Service(reason)) => Err(EngineError::Service(reason)),
            other => Err(EngineError::Service(format!(
                "the browser goes round its proxy (connection: {came_past}, outcome: {other:?})"
            ))),
        }
    }

    fn load(&self, url: &str, scratch_base: &Path) -> Result<(), EngineError> {
        let scratch = Scratch::create(Some(scratch_base))
            .map_err(|error| EngineError::service("the canary has no scratch", error))?;
        let filename = Filename::try_from("canary.html".to_owned())
            .map_err(|_| EngineError::Service("the canary has no name".to_owned()))?;
        let steps = [Operation::Convert(ConvertOptions::to(Format::Pdf))];
        let loaded = self.run(&Request {
            steps: &steps,
            source: &scratch.path().join("source"),
            web_page: Some(&SourceUrl::new(url)),
            attachments: &[],
            claimed: Format::Html,
            filename: &filename,
            limits: LIMITS,
            scratch: scratch.path(),
            stop: &AtomicBool::new(false),
            progress: &|_| {},
            spent: &|_| {},
        });
        let wiped = scratch.wipe();
        wiped.map_err(|error| EngineError::service("the canary's scratch is left", error))?;
        loaded.map(drop)
    }
}
