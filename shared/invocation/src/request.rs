//! The request of an invocation.

use domain::filename::Filename;
use domain::format::Format;
use domain::job::JobLimits;
use domain::ocr_part::OcrPart;
use domain::operation::Operation;
use domain::ports::{PresignedGet, UploadForm};
use domain::source::SourceUrl;
use serde::{Deserialize, Serialize};

/// An invocation of an engine function.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// [`crate::VERSION`] of the coordinator.
    pub version: u32,
    /// The job, for the log of the engine function.
    pub job: JobContext,
    /// What to do.
    pub work: Work,
}

/// Identifies the job in logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobContext {
    /// The job id.
    pub job_id: String,
    /// Number of the attempt.
    pub attempt: u32,
    /// W3C trace context of the request that created the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}

/// What an engine function does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one value an invocation"
)]
pub enum Work {
    /// Runs operations on a document.
    Run(Box<RunRequest>),
    /// Returns the fingerprint of the engines for an operation: a part of cache keys.
    Fingerprint {
        /// The operation.
        operation: Operation,
        /// Format of the document.
        format: Format,
    },
}

/// Operations on a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRequest {
    /// The operations, applied in order; at least one.
    pub steps: Vec<Operation>,
    /// What the run does of its only step, if that is `ocr` on a PDF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<OcrPart>,
    /// The document.
    pub source: Source,
    /// Declared format of the document; checked against its bytes.
    pub format: Format,
    /// Additional input files of the steps, in order.
    pub attachments: Vec<Attachment>,
    /// The customer's filename; entries of a result archive are named after its stem.
    pub filename: Filename,
    /// Limits of the account's plan.
    pub limits: JobLimits,
    /// Where the result is uploaded.
    pub output: UploadForm,
    /// Maximum time for everything, in milliseconds, so that the coordinator gets a response before it times out.
    pub time_ms: u64,
}

/// The document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum Source {
    /// A stored file.
    File(Input),
    /// A web page that a browser loads.
    WebPage {
        /// Its URL.
        url: SourceUrl,
    },
}

/// A stored file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// How to download it.
    pub get: PresignedGet,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Expected SHA-256, lower-case hexadecimal, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// An additional input file of a step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Index of the step, from 0.
    pub step: usize,
    /// Declared format; checked against the file's bytes.
    pub format: Format,
    /// The file.
    pub file: Input,
}
