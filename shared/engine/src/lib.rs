//! Turns a document into a result: files and options in, files and facts out. Knows no account, request or cloud.
//!
//! The parent side ([`Engines`]) only starts sandboxed children, reads their reports and looks after the files. Whatever
//! parses bytes that a customer sent runs in a child ([`child`]): the inspection of the source, the operation, and the
//! verification of the result, the latter always in a child of its own and with another library than the result was
//! made with. Which module does which operation is one table, `operation::MODULES`.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

// Both bring JPEG libraries with functions of the same names, of which the linker takes those that it meets first. In this
// order these are mozjpeg's; libqpdf is never asked to decode JPEG. In the other one nothing would encode JPEG any more.
extern crate qpdf_sys as _;

extern crate mozjpeg as _;

mod archive;
mod arrangement;
mod artifact;
mod browser;
mod budget;
mod canary;
mod child;
mod destinations;
mod engines;
mod error;
mod fault;
mod glibc;
mod graft;
mod inspect;
mod installed;
mod layout;
mod lettering;
mod matrix;
mod objects;
mod operation;
mod outcome;
mod password;
mod patch;
mod pdfium;
mod picture;
mod progress;
mod qpdf;
mod remark;
mod request;
mod spare;
mod step;
mod syntax;
mod task;
mod trees;
mod verify;
mod web;

pub use self::layout::told;
pub use artifact::weigh;
pub use child::child;
pub use engines::Engines;
pub use error::EngineError;
pub use request::{Artifact, Attachment, Request};
pub use web::{WebAccess, WebProxy};
