//! What an engine is asked, and what it answers.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::{ArchiveContents, JobLimits, Warning};
use domain::operation::Operation;
use domain::source::SourceUrl;

/// One document and what to do with it.
pub struct Request<'a> {
    /// The operations, applied in order; at least one.
    pub steps: &'a [Operation],
    /// The document.
    pub source: &'a Path,
    /// A page from the web instead of the document, `claimed` to be HTML: the first step loads it, and `source` is not
    /// read.
    pub web_page: Option<&'a SourceUrl>,
    /// The files that steps need beside it, in order: for each step at least as many as [`Operation::attachments`] names.
    pub attachments: &'a [Attachment],
    /// What the document claims to be; checked against its bytes.
    pub claimed: Format,
    /// The customer's name of the document; files inside an archive are named after its stem.
    pub filename: &'a Filename,
    /// What the account's plan allows.
    pub limits: JobLimits,
    /// A directory of this job alone, on a disk with room for source and result; the artifact lies in it.
    pub scratch: &'a Path,
    /// Ends the work early when raised.
    pub stop: &'a AtomicBool,
    /// Told how far the work is, 0 to 100, never falling.
    pub progress: &'a (dyn Fn(u8) + Sync),
    /// Told the processor time of each child that has ended, with that of all its processes.
    pub spent: &'a (dyn Fn(Duration) + Sync),
}

/// A file that a step needs beside the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The place of the step among the request's, from 0.
    pub step: usize,
    /// The file.
    pub path: PathBuf,
    /// What it claims to be; checked against its bytes.
    pub claimed: Format,
}

/// A verified result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The file; it lies in the scratch directory, or is the source itself when nothing better could be made.
    pub path: PathBuf,
    /// Its media type.
    pub content_type: String,
    /// Its extension, without the dot.
    pub extension: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, lower-case hexadecimal.
    pub sha256: String,
    /// How many pages or images it holds.
    pub pages: u32,
    /// What is inside, when it is an archive.
    pub contents: Option<ArchiveContents>,
    /// What is worth knowing about it.
    pub warnings: Vec<Warning>,
    /// Engines, versions and font set that made it.
    pub engine: String,
}
