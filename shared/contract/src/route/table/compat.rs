//! Routes of the compatibility routes: jobs whose result can be returned in the response.

mod public;

use domain::operation::CONVERSIONS;
use domain::scope::Scope;
use schemars::{Schema, json_schema};

use crate::code::ErrorCode;
use crate::compat::{
    CompressDocument, ConvertDocument, MergeFiles, ProcessPdf, RecognizeText, RecognizedText,
};
use crate::job::JobCreated;
use crate::route::{
    Access, Body, Header, Idempotency, Method, Parameter, ParameterLocation, Route, STRICT,
    SchemaOf, Success, Tag,
};

/// The routes of the function `compat`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "convertDocument",
        path: "/convert",
        summary: "Convert a document",
        description: "Converts a document to `format`. A document at a public URL is converted while the request waits, and \
            the response is the file; an upload becomes a job. New clients should use `POST /jobs`.",
        parameters: &[PREFER, STRICT],
        body: body(
            |generator| generator.subschema_for::<ConvertDocument>(),
            r#"{"sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd", "inputFormat": "docx", "format": "pdf"}"#,
        ),
        successes: &[
            ACCEPTED,
            REPLAYED,
            file(
                |_| any_file(),
                "Otherwise, the converted file, or a ZIP archive of several files.",
            ),
            TOO_LARGE,
        ],
        errors: WAITING,
        ..FORM
    },
    Route {
        operation: "recognizeText",
        path: "/ocr",
        summary: "Recognize text",
        description: "Recognizes the text of a document by OCR. A document at a public URL is processed while the request \
            waits; an upload becomes a job. New clients should use `POST /jobs` with the operation `ocr`.",
        parameters: &[PREFER, STRICT],
        body: body(
            |generator| generator.subschema_for::<RecognizeText>(),
            r#"{"sourceKey": "src_01kbqwz6f0x4t8v2m6n0c5h9rd", "inputFormat": "pdf", "format": "text"}"#,
        ),
        successes: &[
            ACCEPTED,
            REPLAYED,
            Success {
                status: 200,
                description: "Otherwise, the recognized text.",
                schema: Some(|generator| generator.subschema_for::<RecognizedText>()),
                headers: &[Header::IdempotencyReplayed],
            },
            TOO_LARGE,
        ],
        errors: WAITING_FOR_TEXT,
        ..FORM
    },
    Route {
        operation: "compressDocument",
        path: "/compress",
        summary: "Compress an image or PDF",
        description: "Creates a job that reduces the file size of an uploaded image or PDF. New clients should use `POST \
            /jobs` with the operation `compress` or `optimize`.",
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
        summary: "Process a PDF",
        description: "Creates a job that applies one PDF operation to one or more uploads. New clients should use `POST \
            /jobs`.",
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
        summary: "Merge PDF files",
        description: "Merges PDF files at public URLs into one while the request waits. New clients should use `POST /jobs` \
            with the operation `merge`.",
        parameters: &[PREFER, STRICT],
        body: body(
            |generator| generator.subschema_for::<MergeFiles>(),
            r#"{"files": ["https://example.org/one.pdf", "https://example.org/two.pdf"]}"#,
        ),
        successes: &[
            ACCEPTED,
            REPLAYED,
            file(|_| pdf_file(), "Otherwise, the merged PDF."),
            TOO_LARGE,
        ],
        errors: WAITING,
        ..FORM
    },
    public::RENDER_WEB_PAGE,
    public::CONVERT_SAMPLE,
];

/// Defaults of the compatibility routes that require a credential.
const FORM: Route = Route {
    operation: "",
    method: Method::Post,
    path: "",
    function: "compat",
    tag: Tag::Conversions,
    access: Access::Scoped(Scope::JobsCreate),
    idempotency: Idempotency::Optional,
    billable: true,
    summary: "",
    description: "",
    parameters: &[STRICT],
    body: None,
    successes: &[],
    errors: &[],
};

const PREFER: Parameter = Parameter {
    name: "Prefer",
    location: ParameterLocation::Header,
    required: false,
    description: "`respond-async` (RFC 7240): return the job instead of waiting for its result.",
    schema: r#"{"type": "string"}"#,
};

const ACCEPTED: Success = Success {
    status: 202,
    description: "The job is accepted but has not finished.",
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
    description: "If the response is a job, an earlier request with the same `Idempotency-Key` created it, and nothing is charged.",
    schema: Some(|generator| generator.subschema_for::<JobCreated>()),
    headers: &[Header::IdempotencyReplayed, Header::Location],
};

const TOO_LARGE: Success = Success {
    status: 303,
    description: "The result is too large for the response. `Location` is a presigned URL, valid for 15 minutes.",
    schema: None,
    headers: &[Header::Location, Header::IdempotencyReplayed],
};

const fn body(schema: SchemaOf, example: &'static str) -> Option<Body> {
    Some(Body {
        schema,
        invalid_status: 422,
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

/// The schema of a file in any target format, or a ZIP archive.
fn any_file() -> Schema {
    let mut types: Vec<&str> = CONVERSIONS.iter().map(|row| row.to.mime_type()).collect();
    types.sort_unstable();
    types.dedup();
    types.push("application/zip");
    json_schema!({"type": "string", "format": "binary", "contentMediaType": types})
}

/// The schema of a PDF file.
fn pdf_file() -> Schema {
    json_schema!({"type": "string", "format": "binary", "contentMediaType": "application/pdf"})
}

/// Error codes of a compatibility route that creates a job.
const SUBMITTING: &[ErrorCode] = &[
    ErrorCode::CreditsExhausted,
    ErrorCode::QuotaExceeded,
    ErrorCode::UnsupportedConversion,
    ErrorCode::UnsupportedOperation,
    ErrorCode::InvalidStep,
    ErrorCode::OutputTooLarge,
    ErrorCode::SourceUnavailable,
];

/// As [`SUBMITTING`], for PDF operations, which include `ocr`.
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
            ErrorCode::InvalidPageRange,
            ErrorCode::SourceMissing,
            ErrorCode::FetchFailed,
            ErrorCode::FetchBlocked,
            ErrorCode::EngineTimeout,
            ErrorCode::EngineCrashed,
            ErrorCode::EngineOutOfMemory,
            ErrorCode::OutputInvalid,
            ErrorCode::OutputIncomplete,
            ErrorCode::Cancelled,
            $(ErrorCode::$more,)*
        ]
    };
}

/// Error codes of a compatibility route that waits for the result.
const WAITING: &[ErrorCode] = waiting!();
const WAITING_FOR_TEXT: &[ErrorCode] = waiting!(UnsupportedLanguage);
