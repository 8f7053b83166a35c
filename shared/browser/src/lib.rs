//! Driver of a headless browser (Chrome DevTools Protocol): loads one document or web page, and prints it to PDF or captures
//! a screenshot.
//!
//! The protocol runs over a pair of pipes, so there is no debugging port that a page or another process could connect to. The
//! sandbox confines the browser and this driver alike. Messages from the browser are untrusted input, and so is the driver's
//! report to its parent.

mod capture;
mod connection;
mod error;
mod event;
mod fit;
mod launch;
mod message;
mod page;
mod print;
mod returns;
mod state;

use std::time::{Duration, Instant};

pub use self::capture::{Area, capture};
pub use self::error::BrowserError;
pub use self::fit::{Fitted, Paper, READABLE_SCALE, SourceText};
pub use self::launch::{NetworkAccess, launch};
pub use self::page::{DOCUMENT_URL, Document, LoadFailure, Page};
pub use self::print::{PrintOptions, print};

/// Deadlines for the stages of a page. A page that is not complete by its deadline is rendered as it is.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// The document itself and its resources.
    pub load: Instant,
    /// Resources requested later: lazy images, fonts, scripts that fetch.
    pub settle: Instant,
    /// Printing or capturing.
    pub print: Instant,
    /// How long no request may be pending before the page counts as settled.
    pub quiet: Duration,
}

impl Deadlines {
    /// Deadlines from now on, each stage with its time in seconds.
    pub fn new(load: u64, settle: u64, print: u64, quiet: Duration) -> Self {
        let load = Instant::now() + Duration::from_secs(load);
        let settle = load + Duration::from_secs(settle);
        Self {
            load,
            settle,
            print: settle + Duration::from_secs(print),
            quiet,
        }
    }
}
