//! Jobs and their results.

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::job::{CreateJob, JobCreated, JobList, JobResource};
use crate::route::{Access, Body, Header, Idempotency, Method, Parameter, Place, Route, Success};

const JOB_ID: Parameter = Parameter {
    name: "jobId",
    place: Place::Path,
    description: "The job.",
    schema: r#"{"type": "string"}"#,
};

/// The routes of the function `jobs`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "createJob",
        method: Method::Post,
        path: "/jobs",
        function: "jobs",
        access: Access::Scoped(Scope::JobsCreate),
        idempotency: Idempotency::Required,
        billable: true,
        summary: "Create a job that processes an uploaded document, or one at a public address.",
        parameters: &[],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<CreateJob>(),
            malformed: 422,
            example: r#"{"filename": "report.docx", "format": "pdf", "sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd"}"#,
        }),
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
            ErrorCode::OutputTooLarge,
            ErrorCode::SourceUnavailable,
            ErrorCode::UrlBlocked,
        ],
    },
    Route {
        operation: "listJobs",
        method: Method::Get,
        path: "/jobs",
        function: "jobs",
        access: Access::Scoped(Scope::JobsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "List jobs, newest first.",
        parameters: &[
            Parameter {
                name: "status",
                place: Place::Query,
                description: "Only jobs with this status. A page may then hold fewer than `limit` jobs, even none, and still be followed by another.",
                schema: r#"{"type": "string", "enum": ["queued", "processing", "retrying", "completed", "failed", "dead_letter"]}"#,
            },
            Parameter {
                name: "cursor",
                place: Place::Query,
                description: "The `nextCursor` of the page before, with the same status.",
                schema: r#"{"type": "string"}"#,
            },
            Parameter {
                name: "limit",
                place: Place::Query,
                description: "Most jobs of a page.",
                schema: r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
            },
        ],
        body: None,
        successes: &[Success {
            status: 200,
            description: "One page of jobs.",
            schema: Some(|generator| generator.subschema_for::<JobList>()),
            headers: &[],
        }],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
    },
    Route {
        operation: "getJob",
        method: Method::Get,
        path: "/jobs/{jobId}",
        function: "jobs",
        access: Access::Scoped(Scope::JobsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Read a job.",
        parameters: &[JOB_ID],
        body: None,
        successes: &[Success {
            status: 200,
            description: "The job. `Retry-After` and `Location` stand on one that has not ended.",
            schema: Some(|generator| generator.subschema_for::<JobResource>()),
            headers: &[Header::RetryAfter, Header::Location],
        }],
        errors: &[ErrorCode::JobNotFound],
    },
    Route {
        operation: "getJobResult",
        method: Method::Get,
        path: "/jobs/{jobId}/result",
        function: "jobs",
        access: Access::Scoped(Scope::JobsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Download the result of a completed job.",
        parameters: &[JOB_ID],
        body: None,
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
    },
    Route {
        operation: "cancelJob",
        method: Method::Delete,
        path: "/jobs/{jobId}",
        function: "jobs",
        access: Access::Scoped(Scope::JobsCreate),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Cancel a job that no processor has taken; its charge is refunded.",
        parameters: &[JOB_ID],
        body: None,
        successes: &[Success {
            status: 204,
            description: "The job is cancelled.",
            schema: None,
            headers: &[],
        }],
        errors: &[ErrorCode::JobNotFound, ErrorCode::JobNotCancellable],
    },
];
