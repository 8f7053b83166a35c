//! LibreOffice, begun once and forked for each document.
//!
//! Beginning LibreOffice costs ten times what a small document does, and a process that has converted one document may be
//! damaged for the next. So the processor's own executable is started again as the *zygote* ([`zygote::enter`]): it
//! begins LibreOffice through its C interface (LibreOfficeKit), converts a few tiny documents to have everything loaded,
//! and then forks for each document. The fork is confined and watched as every sandboxed child is
//! ([`sandbox::run_forked`]), converts the document and ends. The zygote itself never sees a byte of a document.
//!
//! [`Zygote`] is the processor's side: it starts the zygote, hands jobs over, and starts it again when it dies or is
//! suspected.

mod client;
mod error;
pub mod kit;
mod process;
mod protocol;
mod socket;
pub mod zygote;

pub use client::Zygote;
pub use error::OfficeError;
pub use kit::{Document, EXIT_UNANSWERED, FontUse, Kit, LoadError, SaveError};
