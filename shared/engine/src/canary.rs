//! Check before the first web page: a browser reaches the network only through the proxy.

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

/// Limits of the page, which is never loaded.
const LIMITS: JobLimits = JobLimits {
    file_bytes: 1,
    pages: 1,
    image_side: 1,
};

impl Engines {
    /// Loads a page from a loopback listener that the proxy must block. Succeeds if the proxy blocked the request and no
    /// connection reached the listener. Blocks for about the duration of one page load; `stop` ends it early.
    ///
    /// # Errors
    /// [`EngineError::Service`] if the browser does not start or bypasses the proxy.
    pub fn check_browser_uses_proxy(
        &self,
        scratch_base: &Path,
        stop: &AtomicBool,
    ) -> Result<(), EngineError> {
        let failed = |error| EngineError::service("the canary cannot be set up", error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let url = format!("http://127.0.0.1:{port}/canary");
        let outcome = self.load_page(&url, scratch_base, stop);
        let bypassed = listener.accept().is_ok();
        match outcome {
            Err(EngineError::Document(error))
                if error.code == JobErrorCode::FetchBlocked && !bypassed =>
            {
                Ok(())
            }
            Err(error @ (EngineError::Service(_) | EngineError::Stopped)) => Err(error),
            other => Err(EngineError::Service(format!(
                "the browser bypasses its proxy (connection: {bypassed}, outcome: {other:?})"
            ))),
        }
    }

    fn load_page(
        &self,
        url: &str,
        scratch_base: &Path,
        stop: &AtomicBool,
    ) -> Result<(), EngineError> {
        let scratch = Scratch::create(Some(scratch_base)).map_err(|error| {
            EngineError::service("the canary's scratch directory cannot be created", error)
        })?;
        let filename = Filename::try_from("canary.html".to_owned())
            .map_err(|_| EngineError::Service("the canary's filename is invalid".to_owned()))?;
        let steps = [Operation::Convert(ConvertOptions::to(Format::Pdf))];
        let loaded = self.run(&Request {
            steps: &steps,
            part: None,
            source: &scratch.path().join("source"),
            web_page: Some(&SourceUrl::new(url)),
            attachments: &[],
            declared_format: Format::Html,
            filename: &filename,
            limits: LIMITS,
            scratch: scratch.path(),
            stop,
            progress: &|_| {},
            cpu_time: &|_, _| {},
        });
        let wiped = scratch.wipe();
        wiped.map_err(|error| {
            EngineError::service("the canary's scratch directory cannot be removed", error)
        })?;
        loaded.map(drop)
    }
}
