//! Request and result of the engine.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::{ArchiveContents, JobLimits, JobWarning};
use domain::ocr_part::OcrPart;
use domain::operation::Operation;
use domain::source::SourceUrl;

/// A document and the operations to apply.
pub struct Request<'a> {
    /// The operations, applied in order; at least one.
    pub steps: &'a [Operation],
    /// What to run of the only step, if that is `ocr` on a PDF.
    pub part: Option<&'a OcrPart>,
    /// Path of the source document.
    pub source: &'a Path,
    /// A web page that replaces the document; `declared_format` must be HTML. The first step loads it and `source` is not
    /// read.
    pub web_page: Option<&'a SourceUrl>,
    /// Additional input files in order: for each step at least the number that [`Operation::attachments`] returns.
    pub attachments: &'a [Attachment],
    /// Declared format of the document; checked against its bytes.
    pub declared_format: Format,
    /// The customer's filename; entries of a result archive are named after its stem.
    pub filename: &'a Filename,
    /// Limits of the account's plan.
    pub limits: JobLimits,
    /// A directory used by this job only, on a disk with room for source and result. The artifact is written there.
    pub scratch: &'a Path,
    /// Stops the work when set.
    pub stop: &'a AtomicBool,
    /// Called with the progress in percent, which never decreases.
    pub progress: &'a (dyn Fn(u8) + Sync),
    /// Called with the CPU time of each child that has exited, including its descendants.
    pub cpu_time: &'a (dyn Fn(ChildPurpose, Duration) + Sync),
}

/// What a child process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildPurpose {
    /// Makes the result, or a part of it.
    Operation,
    /// Verifies the result.
    Verification,
}

/// An additional input file of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Index of the step, from 0.
    pub step: usize,
    /// The file.
    pub path: PathBuf,
    /// Declared format; checked against the file's bytes.
    pub declared_format: Format,
}

/// A verified result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The file: in the scratch directory, or the source itself if the operation did not improve it.
    pub path: PathBuf,
    /// Media type.
    pub content_type: String,
    /// File extension, without the dot.
    pub extension: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the file, lower-case hexadecimal.
    pub sha256: String,
    /// Number of pages or images.
    pub pages: u32,
    /// Contents of the archive, if the result is one.
    pub contents: Option<ArchiveContents>,
    /// Warnings for the customer.
    pub warnings: Vec<JobWarning>,
    /// Engines, versions and font set that produced it.
    pub engine: String,
}
