//! What is known about a job.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// Why a job failed: a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobErrorCode {
    /// The document is damaged beyond reading.
    InputCorrupt,
    /// The document holds nothing.
    InputEmpty,
    /// The document is not what it claims to be.
    ContentMismatch,
    /// The document is larger than the plan or the engine's limits allow.
    InputTooLarge,
    /// The document has more pages than the plan allows.
    TooManyPages,
    /// The document opens only with a password.
    PasswordRequired,
    /// The password given does not open the document.
    PasswordIncorrect,
    /// The document forbids the operation.
    PermissionDenied,
    /// The pages named are not in the document.
    PageRangeInvalid,
    /// The source is no longer there, or is no longer the one that was accepted.
    SourceMissing,
    /// The remote source could not be fetched.
    FetchFailed,
    /// The remote source may not be fetched.
    FetchBlocked,
    /// The engine took too long.
    EngineTimeout,
    /// The engine crashed on this document.
    EngineCrashed,
    /// The engine needed more memory than allowed.
    EngineOutOfMemory,
    /// What was asked for cannot be made of this document, or the engine's result did not pass verification.
    OutputInvalid,
    /// The result is larger than allowed.
    OutputTooLarge,
    /// The job was cancelled.
    Cancelled,
    /// The service is at fault.
    InternalError,
}

/// Why a job failed, as shown to its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobError {
    /// A code of the closed list.
    pub code: JobErrorCode,
    /// What happened and what to do about it.
    pub message: String,
}

impl JobError {
    /// An error with its explanation.
    #[must_use]
    pub fn new(code: JobErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// Something worth knowing about a result that is right all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// One of `already_optimal`, `limited_by_plan`, `quality_lowered`, `larger_than_source`, `no_text_layer`,
    /// `image_not_drawn`, `text_may_be_cut`, `text_kept`, `low_confidence`, `external_link_blocked`,
    /// `page_count_mended`, `damage_repaired`, `protection_removed`, `signature_invalidated`, `fields_kept`,
    /// `metadata_packet_dropped`, `transparency_removed`, `animation_dropped`, `pages_dropped`, `colours_reduced`, `fonts_replaced`,
    /// `colour_profile_dropped`, `text_recognised_before`, `text_recognised`, `characters_unknown`, `tags_ignored`,
    /// `tables_guessed`, `content_dropped`, `hidden_left_out`, `chart_left_out`, `object_left_out`, `picture_missing`,
    /// `nested_tables_dissolved`, `formulas_not_calculated` and `damage_left_out`. More may come.
    pub code: String,
    /// What it means.
    pub message: String,
}

/// One move in a job's life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEntry {
    /// The status that began.
    pub status: JobStatus,
    /// When, in Unix milliseconds.
    pub at: Timestamp,
    /// The attempt that it belongs to; 0 before the first.
    pub attempt: u32,
}

/// The result of a completed job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Name in the object store, without the account and job that it lies under.
    pub object: String,
    /// The name that a download gets.
    pub filename: Filename,
    /// The media type.
    pub content_type: String,
    /// The size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the bytes, lower-case hexadecimal.
    pub sha256: String,
    /// How many pages or images the result holds.
    pub pages: u32,
    /// What is inside, when the result is an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<ArchiveContents>,
    /// Engine, version and font set that made it.
    pub engine: String,
    /// When the bytes are deleted.
    pub expires_at: Timestamp,
}

/// What a job's result becomes in the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentWork {
    /// The document.
    pub document: DocumentId,
    /// The version that is processed, and the parent of the result.
    pub version: VersionId,
    /// The page that is processed, counted from 1; the whole document when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// What becomes of the result.
    pub result: DocumentResult,
}

/// What becomes of the result of a job on a saved document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentResult {
    /// A new version: the current one when the media type is unchanged and the whole document was processed.
    Version,
    /// The pages of the version that was looked at. Such a job is Octavo's own: it costs nothing and is in no list.
    Pages,
}

/// How a step of a pipeline went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Its turn has not come.
    Waiting,
    /// An engine did it.
    Completed,
    /// Its result was there from an earlier attempt or job on the same bytes.
    Reused,
    /// It could not be done; the job's error tells why.
    Failed,
}

/// One step of a pipeline, as it went in the last attempt.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepRun {
    /// The operation.
    pub operation: String,
    /// How it went.
    pub status: StepStatus,
    /// The attempt that it went so in; 0 while it waits.
    pub attempt: u32,
    /// When it began, in Unix milliseconds.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub started_at: Option<Timestamp>,
    /// When it ended, in Unix milliseconds.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub ended_at: Option<Timestamp>,
}

impl StepRun {
    /// The steps of a pipeline before any of them begins; none for a job of another processor.
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

/// What the account's plan allowed when the job was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobLimits {
    /// Largest source in bytes.
    pub file_bytes: u64,
    /// Most pages.
    pub pages: u32,
    /// Longest side of an image that is put out, in pixels.
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

/// What was charged for a job, and to which period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Charge {
    /// The price in credits, whatever the plan counts.
    pub credits: u32,
    /// What the plan's counter was raised by; 0 for a plan that counts nothing.
    pub units: u32,
    /// The UTC day that it was charged to, as `2026-11-21`.
    pub day: String,
}

/// The record of a job.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Version of this record's form.
    pub record_version: u32,
    /// The job's identifier.
    pub id: JobId,
    /// Its owner.
    pub account_id: AccountId,
    /// Where it stands.
    pub status: JobStatus,
    /// Fencing number: how often it was claimed.
    pub attempt: u32,
    /// The last attempt that may be made.
    pub attempt_limit: u32,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
    /// When the record is deleted.
    pub expires_at: Timestamp,
    /// The name of the source.
    pub filename: Filename,
    /// The format that the source claims to have.
    pub input_format: Format,
    /// The format of the result.
    pub format: Format,
    /// What is done, in order.
    pub steps: Vec<Operation>,
    /// Who does it.
    pub processor: Processor,
    /// What it is done to.
    pub source: JobSource,
    /// What its steps need beside the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// What the result becomes in the library, when the source is a saved document or a pipeline names one.
    pub document: Option<DocumentWork>,
    /// What the plan allowed at acceptance.
    pub limits: JobLimits,
    /// What was charged.
    pub charge: Charge,
    /// How long the result is kept, in days.
    pub result_days: u32,
    /// The client's own data, given back as it came.
    pub metadata: Option<Value>,
    /// W3C trace context of the request that created the job.
    pub traceparent: Option<String>,
    /// Until when the present worker holds the job.
    pub lease_until: Option<Timestamp>,
    /// Before when the next attempt is not due.
    pub not_before: Option<Timestamp>,
    /// How far the present attempt is, 0 to 100.
    #[serde(default)]
    pub progress: u8,
    /// The result.
    pub output: Option<Output>,
    /// Why it failed.
    pub error: Option<JobError>,
    /// Whether the charge was given back. It is charged once, so a job sent round again stays free.
    #[serde(default)]
    pub refunded: bool,
    /// What is worth knowing about the result.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// Every status that it has had.
    #[serde(default)]
    pub timeline: Vec<TimelineEntry>,
    /// How each step went, in a pipeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub step_runs: Vec<StepRun>,
}

impl Job {
    /// The present form of the record.
    pub const RECORD_VERSION: u32 = 1;

    /// Whether the job is Octavo's own, and in no list of its account's.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        let internal = |work: &DocumentWork| work.result == DocumentResult::Pages;
        self.document.as_ref().is_some_and(internal)
    }

    /// The first operation's name, which stands for the job in lists.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.steps.first().map_or("convert", Operation::name)
    }
}
