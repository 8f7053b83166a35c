//! Schemas of the job routes.

mod pipeline;
mod saved;

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::id::{DocumentId, JobId, VersionId};
use domain::job::{
    Job, JobError, JobStatus, JobWarning, Output, OutputFile, StepRun, TimelineEntry,
};
use domain::processor::Processor;
use domain::source::SourceUrl;
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use pipeline::{CreatePipeline, PipelineCreated};
pub use saved::{PageJobCreated, SavedDocumentJobCreated};

use crate::BASE_PATH;

/// Maximum size of `metadata` as compact JSON, in bytes.
pub const METADATA_BYTES: usize = 16 * 1024;

/// Maximum size of `operations` as compact JSON, in bytes.
pub const OPERATIONS_BYTES: usize = 32 * 1024;

/// Maximum number of `operations`.
pub const MAX_OPERATIONS: usize = 8;

/// Body of `POST /jobs`. Exactly one of `sourceKey` and `url` is required.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["sourceKey"]}, {"required": ["url"]}]))]
#[schemars(transform = field::without_null)]
pub struct CreateJob {
    /// File name of the source, such as `report.docx`. The result is named after it.
    pub filename: Filename,
    /// Target format, as listed by `GET /formats`.
    pub format: String,
    /// Format of the source, or the extension of its files, such as `docm`. Default: inferred from the content type or the
    /// filename. The job fails with `content_mismatch` if the content has another format.
    pub input_format: Option<String>,
    /// The `sourceKey` of an upload.
    pub source_key: Option<String>,
    /// Public HTTPS URL of the source. It is fetched when the job is processed.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: Option<SourceUrl>,
    /// Operations to apply in order, before the conversion to `format`. Default: none.
    #[schemars(with = "Vec<Map<String, Value>>", length(max = 8))]
    pub operations: Option<Vec<Value>>,
    /// Your own data, returned with the job and its events: any JSON of up to 16 KB.
    pub metadata: Option<Map<String, Value>>,
}

impl CreateJob {
    /// Parses the body of `POST /jobs`.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$").map_err(|mut errors| {
            errors.extend(one_source(body));
            errors
        })?;
        let too_large = [
            ("metadata", METADATA_BYTES),
            ("operations", OPERATIONS_BYTES),
        ]
        .into_iter()
        .filter(|(name, most)| {
            body.get(name)
                .is_some_and(|member| member.to_string().len() > *most)
        })
        .map(|(name, most)| {
            FieldError::invalid(format!("$.{name}"), format!("must be at most {most} bytes"))
        });
        let count = request.operations.as_ref().map_or(0, Vec::len);
        let too_many = (count > MAX_OPERATIONS).then(|| {
            let message = format!("must be at most {MAX_OPERATIONS} operations");
            FieldError::invalid("$.operations", message)
        });
        let errors: Vec<_> = too_large.chain(too_many).chain(one_source(body)).collect();
        if errors.is_empty() {
            Ok(request)
        } else {
            Err(errors)
        }
    }
}

/// Returns the error of a body that does not have exactly one of `sourceKey` and `url`.
pub(crate) fn one_source(body: &Value) -> Option<FieldError> {
    let members = body.as_object()?;
    let (key, url) = (members.get("sourceKey"), members.get("url"));
    if [key, url].contains(&Some(&Value::Null)) {
        // Reported as a wrong type elsewhere.
        return None;
    }
    match (key.is_some(), url.is_some()) {
        (false, false) => Some(FieldError::new(
            "$.sourceKey",
            "missing_field",
            "is required unless url is given",
        )),
        (true, true) => Some(FieldError::invalid(
            "$.url",
            "cannot be combined with sourceKey",
        )),
        _ => None,
    }
}

/// An accepted job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobCreated {
    /// Identifier of the job.
    pub job_id: JobId,
    /// Status of the job. A replayed response has its current status.
    pub status: JobStatus,
    /// `false` if an earlier request with the same `Idempotency-Key` created the job.
    pub created: bool,
    /// Path of the job.
    pub status_url: String,
    /// Path of the result, available when the job is completed.
    pub result_url: String,
    /// The processor of the job, for diagnosis only.
    pub processor: Processor,
}

impl JobCreated {
    /// Creates the response for `job`.
    #[must_use]
    pub fn of(job: &Job, created: bool) -> Self {
        Self {
            job_id: job.id.clone(),
            status: job.status,
            created,
            status_url: status_url(&job.id),
            result_url: result_url(&job.id),
            processor: job.processor,
        }
    }
}

/// Recommended polling interval in seconds.
pub const POLL_AFTER: &str = "1";

/// Returns the path of a job.
#[must_use]
pub fn status_url(job: &JobId) -> String {
    format!("{BASE_PATH}/jobs/{job}")
}

/// Returns the path of a job's result.
#[must_use]
pub fn result_url(job: &JobId) -> String {
    format!("{BASE_PATH}/jobs/{job}/result")
}

/// The result of a completed job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobOutput {
    /// Media type.
    pub content_type: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the content, in lower-case hexadecimal.
    pub sha256: String,
    /// Number of pages or images.
    pub pages: u32,
}

/// A job.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobResource {
    /// Identifier of the job.
    pub job_id: JobId,
    /// Status of the job.
    pub status: JobStatus,
    /// Always `false`, since reading does not create a job.
    pub created: bool,
    /// Path of the job.
    pub status_url: String,
    /// Path of the result, available when the job is completed.
    pub result_url: String,
    /// The processor of the job, for diagnosis only.
    pub processor: Processor,
    /// File name of the source.
    pub filename: Filename,
    /// Name of the first operation.
    pub operation: String,
    /// Time of acceptance, in Unix milliseconds.
    pub created_at: Timestamp,
    /// Time of the last status change, in Unix milliseconds.
    pub updated_at: Timestamp,
    /// Expiry of the result, or of the job while there is no result, in Unix milliseconds.
    pub expires_at: Timestamp,
    /// Number of attempts so far.
    pub attempts: u32,
    /// Progress of the current attempt, in percent.
    #[schemars(extend("minimum" = 0, "maximum" = 100))]
    pub progress: u8,
    /// Credits charged; 0 after a refund.
    pub credits_charged: u32,
    /// The `metadata` of the request.
    pub metadata: Option<Value>,
    /// Warnings about the result.
    pub warnings: Vec<JobWarning>,
    /// Every status of the job so far.
    pub timeline: Vec<TimelineEntry>,
    /// The steps of a pipeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepRun>,
    /// The saved document that is processed.
    pub document_id: Option<DocumentId>,
    /// The version of the document that is processed.
    pub version_id: Option<VersionId>,
    /// Presigned URL of the result, valid for 15 minutes; only for completed jobs whose result has not expired.
    pub artifact_url: Option<String>,
    /// The result.
    pub output: Option<JobOutput>,
    /// Files of the result if it is an archive; not included in lists.
    pub files: Option<Vec<OutputFile>>,
    /// Why the job failed.
    pub error: Option<JobError>,
}

impl JobResource {
    /// Creates the response for `job`, with the presigned URL of its result if available.
    #[must_use]
    pub fn of(job: &Job, artifact_url: Option<String>) -> Self {
        Self {
            job_id: job.id.clone(),
            status: job.status,
            created: false,
            status_url: status_url(&job.id),
            result_url: result_url(&job.id),
            processor: job.processor,
            filename: job.filename.clone(),
            operation: job.operation().to_owned(),
            created_at: job.created_at,
            updated_at: job.updated_at,
            expires_at: job
                .output
                .as_ref()
                .map_or(job.expires_at, |output| output.expires_at),
            attempts: job.attempt,
            progress: job.progress,
            credits_charged: if job.refunded { 0 } else { job.charge.credits },
            metadata: job.metadata.clone(),
            warnings: job.warnings.clone(),
            timeline: job.timeline.clone(),
            steps: job.step_runs.clone(),
            document_id: job.document.as_ref().map(|work| work.document.clone()),
            version_id: job.document.as_ref().map(|work| work.version.clone()),
            artifact_url,
            output: job.output.as_ref().map(JobOutput::of),
            files: files(job),
            error: job.error.clone(),
        }
    }
}

impl JobResource {
    /// Creates the list entry of `job`, without a presigned URL and without the files of an archive, which may be thousands.
    #[must_use]
    pub fn listed(job: &Job) -> Self {
        Self {
            files: None,
            ..Self::of(job, None)
        }
    }
}

fn files(job: &Job) -> Option<Vec<OutputFile>> {
    let contents = job.output.as_ref()?.contents.as_ref()?;
    Some(contents.files(&job.filename))
}

impl JobOutput {
    fn of(output: &Output) -> Self {
        Self {
            content_type: output.content_type.clone(),
            size_bytes: output.size_bytes,
            sha256: output.sha256.clone(),
            pages: output.pages,
        }
    }
}

/// A page of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["jobs", "nextCursor"]))]
pub struct JobList {
    /// The jobs, newest first, without presigned URLs and without the files of archives.
    pub jobs: Vec<JobResource>,
    /// Cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn errors(body: &Value) -> Vec<String> {
        CreateJob::read(body)
            .unwrap_err()
            .into_iter()
            .map(|error| error.path)
            .collect()
    }

    fn body() -> Value {
        json!({"filename": "a.docx", "format": "pdf", "sourceKey": "src_1"})
    }

    fn with(name: &str, value: Value) -> Value {
        let mut body = body();
        body[name] = value;
        body
    }

    #[test]
    fn the_minimal_body_is_valid() {
        let request = CreateJob::read(&body()).unwrap();
        assert_eq!(
            (request.filename.as_str(), request.operations),
            ("a.docx", None)
        );
    }

    #[test]
    fn a_source_may_be_a_url() {
        let body = json!({"filename": "a.docx", "format": "pdf", "url": "https://example.org/a"});
        let request = CreateJob::read(&body).unwrap();
        assert_eq!(request.url, Some(SourceUrl::new("https://example.org/a")));
        assert!(!format!("{request:?}").contains("example.org"));
        assert_eq!(request.source_key, None);
    }

    #[test]
    fn errors_have_the_json_path() {
        assert_eq!(
            errors(&json!({})),
            ["$.filename", "$.format", "$.sourceKey"]
        );
        assert_eq!(
            errors(&with("url", json!("https://example.org/a.docx"))),
            ["$.url"]
        );
        assert_eq!(
            errors(&json!({"filename": "a.docx", "format": "pdf"})),
            ["$.sourceKey"]
        );
        assert_eq!(
            errors(&with("filename", json!("x".repeat(256)))),
            ["$.filename"]
        );
        assert_eq!(errors(&with("inputFormat", json!(null))), ["$.inputFormat"]);
        assert_eq!(errors(&with("url", json!(null))), ["$.url"]);
        let nulls = json!({"filename": "a", "format": "pdf", "sourceKey": null, "url": null});
        let error = CreateJob::read(&nulls).unwrap_err();
        assert_eq!(
            error,
            [FieldError::invalid("$.sourceKey", "must be a string")]
        );
        assert_eq!(errors(&with("operations", json!({}))), ["$.operations"]);
        assert_eq!(errors(&with("metadata", json!([]))), ["$.metadata"]);
        assert_eq!(
            errors(&with("operations", json!(vec![json!({}); 9]))),
            ["$.operations"]
        );
        assert!(CreateJob::read(&with("operations", json!(vec![json!({}); 8]))).is_ok());
        assert_eq!(
            errors(&with("metadata", json!({"k": "v".repeat(METADATA_BYTES)}))),
            ["$.metadata"]
        );
        assert_eq!(
            errors(&with("operations", json!(["o".repeat(OPERATIONS_BYTES)]))),
            ["$.operations"]
        );
    }
}
