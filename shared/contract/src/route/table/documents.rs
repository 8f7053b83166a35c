//! Saved documents.

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::document::{
    ChangeDocument, DocumentDetail, DocumentImported, DocumentList, DocumentSearch, ImportDocument,
    PageList, ProcessDocument,
};
use crate::job::{PageJobCreated, SavedDocumentJobCreated};
use crate::route::{Access, Body, Header, Idempotency, Method, Parameter, Route, Success};

const DOCUMENT_ID: Parameter = Parameter::path("documentId", "The document.");

const VERSION_ID: Parameter = Parameter::path("versionId", "A version of the document.");

const PAGE_ID: Parameter = Parameter::path(
    "pageId",
    "A page of one of the document's versions, as the document's detail names it.",
);

const LIMIT: Parameter = Parameter::query(
    "limit",
    "Most items of a page.",
    r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
);

const CURSOR: Parameter = Parameter::query(
    "cursor",
    "The `nextCursor` of the page before, with the same filters.",
    r#"{"type": "string"}"#,
);

const TYPE: Parameter = Parameter::query(
    "type",
    "Only documents of exactly this media type.",
    r#"{"type": "string", "maxLength": 120}"#,
);

const FOLDER_ID: Parameter = Parameter::query(
    "folderId",
    "Only documents in this folder; `root` for those in none.",
    r#"{"type": "string", "maxLength": 120}"#,
);

const GROUP_ID: Parameter = Parameter::query(
    "groupId",
    "Only documents of this group.",
    r#"{"type": "string", "maxLength": 120}"#,
);

const DOCUMENT_STATUS: Parameter = Parameter::query(
    "status",
    "Only documents with this status. Archived documents appear only where they are asked for.",
    r#"{"type": "string", "enum": ["importing", "ready", "processing", "error", "archived"]}"#,
);

/// What the routes of the function `documents` have in common unless they say otherwise.
const ROUTE: Route = Route {
    function: "documents",
    access: Access::Scoped(Scope::DocumentsRead),
    ..Route::READING
};

/// The routes of the function `documents`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "listDocuments",
        path: "/documents",
        summary: "List saved documents, newest first.",
        parameters: &[
            Parameter::query(
                "q",
                "Only documents whose name holds this, whatever the case.",
                r#"{"type": "string", "maxLength": 120}"#,
            ),
            TYPE,
            FOLDER_ID,
            GROUP_ID,
            Parameter::query(
                "source",
                "Only documents that came into the library this way.",
                r#"{"type": "string", "enum": ["import", "job", "app"]}"#,
            ),
            DOCUMENT_STATUS,
            CURSOR,
            LIMIT,
        ],
        successes: &[Success::of::<DocumentList>(
            200,
            "One page of documents. With filters it may hold fewer than `limit`, even none, and still be followed by another.",
        )],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
        ..ROUTE
    },
    Route {
        operation: "searchDocuments",
        path: "/documents/search",
        summary: "Search saved documents by the words of their recognised text, their names and their tags.",
        parameters: &[
            Parameter::query(
                "q",
                "What is looked for: each of its words equals or begins a word of the recognised text or of the tags, or the name holds it whole.",
                r#"{"type": "string", "maxLength": 120}"#,
            ),
            TYPE,
            DOCUMENT_STATUS,
            FOLDER_ID,
            GROUP_ID,
            Parameter::query(
                "tags",
                "Tags, separated by commas: only documents that have all of them.",
                r#"{"type": "string", "maxLength": 500}"#,
            ),
            Parameter::query(
                "from",
                "Only documents created then or later: Unix milliseconds, or seconds below 100,000,000,000.",
                r#"{"type": "integer"}"#,
            ),
            Parameter::query(
                "to",
                "Only documents created then or earlier: Unix milliseconds, or seconds below 100,000,000,000.",
                r#"{"type": "integer"}"#,
            ),
            CURSOR,
            LIMIT,
        ],
        successes: &[Success::of::<DocumentSearch>(
            200,
            "One page of what was found; it may hold fewer than `limit`, even none, and still be followed by another.",
        )],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
        ..ROUTE
    },
    Route {
        operation: "importDocument",
        method: Method::Post,
        path: "/documents/import",
        access: Access::Scoped(Scope::DocumentsWrite),
        idempotency: Idempotency::Optional,
        billable: true,
        summary: "Import a public file into the library.",
        body: Body::of::<ImportDocument>(
            400,
            r#"{"url": "https://example.org/report.pdf", "filename": "report.pdf", "folderId": "contracts"}"#,
        ),
        successes: &[Success {
            status: 201,
            description: "The document is in the library. With `Idempotency-Replayed` it was put there by an earlier request, and nothing is charged.",
            schema: Some(|generator| generator.subschema_for::<DocumentImported>()),
            headers: &[Header::IdempotencyReplayed, Header::Location],
        }],
        errors: &[
            ErrorCode::CreditsExhausted,
            ErrorCode::QuotaExceeded,
            ErrorCode::DocumentNotFound,
            ErrorCode::InvalidUrl,
            ErrorCode::UrlBlocked,
            ErrorCode::SourceUnavailable,
            ErrorCode::ContentMismatch,
        ],
        ..ROUTE
    },
    Route {
        operation: "getDocument",
        path: "/documents/{documentId}",
        summary: "Read a saved document and its newest versions.",
        parameters: &[DOCUMENT_ID],
        successes: &[Success::of::<DocumentDetail>(200, "The document.")],
        errors: &[ErrorCode::DocumentNotFound],
        ..ROUTE
    },
    Route {
        operation: "updateDocument",
        method: Method::Patch,
        path: "/documents/{documentId}",
        access: Access::Scoped(Scope::DocumentsWrite),
        summary: "Rename, move, group, tag, archive or take back a saved document.",
        parameters: &[DOCUMENT_ID],
        body: Body::of::<ChangeDocument>(
            400,
            r#"{"filename": "report 2026.pdf", "tags": ["tax", "2026"], "status": "archived"}"#,
        ),
        successes: &[Success::of::<DocumentDetail>(
            200,
            "The document as it is now.",
        )],
        errors: &[ErrorCode::DocumentNotFound],
        ..ROUTE
    },
    Route {
        operation: "deleteDocument",
        method: Method::Delete,
        path: "/documents/{documentId}",
        access: Access::Scoped(Scope::DocumentsWrite),
        summary: "Delete a saved document with all its versions.",
        parameters: &[DOCUMENT_ID],
        successes: &[Success {
            status: 204,
            description: "The document is gone.",
            schema: None,
            headers: &[],
        }],
        errors: &[ErrorCode::DocumentNotFound],
        ..ROUTE
    },
    Route {
        operation: "downloadDocument",
        path: "/documents/{documentId}/download",
        summary: "Download the current version of a saved document.",
        parameters: &[DOCUMENT_ID],
        successes: &[Success {
            status: 302,
            description: "The content is at `Location` for 15 minutes.",
            schema: None,
            headers: &[Header::Location],
        }],
        errors: &[ErrorCode::DocumentNotFound, ErrorCode::NoCurrentVersion],
        ..ROUTE
    },
    Route {
        operation: "downloadVersion",
        path: "/documents/{documentId}/versions/{versionId}/download",
        summary: "Download a version of a saved document.",
        parameters: &[DOCUMENT_ID, VERSION_ID],
        successes: &[Success {
            status: 302,
            description: "The content is at `Location` for 15 minutes.",
            schema: None,
            headers: &[Header::Location],
        }],
        errors: &[ErrorCode::DocumentNotFound, ErrorCode::VersionNotFound],
        ..ROUTE
    },
    Route {
        operation: "listPages",
        path: "/documents/{documentId}/versions/{versionId}/pages",
        summary: "List the pages of a version, once Octavo has looked into it.",
        parameters: &[DOCUMENT_ID, VERSION_ID, CURSOR, LIMIT],
        successes: &[Success::of::<PageList>(
            200,
            "Some of the pages, in order; none while nobody knows how many there are.",
        )],
        errors: &[
            ErrorCode::DocumentNotFound,
            ErrorCode::VersionNotFound,
            ErrorCode::InvalidRequest,
            ErrorCode::InvalidCursor,
        ],
        ..ROUTE
    },
    Route {
        operation: "processDocument",
        method: Method::Post,
        path: "/documents/{documentId}/process",
        access: Access::Both(Scope::DocumentsRead, Scope::JobsCreate),
        idempotency: Idempotency::Optional,
        billable: true,
        summary: "Process the current version of a saved document; the result becomes a version of it.",
        parameters: &[DOCUMENT_ID],
        body: Body::of::<ProcessDocument>(
            422,
            r#"{"operation": "pipeline", "steps": [{"operation": "ocr", "output": "pdf"}, {"operation": "optimise"}]}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted.",
                schema: Some(|generator| generator.subschema_for::<SavedDocumentJobCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same Idempotency-Key created this job; nothing is charged.",
                schema: Some(|generator| generator.subschema_for::<SavedDocumentJobCreated>()),
                headers: &[Header::IdempotencyReplayed, Header::Location],
            },
        ],
        errors: &[
            ErrorCode::CreditsExhausted,
            ErrorCode::QuotaExceeded,
            ErrorCode::DocumentNotFound,
            ErrorCode::NoCurrentVersion,
            ErrorCode::UnsupportedConversion,
            ErrorCode::UnsupportedOperation,
            ErrorCode::InvalidStep,
            ErrorCode::UnsupportedLanguage,
            ErrorCode::SourceUnavailable,
            ErrorCode::OutputTooLarge,
        ],
        ..ROUTE
    },
    Route {
        operation: "processPage",
        method: Method::Post,
        path: "/documents/{documentId}/pages/{pageId}/process",
        access: Access::Both(Scope::DocumentsRead, Scope::JobsCreate),
        idempotency: Idempotency::Optional,
        billable: true,
        summary: "Process one page of a saved document; the result becomes a version of the document.",
        parameters: &[DOCUMENT_ID, PAGE_ID],
        body: Body::of::<ProcessDocument>(
            422,
            r#"{"operation": "image", "steps": [{"operation": "cleanup", "deskew": true}], "format": "png"}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted.",
                schema: Some(|generator| generator.subschema_for::<PageJobCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same Idempotency-Key created this job; nothing is charged.",
                schema: Some(|generator| generator.subschema_for::<PageJobCreated>()),
                headers: &[Header::IdempotencyReplayed, Header::Location],
            },
        ],
        errors: &[
            ErrorCode::CreditsExhausted,
            ErrorCode::QuotaExceeded,
            ErrorCode::DocumentNotFound,
            ErrorCode::PageNotFound,
            ErrorCode::PageSourceUnavailable,
            ErrorCode::UnsupportedConversion,
            ErrorCode::UnsupportedOperation,
            ErrorCode::InvalidStep,
            ErrorCode::UnsupportedLanguage,
            ErrorCode::SourceUnavailable,
            ErrorCode::OutputTooLarge,
        ],
        ..ROUTE
    },
];
