//! Turns a document into a result: files and options in, files and facts out. Knows no account, request or cloud.
//!
//! The parent side ([`Engines`]) only starts sandboxed children, reads their reports and looks after the files. Whatever
//! parses bytes that a customer sent runs in a child ([`child`]): the inspection of the source, the operation, and the
//! verification of the result, the latter always in a child of its own and with another library than the result was
//! made with. Which module does which operation is one table, [`Modules`].

// Both bring JPEG libraries with functions of the same names, of which the linker takes those that it meets first. In this
// order these are mozjpeg's; libqpdf is never asked to decode JPEG. In the other one nothing would encode JPEG any more.
extern crate qpdf_sys as _;

extern crate mozjpeg as _;

mod artifact;
mod budget;
mod canary;
mod child;
mod engines;
mod error;
mod installed;
mod modules;
mod operation;
mod outcome;
mod prewarmed;
mod request;
mod step;

pub use artifact::weigh;
pub use child::child;
pub use engines::Engines;
pub use error::EngineError;
pub use modules::Modules;
pub use ocr::told_by_ocr;
pub use pdf::content::told;
pub use request::{Artifact, Attachment, Request};
pub use task::{WebAccess, WebProxy};
