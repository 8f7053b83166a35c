//! The job record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::archive::ArchiveContents;
use super::source::{Attachment, JobSource};
use super::status::JobStatus;
use crate::filename::Filename;
use crate::format::Format;
use crate::id::{AccountId, DocumentId, JobId, VersionId};
use crate::operation::Operation;
use crate::plan::PlanLimits;
use crate::processor::Processor;
use crate::timestamp::Timestamp;

/// Why a job failed. Later releases may add codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobErrorCode {
    /// The document is damaged and cannot be read.
    InputCorrupt,
    /// The document has no content.
    InputEmpty,
    /// The content of the document does not match its declared format.
    ContentMismatch,
    /// The document exceeds the limits of the plan or of the engine.
    InputTooLarge,
    /// The document has more pages than the plan allows.
    TooManyPages,
    /// The document can be opened only with a password.
    PasswordRequired,
    /// The given password does not open the document.
    PasswordIncorrect,
    /// The permissions of the document do not allow the operation.
    PermissionDenied,
    /// The document does not have the requested pages.
    PageRangeInvalid,
    /// The form of the document does not accept the given fields or values.
    FieldsInvalid,
    /// The source no longer exists, or its content changed after the job was accepted.
    SourceMissing,
    /// The URL could not be fetched.
    FetchFailed,
    /// The URL, or one that it redirects to, is not allowed.
    FetchBlocked,
    /// The engine exceeded the time limit.
    EngineTimeout,
    /// The engine crashed while processing the document.
    EngineCrashed,
    /// The engine exceeded the memory limit.
    EngineOutOfMemory,
    /// The requested result cannot be produced from this document, or it did not pass verification.
    OutputInvalid,
    /// The result misses content of the source.
    OutputIncomplete,
    /// The result exceeds the size limit.
    OutputTooLarge,
    /// The job was cancelled.
    Cancelled,
    /// The service failed.
    InternalError,
}

/// The error of a failed job, shown to its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobError {
    /// Machine-readable code.
    pub code: JobErrorCode,
    /// What happened and what to do.
    pub message: String,
}

impl JobError {
    /// Creates an error.
    #[must_use]
    pub fn new(code: JobErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// A warning about a valid result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Warning")]
pub struct JobWarning {
    /// Stable code, one of `already_optimal`, `limited_by_plan`, `quality_lowered`, `larger_than_source`, `no_text_layer`,
    /// `image_not_drawn`, `drawing_rasterized`, `text_not_searchable`, `text_may_be_cut`, `text_kept`, `low_confidence`, `external_link_blocked`, `page_count_mended`,
    /// `damage_repaired`, `protection_removed`, `signature_invalidated`, `fields_kept`, `xfa_dropped`, `sanitized`, `metadata_packet_dropped`,
    /// `transparency_removed`, `animation_dropped`, `pages_dropped`, `pages_failed`, `colors_reduced`, `fonts_replaced`, `glyphs_missing`,
    /// `color_profile_dropped`, `text_recognized_before`, `text_recognized`, `language_mismatch`, `characters_unknown`, `tags_ignored`,
    /// `tables_guessed`, `content_dropped`, `content_missing`, `content_not_verified`, `content_reordered`, `content_shrunk`,
    /// `limited_by_size`, `hidden_left_out`, `chart_left_out`, `object_left_out`, `picture_missing`, `text_outside_tables`,
    /// `sheets_left_out`, `nested_tables_dissolved`, `formulas_not_calculated`, `drawings_left_out`, `text_not_recognized`,
    /// `comments_left_out`, `headers_left_out`, `master_text_left_out`, `links_left_out`, `attachments_left_out`,
    /// `tags_left_out`, `fields_flattened` and `damage_left_out`. Later releases may add codes.
    pub code: String,
    /// Human-readable explanation.
    pub message: String,
    /// What the message says, as data: counts, `pages`, `cells`, names. The members depend on the code.
    #[serde(default)]
    pub data: Map<String, Value>,
}

impl JobWarning {
    /// Whether the result misses content of the source that a strict job requires.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        LOSSES.contains(&self.code.as_str())
    }
}

/// Codes of the warnings that fail a strict job.
const LOSSES: [&str; 4] = [
    "content_missing",
    "glyphs_missing",
    "limited_by_size",
    "pages_failed",
];

/// An entry of the job's timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEntry {
    /// The new status.
    pub status: JobStatus,
    /// Time of the transition, in Unix milliseconds.
    pub at: Timestamp,
    /// Number of the attempt; 0 before the first.
    pub attempt: u32,
}

/// The result of a completed job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Object key, relative to the prefix of account and job.
    pub object: String,
    /// File name for downloads.
    pub filename: Filename,
    /// Media type.
    pub content_type: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub sha256: String,
    /// Number of pages or images.
    pub pages: u32,
    /// The files in the archive, if the result is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<ArchiveContents>,
    /// Engine, its version and the font set.
    pub engine: String,
    /// Time at which the content is deleted.
    pub expires_at: Timestamp,
}

/// How the result of a job relates to a saved document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentWork {
    /// The document.
    pub document: DocumentId,
    /// The version to process, and the parent of the result.
    pub version: VersionId,
    /// The page to process, counted from 1; `None` for the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// What the result is used for.
    pub result: DocumentResult,
}

/// What the result of a job on a saved document is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentResult {
    /// A new version. It becomes the current version if the media type is unchanged and the whole document was processed.
    Version,
    /// The pages of the inspected version. Such a job is internal: it is free and not listed.
    Pages,
}

/// The status of a pipeline step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Not started.
    Waiting,
    /// Completed: an engine performed the step.
    Completed,
    /// The artifact of an earlier attempt or job on the same input was reused.
    Reused,
    /// Failed; see the error of the job.
    Failed,
}

/// The last run of a pipeline step.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepRun {
    /// Name of the operation.
    pub operation: String,
    /// Status of the step.
    pub status: StepStatus,
    /// Number of the attempt; 0 while waiting.
    pub attempt: u32,
    /// Start time, in Unix milliseconds.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub started_at: Option<Timestamp>,
    /// End time, in Unix milliseconds.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub ended_at: Option<Timestamp>,
}

impl StepRun {
    /// Returns the step runs of a pipeline before its start; empty for jobs of other processors.
    #[must_use]
    pub fn waiting(processor: Processor, steps: &[Operation]) -> Vec<Self> {
        let waiting = |operation: &Operation| Self {
            operation: operation.name().to_owned(),
            status: StepStatus::Waiting,
            attempt: 0,
            started_at: None,
            ended_at: None,
        };
        match processor {
            Processor::ProcessPipeline => steps.iter().map(waiting).collect(),
            _ => Vec::new(),
        }
    }
}

/// Limits of the account's plan when the job was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobLimits {
    /// Maximum size of the source in bytes.
    pub file_bytes: u64,
    /// Maximum number of pages.
    pub pages: u32,
    /// Maximum side of an output image in pixels.
    pub image_side: u32,
}

impl From<&PlanLimits> for JobLimits {
    fn from(limits: &PlanLimits) -> Self {
        Self {
            file_bytes: limits.file_bytes,
            pages: limits.pages,
            image_side: limits.image_side,
        }
    }
}

/// The charge of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Charge {
    /// Price in credits, independent of the plan's unit.
    pub credits: u32,
    /// Units added to the plan's counter; 0 for an unmetered plan.
    pub units: u32,
    /// The UTC day charged, such as `2026-11-21`.
    pub day: String,
}

/// A job record.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Version of the record format.
    pub record_version: u32,
    /// Identifier of the job.
    pub id: JobId,
    /// Owner.
    pub account_id: AccountId,
    /// Status.
    pub status: JobStatus,
    /// Number of claims so far; the fencing token of the current attempt.
    pub attempt: u32,
    /// Number of the last allowed attempt.
    pub attempt_limit: u32,
    /// Time of acceptance.
    pub created_at: Timestamp,
    /// Time of the last status change.
    pub updated_at: Timestamp,
    /// Time at which the record is deleted.
    pub expires_at: Timestamp,
    /// File name of the source.
    pub filename: Filename,
    /// Declared format of the source.
    pub input_format: Format,
    /// Format of the result.
    pub format: Format,
    /// The operations, in order.
    pub steps: Vec<Operation>,
    /// The processor.
    pub processor: Processor,
    /// The source document.
    pub source: JobSource,
    /// The attachments of the steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// The saved document, if the source is one or a pipeline saves its result to one.
    pub document: Option<DocumentWork>,
    /// Limits of the plan at acceptance.
    pub limits: JobLimits,
    /// The charge.
    pub charge: Charge,
    /// Retention of the result in days.
    pub result_days: u32,
    /// Whether the job fails if its result misses content of the source.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// Client data, returned unchanged.
    pub metadata: Option<Value>,
    /// W3C trace context of the request that created the job.
    pub traceparent: Option<String>,
    /// End of the current worker's lease.
    pub lease_until: Option<Timestamp>,
    /// Earliest time of the next attempt.
    pub not_before: Option<Timestamp>,
    /// Progress of the current attempt, 0 to 100.
    #[serde(default)]
    pub progress: u8,
    /// The result.
    pub output: Option<Output>,
    /// The error of a failed job.
    pub error: Option<JobError>,
    /// Whether the charge was refunded. A redriven job is not charged again.
    #[serde(default)]
    pub refunded: bool,
    /// Warnings about the result.
    #[serde(default)]
    pub warnings: Vec<JobWarning>,
    /// Every status so far.
    #[serde(default)]
    pub timeline: Vec<TimelineEntry>,
    /// The step runs of a pipeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub step_runs: Vec<StepRun>,
}

impl Job {
    /// The current version of the record format.
    pub const RECORD_VERSION: u32 = 1;

    /// Whether the job is internal to the service, and therefore not listed for the account.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        let internal = |work: &DocumentWork| work.result == DocumentResult::Pages;
        self.document.as_ref().is_some_and(internal)
    }

    /// Returns the name of the first operation, which represents the job in lists.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.steps.first().map_or("convert", Operation::name)
    }
}
