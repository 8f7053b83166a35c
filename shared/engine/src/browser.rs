//! A browser that a child starts and drives: loads one document or one page, and prints it or takes a picture of it.
//!
//! Driven over the DevTools protocol on a pair of pipes, so that there is no port on which a page or anybody else could
//! speak to it. Both browser and driver are confined alike: what the browser says is not trusted here, and neither is
//! what is reported of it by whoever reads the report.

mod capture;
mod connection;
mod launch;
mod page;
mod print;
mod state;

use std::time::{Duration, Instant};

use domain::job::JobErrorCode;
use task::Fault;

pub(crate) use self::capture::{Area, capture};
pub(crate) use self::launch::{Way, launch};
pub(crate) use self::page::{Document, Page};
pub(crate) use self::print::{Layout, print};

/// Why a browser does not do what it is asked.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It or the page's process is gone, or speaks no sense.
    Gone,
    /// It did not answer in time.
    Late,
    /// It says that it cannot.
    Refused,
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Gone | Trouble::Refused => Self::document(
                JobErrorCode::EngineCrashed,
                "The engine crashed on the document.",
            ),
            Trouble::Late => Self::document(
                JobErrorCode::EngineTimeout,
                "Working on the document took too long.",
            ),
        }
    }
}

/// Until when what has to be done. What is not loaded by then is shown as it is.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// The document itself and what it asks for.
    pub(crate) load: Instant,
    /// What it asks for later: lazy images, fonts, scripts that fetch.
    pub(crate) settle: Instant,
    /// Printing or taking a picture.
    pub(crate) print: Instant,
    /// How long nothing may be asked for before the page counts as settled.
    pub(crate) quiet: Duration,
}

impl Pace {
    /// From now on, each stage with its time in seconds.
    pub(crate) fn begin(load: u64, settle: u64, print: u64, quiet: Duration) -> Self {
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
