//! Jobs and their results.

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::job::{CreateJob, CreatePipeline, JobCreated, JobList, JobResource, PipelineCreated};
use crate::route::{Access, Body, Header, Idempotency, Method, Parameter, Route, Success};

const JOB_ID: Parameter = Parameter::path("jobId", "The job.");

/// What the routes of the function `jobs` have in common unless they say otherwise.
const ROUTE: Route = Route {
    function: "jobs",
    access: Access::Scoped(Scope::JobsCreate),
    ..Route::READING
};

/// The routes of the function `jobs`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "createJob",
        method: Method::Post,
        path: "/jobs",
        idempotency: Idempotency::Required,
        billable: true,
        summary: "Create a job that processes an uploaded document, or one at a public address.",
        body: Body::of::<CreateJob>(
            422,
            r#"{"filename": "report.docx", "format": "pdf", "sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd"}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted.",
                schema: Some(|generator| generator.subschema_for::<JobCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same Idempotency-Key created this job; nothing is charged.",
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
        summary: "Create a job that does several steps to an uploaded document; with a documentId, for which the scope documents:read is needed too, the result becomes a version of that document.",
        body: Body::of::<CreatePipeline>(
            422,
            r#"{"sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd", "steps": [{"operation": "convert", "format": "pdf"}, {"operation": "ocr", "output": "pdf"}], "filename": "report.docx"}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted. `documentId` and `versionId` are there where the request names a document.",
                schema: Some(|generator| generator.subschema_for::<PipelineCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same Idempotency-Key created this job; nothing is charged.",
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
        summary: "List jobs, newest first.",
        parameters: &[
            Parameter::query(
                "status",
                "Only jobs with this status. A page may then hold fewer than `limit` jobs, even none, and still be followed by another.",
                r#"{"type": "string", "enum": ["queued", "processing", "retrying", "completed", "failed", "dead_letter"]}"#,
            ),
            Parameter::query(
                "cursor",
                "The `nextCursor` of the page before, with the same status.",
                r#"{"type": "string"}"#,
            ),
            Parameter::query(
                "limit",
                "Most jobs of a page.",
                r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
            ),
        ],
        successes: &[Success::of::<JobList>(200, "One page of jobs.")],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
        ..ROUTE
    },
    Route {
        operation: "getJob",
        path: "/jobs/{jobId}",
        access: Access::Scoped(Scope::JobsRead),
        summary: "Read a job.",
        parameters: &[JOB_ID],
        successes: &[Success {
            status: 200,
            description: "The job. `Retry-After` and `Location` stand on one that has not ended.",
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
        summary: "Download the result of a completed job.",
        parameters: &[JOB_ID],
        successes: &[Success {
            status: 302,
            description: "The result is at `Location` for 15 minutes.",
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
        summary: "Cancel a job that no processor has taken; its charge is refunded.",
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
