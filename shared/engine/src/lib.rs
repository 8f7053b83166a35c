//! Runs the operations of a job on a document: takes files and options, returns a result file and its metadata.
//!
//! The parent process ([`Engines`]) starts sandboxed children, reads their reports and manages the files; it never parses
//! untrusted bytes. The inspection of the source, the operation and the verification of the result run in children
//! ([`child`]). Verification always runs in its own child and uses a different library from the one that made the result.
//! [`Modules`] maps each operation to its module.

// Both crates link JPEG libraries that export the same symbols, and the linker uses the first definition. This order
// selects mozjpeg, which is needed for encoding; libqpdf never decodes JPEG.
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

pub use artifact::size_and_sha256;
pub use child::child;
pub use engines::Engines;
pub use error::EngineError;
pub use modules::Modules;
pub use ocr::to_json_with_ocr;
pub use pdf::content::content_json;
pub use request::{Artifact, Attachment, ChildPurpose, Request};
pub use task::{WebAccess, WebProxy};
