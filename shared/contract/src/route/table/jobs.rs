//! Routes of jobs and their results.

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::job::{CreateJob, CreatePipeline, JobCreated, JobList, JobResource, PipelineCreated};
use crate::route::{
    Access, Body, Header, Idempotency, Method, Parameter, Route, STRICT, Success, Tag,
};

const JOB_ID: Parameter = Parameter::path(
    "jobId",
    "Identifier of the job, such as `job_01kbqwz6f0x4t8v2m6n0c5h9rd`.",
);

/// Defaults of the routes of the function `jobs`.
const ROUTE: Route = Route {
    function: "jobs",
    tag: Tag::Jobs,
    access: Access::Scoped(Scope::JobsCreate),
    ..Route::DEFAULTS
};

/// The routes of the function `jobs`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "createJob",
        method: Method::Post,
        path: "/jobs",
        idempotency: Idempotency::Required,
        billable: true,
        summary: "Create a job",
        description: "Processes one document: an upload (`sourceKey`), or a file at a public URL (`url`). The job applies \
            `operations` in order, if any, and converts the result to `format`. Work is asynchronous: poll the job at \
            `Location`, or register a webhook for `job.completed`.",
        parameters: &[STRICT],
        body: Body::of::<CreateJob>(
            422,
            r#"{"filename": "report.docx", "format": "pdf", "sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd"}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted. `Location` is the URL of the job.",
                schema: Some(|generator| generator.subschema_for::<JobCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same `Idempotency-Key` created this job. Nothing is charged.",
                schema: Some(|generator| generator.subschema_for::<JobCreated>()),
                headers: &[Header::IdempotencyReplayed, Header::Location],
            },
        ],
        errors: &[
            ErrorCode::CreditsExhausted,
            ErrorCode::QuotaExceeded,
            ErrorCode::UnsupportedConversion,
            ErrorCode::UnsupportedOperation,
            ErrorCode::InvalidStep,
            ErrorCode::UnsupportedLanguage,
            ErrorCode::OutputTooLarge,
            ErrorCode::SourceUnavailable,
            ErrorCode::UrlBlocked,
        ],
        ..ROUTE
    },
    Route {
        operation: "createPipeline",
        method: Method::Post,
        path: "/pipeline",
        idempotency: Idempotency::Required,
        billable: true,
        summary: "Create a pipeline job",
        description: "Applies several steps to an upload, each to the result of the previous step. With `documentId`, which \
            also requires the scope `documents:read`, the result becomes a new version of that saved document. Results of \
            completed steps are reused if the job is retried.",
        parameters: &[STRICT],
        body: Body::of::<CreatePipeline>(
            422,
            r#"{"sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd", "steps": [{"operation": "convert", "format": "pdf"}, {"operation": "ocr", "output": "pdf"}], "filename": "report.docx"}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted. `documentId` and `versionId` are included if the request names a saved \
                    document.",
                schema: Some(|generator| generator.subschema_for::<PipelineCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same `Idempotency-Key` created this job. Nothing is charged.",
                schema: Some(|generator| generator.subschema_for::<PipelineCreated>()),
                headers: &[Header::IdempotencyReplayed, Header::Location],
            },
        ],
        errors: &[
            ErrorCode::CreditsExhausted,
            ErrorCode::QuotaExceeded,
            ErrorCode::SourceForbidden,
            ErrorCode::DocumentNotFound,
            ErrorCode::VersionNotFound,
            ErrorCode::NoCurrentVersion,
            ErrorCode::UnsupportedConversion,
            ErrorCode::UnsupportedOperation,
            ErrorCode::InvalidStep,
            ErrorCode::UnsupportedLanguage,
            ErrorCode::OutputTooLarge,
            ErrorCode::ProcessorUnavailable,
        ],
        ..ROUTE
    },
    Route {
        operation: "listJobs",
        path: "/jobs",
        access: Access::Scoped(Scope::JobsRead),
        summary: "List jobs",
        description: "Returns the jobs of the account, newest first. Job records are deleted when their retention ends.",
        parameters: &[
            Parameter::query(
                "status",
                "Returns only jobs with this status. A page may then contain fewer than `limit` jobs, or none, although \
                    `nextCursor` is not `null`. Default: all.",
                r#"{"type": "string", "enum": ["queued", "processing", "retrying", "completed", "failed", "dead_letter"]}"#,
            ),
            Parameter::query(
                "cursor",
                "The `nextCursor` of the previous page. Use it with the same `status`.",
                r#"{"type": "string"}"#,
            ),
            Parameter::query(
                "limit",
                "Maximum number of jobs per page.",
                r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
            ),
        ],
        successes: &[Success::of::<JobList>(200, "A page of jobs.")],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
        ..ROUTE
    },
    Route {
        operation: "getJob",
        path: "/jobs/{jobId}",
        access: Access::Scoped(Scope::JobsRead),
        summary: "Get a job",
        description: "Returns status, progress, timeline, warnings and, when the job has finished, its result or error.",
        parameters: &[JOB_ID],
        successes: &[Success {
            status: 200,
            description: "The job. `Retry-After` and `Location` are included until it has finished.",
            schema: Some(|generator| generator.subschema_for::<JobResource>()),
            headers: &[Header::RetryAfter, Header::Location],
        }],
        errors: &[ErrorCode::JobNotFound],
        ..ROUTE
    },
    Route {
        operation: "getJobResult",
        path: "/jobs/{jobId}/result",
        access: Access::Scoped(Scope::JobsRead),
        summary: "Download a job result",
        description: "Redirects to a presigned URL of the result. A result with several files is a ZIP archive.",
        parameters: &[JOB_ID],
        successes: &[Success {
            status: 302,
            description: "`Location` is a presigned URL of the result, valid for 15 minutes.",
            schema: None,
            headers: &[Header::Location],
        }],
        errors: &[
            ErrorCode::JobNotFound,
            ErrorCode::JobNotCompleted,
            ErrorCode::ResultExpired,
        ],
        ..ROUTE
    },
    Route {
        operation: "cancelJob",
        method: Method::Delete,
        path: "/jobs/{jobId}",
        summary: "Cancel a job",
        description: "Cancels a job that no worker has claimed yet. Its charge is refunded.",
        parameters: &[JOB_ID],
        successes: &[Success {
            status: 204,
            description: "The job is cancelled.",
            schema: None,
            headers: &[],
        }],
        errors: &[ErrorCode::JobNotFound, ErrorCode::JobNotCancellable],
        ..ROUTE
    },
];
