//! Shapes of the job routes.

mod pipeline;
mod saved;

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::id::{DocumentId, JobId, VersionId};
use domain::job::{Job, JobError, JobStatus, Output, OutputFile, StepRun, TimelineEntry, Warning};
use domain::processor::Processor;
use domain::source::SourceUrl;
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use pipeline::{CreatePipeline, PipelineCreated};
pub use saved::{PageJobCreated, SavedDocumentJobCreated};

use crate::BASE_PATH;

/// Most bytes of `metadata`, as compact JSON.
pub const METADATA_BYTES: usize = 16 * 1024;

/// Most bytes of `operations`, as compact JSON.
pub const OPERATIONS_BYTES: usize = 32 * 1024;

/// Most items of `operations`.
pub const MAX_OPERATIONS: usize = 8;

/// Body of `POST /jobs`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["sourceKey"]}, {"required": ["url"]}]))]
#[schemars(transform = field::without_null)]
pub struct CreateJob {
    /// The name of the source; the result is named after it.
    pub filename: Filename,
    /// The format that is wanted, as `GET /formats` names it.
    pub format: String,
    /// The format of the source, checked against its bytes. When missing, its type or name has to tell.
    pub input_format: Option<String>,
    /// The `sourceKey` of an upload; either this or `url`.
    pub source_key: Option<String>,
    /// The public HTTPS address of the source; either this or `sourceKey`. The processor fetches it.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: Option<SourceUrl>,
    /// What is done to the source, in order, before it is turned into `format`.
    #[schemars(with = "Vec<Map<String, Value>>", length(max = 8))]
    pub operations: Option<Vec<Value>>,
    /// Your own data, given back as it came: at most 16 KB.
    pub metadata: Option<Map<String, Value>>,
}

impl CreateJob {
    /// Reads the body of `POST /jobs`.
    ///
    /// # Errors
    /// Every member that is unknown, missing, of a wrong type or too large.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$").map_err(|mut faults| {
            faults.extend(one_source(body));
            faults
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
        let faults: Vec<_> = too_large.chain(too_many).chain(one_source(body)).collect();
        if faults.is_empty() {
            Ok(request)
        } else {
            Err(faults)
        }
    }
}

/// What is wrong with the members that say where the source is: exactly one of them has to.
pub(crate) fn one_source(body: &Value) -> Option<FieldError> {
    let members = body.as_object()?;
    let (key, url) = (members.get("sourceKey"), members.get("url"));
    if [key, url].contains(&Some(&Value::Null)) {
        // Told as a value of the wrong type, which it is everywhere.
        return None;
    }
    match (key.is_some(), url.is_some()) {
        (false, false) => Some(FieldError::new(
            "$.sourceKey",
            "missing_field",
            "is required, or url instead",
        )),
        (true, true) => Some(FieldError::invalid(
            "$.url",
            "must not stand beside sourceKey",
        )),
        _ => None,
    }
}

/// The answer to an accepted job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobCreated {
    /// The job.
    pub job_id: JobId,
    /// Where it stands; a replay shows it as it is now.
    pub status: JobStatus,
    /// `false` when an earlier request with the same Idempotency-Key created it.
    pub created: bool,
    /// Path of the job.
    pub status_url: String,
    /// Path of the result, which is there once the job is completed.
    pub result_url: String,
    /// For diagnosis only.
    pub processor: Processor,
}

impl JobCreated {
    /// The answer for `job`.
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

/// Seconds between two reads of the status of a job.
pub const POLL_AFTER: &str = "1";

/// Path of a job.
#[must_use]
pub fn status_url(job: &JobId) -> String {
    format!("{BASE_PATH}/jobs/{job}")
}

/// Path of a job's result.
#[must_use]
pub fn result_url(job: &JobId) -> String {
    format!("{BASE_PATH}/jobs/{job}/result")
}

/// The result of a completed job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobOutput {
    /// The media type.
    pub content_type: String,
    /// The size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the bytes, lower-case hexadecimal.
    pub sha256: String,
    /// How many pages or images it holds.
    pub pages: u32,
}

/// A job.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobResource {
    /// The job.
    pub job_id: JobId,
    /// Where it stands.
    pub status: JobStatus,
    /// `false`: this is a look at it, not its creation.
    pub created: bool,
    /// Path of the job.
    pub status_url: String,
    /// Path of the result, which is there once the job is completed.
    pub result_url: String,
    /// For diagnosis only.
    pub processor: Processor,
    /// The name of the source.
    pub filename: Filename,
    /// The first operation.
    pub operation: String,
    /// When it was accepted, in Unix milliseconds.
    pub created_at: Timestamp,
    /// When its status last changed, in Unix milliseconds.
    pub updated_at: Timestamp,
    /// When the result is deleted, or, while there is none, the job; in Unix milliseconds.
    pub expires_at: Timestamp,
    /// How often it was tried.
    pub attempts: u32,
    /// How far the present attempt is, in per cent.
    #[schemars(extend("minimum" = 0, "maximum" = 100))]
    pub progress: u8,
    /// Credits that it cost; 0 after a refund.
    pub credits_charged: u32,
    /// Your own data.
    pub metadata: Option<Value>,
    /// What is worth knowing about the result.
    pub warnings: Vec<Warning>,
    /// Every status that it has had.
    pub timeline: Vec<TimelineEntry>,
    /// How each step went, in a pipeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepRun>,
    /// The saved document that was processed.
    pub document_id: Option<DocumentId>,
    /// The version of it that was processed.
    pub version_id: Option<VersionId>,
    /// A URL of the result that works for 15 minutes; on a completed job that has not expired.
    pub artifact_url: Option<String>,
    /// The result.
    pub output: Option<JobOutput>,
    /// The files inside, when the result is an archive; not in lists.
    pub files: Option<Vec<OutputFile>>,
    /// Why it failed.
    pub error: Option<JobError>,
}

impl JobResource {
    /// What is shown of `job`, with the presigned URL of its result where there is one.
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
    /// What a list shows of `job`: neither a presigned URL nor the files inside an archive, of which there may be thousands.
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

/// One page of a list of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["jobs", "nextCursor"]))]
pub struct JobList {
    /// The jobs, newest first, without presigned URLs and without the files inside archives.
    pub jobs: Vec<JobResource>,
    /// Continues the list; `null` at its end.
    pub next_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults(body: &Value) -> Vec<String> {
        CreateJob::read(body)
            .unwrap_err()
            .into_iter()
            .map(|fault| fault.path)
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
    fn the_smallest_body_is_read() {
        let request = CreateJob::read(&body()).unwrap();
        assert_eq!(
            (request.filename.as_str(), request.operations),
            ("a.docx", None)
        );
    }

    #[test]
    fn a_source_may_be_an_address() {
        let body = json!({"filename": "a.docx", "format": "pdf", "url": "https://example.org/a"});
        let request = CreateJob::read(&body).unwrap();
        assert_eq!(request.url, Some(SourceUrl::new("https://example.org/a")));
        assert!(!format!("{request:?}").contains("example.org"));
        assert_eq!(request.source_key, None);
    }

    #[test]
    fn each_fault_is_named_by_its_path() {
        assert_eq!(
            faults(&json!({})),
            ["$.filename", "$.format", "$.sourceKey"]
        );
        assert_eq!(
            faults(&with("url", json!("https://example.org/a.docx"))),
            ["$.url"]
        );
        assert_eq!(
            faults(&json!({"filename": "a.docx", "format": "pdf"})),
            ["$.sourceKey"]
        );
        assert_eq!(
            faults(&with("filename", json!("x".repeat(256)))),
            ["$.filename"]
        );
        assert_eq!(faults(&with("inputFormat", json!(null))), ["$.inputFormat"]);
        assert_eq!(faults(&with("url", json!(null))), ["$.url"]);
        let nulls = json!({"filename": "a", "format": "pdf", "sourceKey": null, "url": null});
        let fault = CreateJob::read(&nulls).unwrap_err();
        assert_eq!(
            fault,
            [FieldError::invalid("$.sourceKey", "must be a string")]
        );
        assert_eq!(faults(&with("operations", json!({}))), ["$.operations"]);
        assert_eq!(faults(&with("metadata", json!([]))), ["$.metadata"]);
        assert_eq!(
            faults(&with("operations", json!(vec![json!({}); 9]))),
            ["$.operations"]
        );
        assert!(CreateJob::read(&with("operations", json!(vec![json!({}); 8]))).is_ok());
        assert_eq!(
            faults(&with("metadata", json!({"k": "v".repeat(METADATA_BYTES)}))),
            ["$.metadata"]
        );
        assert_eq!(
            faults(&with("operations", json!(["o".repeat(OPERATIONS_BYTES)]))),
            ["$.operations"]
        );
    }
}
