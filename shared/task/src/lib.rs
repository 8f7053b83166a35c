//! Types that the parent process, its sandboxed children and the engines share for one step of a job: the task, the inspection
//! of the source, the output, its warnings, and the error.
//!
//! This crate links no decoder, so that crates which need only these types do not link one either.

mod catalog;
pub mod comparison;
pub mod engine_versions;
mod error;
pub mod expected_text;
pub mod file;
pub mod info;
pub mod magic;
pub mod matrix;
pub mod options;
pub mod page_selection;
pub mod password;
pub mod progress;
mod task;
mod warning;
mod web;

pub use self::catalog::Catalog;
pub use self::error::{TaskError, TaskResult};
pub use self::task::{
    AttachmentFile, Inspection, OCR_JOURNAL, OUTPUT, Product, Report, Task, TextProperties,
    Verified,
};
pub use self::warning::{
    DroppedContent, FontSubstitution, HiddenContent, MissingContent, Places, RemovedParts,
    Shortfall, Unverified, Warning,
};
pub use self::web::{PrintReport, WebAccess, WebPage, WebProxy};
