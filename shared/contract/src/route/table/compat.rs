//! The compatibility forms: the same jobs, and those who can wait get the result itself.

mod public;

use domain::operation::CONVERSIONS;
use domain::scope::Scope;
use schemars::{Schema, json_schema};

use crate::code::ErrorCode;
use crate::compat::{
    CompressDocument, ConvertDocument, MergeFiles, ProcessPdf, RecogniseText, RecognisedText,
};
use crate::job::JobCreated;
use crate::route::{
    Access, Body, Header, Idempotency, Method, Parameter, Place, Route, SchemaOf, Success,
};

/// The routes of the function `compat`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "convertDocument",
        path: "/convert",
        summary: "Convert a document: one at a public address at once, an upload as a job.",
        parameters: &[PREFER],
        body: body(
            |generator| generator.subschema_for::<ConvertDocument>(),
            r#"{"sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd", "inputFormat": "docx", "format": "pdf"}"#,
        ),
        successes: &[
            ACCEPTED,
            REPLAYED,
            file(|_| any_file(), "The converted file, or a ZIP of several."),
            ELSEWHERE,
        ],
        errors: WAITING,
        ..FORM
    },
    Route {
        operation: "recogniseText",
        path: "/ocr",
        summary: "Recognise the text of a document: of one at a public address at once, of an upload as a job.",
        parameters: &[PREFER],
        body: body(
            |generator| generator.subschema_for::<RecogniseText>(),
            r#"{"sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd", "inputFormat": "pdf", "format": "text"}"#,
        ),
        successes: &[
            ACCEPTED,
            REPLAYED,
            Success {
                status: 200,
                description: "The text of the document.",
                schema: Some(|generator| generator.subschema_for::<RecognisedText>()),
                headers: &[Header::IdempotencyReplayed],
            },
            ELSEWHERE,
        ],
        errors: WAITING_FOR_TEXT,
        ..FORM
    },
    Route {
        operation: "compressDocument",
        path: "/compress",
        summary: "Create a job that makes an uploaded image or PDF smaller.",
        body: body(
            |generator| generator.subschema_for::<CompressDocument>(),
            r#"{"sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd", "format": "webp", "quality": 80}"#,
        ),
        successes: &[ACCEPTED, REPLAYED],
        errors: SUBMITTING,
        ..FORM
    },
    Route {
        operation: "processPdf",
        path: "/pdf",
        summary: "Create a job that does one operation on uploaded PDF.",
        body: body(
            |generator| generator.subschema_for::<ProcessPdf>(),
            r#"{"operation": "merge", "sourceKeys": ["src_01kbqwz6f0x4t8v2m6n0c5h9rd", "src_01kbqwz7a3m9p2e5r8t1y4u7i0"]}"#,
        ),
        successes: &[ACCEPTED, REPLAYED],
        errors: SUBMITTING_PDF,
        ..FORM
    },
    Route {
        operation: "mergeFiles",
        path: "/merge",
        summary: "Merge PDFs at public addresses into one.",
        parameters: &[PREFER],
        body: body(
            |generator| generator.subschema_for::<MergeFiles>(),
            r#"{"files": ["https://example.org/one.pdf", "https://example.org/two.pdf"]}"#,
        ),
        successes: &[
            ACCEPTED,
            REPLAYED,
            file(|_| pdf_file(), "The merged PDF."),
            ELSEWHERE,
        ],
        errors: WAITING,
        ..FORM
    },
    public::RENDER_WEB_PAGE,
    public::CONVERT_SAMPLE,
];

/// What the forms with an account have in common.
const FORM: Route = Route {
    operation: "",
    method: Method::Post,
    path: "",
    function: "compat",
    access: Access::Scoped(Scope::JobsCreate),
    idempotency: Idempotency::Optional,
    billable: true,
    summary: "",
    parameters: &[],
    body: None,
    successes: &[],
    errors: &[],
};

const PREFER: Parameter = Parameter {
    name: "Prefer",
    place: Place::Header,
    required: false,
    description: "`respond-async` [RFC 7240]: answer with the job instead of waiting for its result.",
    schema: r#"{"type": "string"}"#,
};

const ACCEPTED: Success = Success {
    status: 202,
    description: "The job is accepted, and its result not there yet.",
    schema: Some(|generator| generator.subschema_for::<JobCreated>()),
    headers: &[
        Header::Location,
        Header::RetryAfter,
        Header::PreferenceApplied,
        Header::IdempotencyReplayed,
    ],
};

const REPLAYED: Success = Success {
    status: 200,
    description: "Where the answer is a job: an earlier request with the same Idempotency-Key created it; nothing is charged.",
    schema: Some(|generator| generator.subschema_for::<JobCreated>()),
    headers: &[Header::IdempotencyReplayed, Header::Location],
};

const ELSEWHERE: Success = Success {
    status: 303,
    description: "The result is too large for this answer; it is at `Location` for 15 minutes.",
    schema: None,
    headers: &[Header::Location, Header::IdempotencyReplayed],
};

const fn body(schema: SchemaOf, example: &'static str) -> Option<Body> {
    Some(Body {
        schema,
        malformed: 422,
        example,
    })
}

const fn file(schema: SchemaOf, description: &'static str) -> Success {
    Success {
        status: 200,
        description,
        schema: Some(schema),
        headers: &[Header::ContentDisposition, Header::IdempotencyReplayed],
    }
}

/// Bytes of whatever format was asked for, or of several files.
fn any_file() -> Schema {
    let mut types: Vec<&str> = CONVERSIONS.iter().map(|row| row.to.mime_type()).collect();
    types.sort_unstable();
    types.dedup();
    types.push("application/zip");
    json_schema!({"type": "string", "format": "binary", "contentMediaType": types})
}

/// Bytes of a PDF.
fn pdf_file() -> Schema {
    json_schema!({"type": "string", "format": "binary", "contentMediaType": "application/pdf"})
}

/// Why a form with an account is not accepted.
const SUBMITTING: &[ErrorCode] = &[
    ErrorCode::CreditsExhausted,
    ErrorCode::QuotaExceeded,
    ErrorCode::UnsupportedConversion,
    ErrorCode::UnsupportedOperation,
    ErrorCode::InvalidStep,
    ErrorCode::OutputTooLarge,
    ErrorCode::SourceUnavailable,
];

/// The same for an operation on PDF, which may be `ocr`.
const SUBMITTING_PDF: &[ErrorCode] = &[
    ErrorCode::CreditsExhausted,
    ErrorCode::QuotaExceeded,
    ErrorCode::UnsupportedConversion,
    ErrorCode::UnsupportedOperation,
    ErrorCode::UnsupportedLanguage,
    ErrorCode::InvalidStep,
    ErrorCode::OutputTooLarge,
    ErrorCode::SourceUnavailable,
];

macro_rules! waiting {
    ($($more:ident),*) => {
        &[
            ErrorCode::CreditsExhausted,
            ErrorCode::QuotaExceeded,
            ErrorCode::UnsupportedConversion,
            ErrorCode::UnsupportedOperation,
            ErrorCode::InvalidStep,
            ErrorCode::OutputTooLarge,
            ErrorCode::SourceUnavailable,
            ErrorCode::UrlBlocked,
            ErrorCode::ResultExpired,
            ErrorCode::InputCorrupt,
            ErrorCode::InputEmpty,
            ErrorCode::ContentMismatch,
            ErrorCode::InputTooLarge,
            ErrorCode::TooManyPages,
            ErrorCode::PasswordRequired,
            ErrorCode::PasswordIncorrect,
            ErrorCode::PermissionDenied,
            ErrorCode::PageRangeInvalid,
            ErrorCode::SourceMissing,
            ErrorCode::FetchFailed,
            ErrorCode::FetchBlocked,
            ErrorCode::EngineTimeout,
            ErrorCode::EngineCrashed,
            ErrorCode::EngineOutOfMemory,
            ErrorCode::OutputInvalid,
            ErrorCode::Cancelled,
            $(ErrorCode::$more,)*
        ]
    };
}

/// Why a form that waits is not accepted, or ends without a result.
const WAITING: &[ErrorCode] = waiting!();
const WAITING_FOR_TEXT: &[ErrorCode] = waiting!(UnsupportedLanguage);
