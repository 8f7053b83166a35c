//! LibreOffice as a zygote (fork server): initialized once, forked for each document.
//!
//! Starting LibreOffice takes ten times as long as converting a small document, and a process that has converted one document
//! may be corrupted for the next. So the engine function starts its own executable again as the *zygote* ([`zygote::enter`]),
//! which initializes LibreOffice through its C interface (LibreOfficeKit), converts a few tiny documents to load everything
//! that conversions need, and then forks for each document. The fork is confined and monitored like every sandboxed child
//! ([`sandbox::run_forked`]), converts the document and exits. The zygote itself never reads a document.
//!
//! [`Zygote`] is the engine function's side: it starts the zygote, sends jobs, and replaces the zygote when it dies or becomes
//! suspicious.

mod client;
mod error;
pub mod kit;
mod process;
mod protocol;
mod socket;
pub mod zygote;

pub use client::Zygote;
pub use error::OfficeError;
pub use kit::{Document, EXIT_DIALOG, FontUsage, LibreOfficeKit, LoadError, SaveError};
