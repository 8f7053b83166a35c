//! What parent and child tell each other about one step of a job.

use std::path::PathBuf;

use domain::format::Format;
use domain::job::{JobError, JobLimits, entry_name};
use domain::operation::Operation;
use serde::{Deserialize, Serialize};

use crate::installed::Build;

/// What a child is asked. Every entry gets the same, and takes what it needs.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    /// The operation.
    pub(crate) operation: Operation,
    /// The document.
    pub(crate) source: PathBuf,
    /// What the document claims to be.
    pub(crate) from: Format,
    /// What the operation is to leave.
    pub(crate) to: Format,
    /// What the account's plan allows.
    pub(crate) limits: JobLimits,
    /// Where the step's files lie.
    pub(crate) directory: PathBuf,
    /// The only directory that the child may write to: `directory`, but not for verification.
    pub(crate) scratch: PathBuf,
    /// What files inside an archive are named after.
    pub(crate) stem: String,
    /// The library that reads PDF.
    pub(crate) pdfium: Option<PathBuf>,
    /// The installation of LibreOffice that the source is laid out for.
    pub(crate) office: Option<Build>,
    /// What is to be verified.
    pub(crate) product: Option<Product>,
}

impl Task {
    /// Where the result of the step lies.
    pub(crate) fn output(&self) -> PathBuf {
        self.directory.join(OUTPUT)
    }

    /// Where inspection puts a decrypted copy of the source if it has to make one.
    pub(crate) fn unlocked(&self) -> PathBuf {
        self.directory.join("unlocked.pdf")
    }

    /// The name of a file inside an archive, counted from 1.
    pub(crate) fn entry_name(&self, number: usize) -> String {
        entry_name(&self.stem, number, self.to)
    }
}

/// The file that holds the result of a step. The parent never takes a name from a child.
pub(crate) const OUTPUT: &str = "output";

/// What inspection found out about a source.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Inspection {
    /// How many pages it has, where that can be told.
    pub(crate) pages: Option<u32>,
    /// How to read it, if it is text.
    pub(crate) text: Option<TextFacts>,
}

/// How to read a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextFacts {
    /// The encoding's name in the WHATWG Encoding Standard.
    pub(crate) encoding: String,
    /// What stands between the fields of a CSV file.
    pub(crate) separator: Option<char>,
}

/// What an operation made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Product {
    /// How many pages or images it holds, where the operation knows.
    pub(crate) pages: Option<u32>,
    /// Sizes in bytes of the files inside, when the result is an archive.
    pub(crate) entries: Vec<u64>,
    /// Width and height in pixels of each image.
    pub(crate) sides: Vec<(u32, u32)>,
    /// Whether the source itself is the best result.
    pub(crate) unchanged: bool,
    /// Whether the plan allowed a smaller image only.
    pub(crate) limited: bool,
}

/// What verification found in a result.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Verified {
    /// How many pages or images it holds.
    pub(crate) pages: u32,
}

/// What a child reports.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report<T> {
    /// The work is done.
    Done(T),
    /// The document or the request is at fault.
    Document(JobError),
    /// The service is at fault.
    Service(String),
}
