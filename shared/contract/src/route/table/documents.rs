//! Saved documents.

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::document::{
    ChangeDocument, DocumentDetail, DocumentImported, DocumentList, DocumentSearch, ImportDocument,
    PageList, ProcessDocument,
};
use crate::job::{PageJobCreated, SavedDocumentJobCreated};
use crate::route::{Access, Body, Header, Idempotency, Method, Parameter, Place, Route, Success};

const DOCUMENT_ID: Parameter = Parameter {
    name: "documentId",
    place: Place::Path,
    description: "The document.",
    schema: r#"{"type": "string"}"#,
};

const VERSION_ID: Parameter = Parameter {
    name: "versionId",
    place: Place::Path,
    description: "A version of the document.",
    schema: r#"{"type": "string"}"#,
};

const PAGE_ID: Parameter = Parameter {
    name: "pageId",
    place: Place::Path,
    description: "A page of one of the document's versions, as the document's detail names it.",
    schema: r#"{"type": "string"}"#,
};

const LIMIT: Parameter = Parameter {
    name: "limit",
    place: Place::Query,
    description: "Most items of a page.",
    schema: r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
};

const CURSOR: Parameter = Parameter {
    name: "cursor",
    place: Place::Query,
    description: "The `nextCursor` of the page before, with the same filters.",
    schema: r#"{"type": "string"}"#,
};

const TYPE: Parameter = Parameter {
    name: "type",
    place: Place::Query,
    description: "Only documents of exactly this media type.",
    schema: r#"{"type": "string", "maxLength": 120}"#,
};

const FOLDER_ID: Parameter = Parameter {
    name: "folderId",
    place: Place::Query,
    description: "Only documents in this folder; `root` for those in none.",
    schema: r#"{"type": "string", "maxLength": 120}"#,
};

const GROUP_ID: Parameter = Parameter {
    name: "groupId",
    place: Place::Query,
    description: "Only documents of this group.",
    schema: r#"{"type": "string", "maxLength": 120}"#,
};

const DOCUMENT_STATUS: Parameter = Parameter {
    name: "status",
    place: Place::Query,
    description: "Only documents with this status. Archived documents appear only where they are asked for.",
    schema: r#"{"type": "string", "enum": ["importing", "ready", "processing", "error", "archived"]}"#,
};

/// The routes of the function `documents`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "listDocuments",
        method: Method::Get,
        path: "/documents",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "List saved documents, newest first.",
        parameters: &[
            Parameter {
                name: "q",
                place: Place::Query,
                description: "Only documents whose name holds this, whatever the case.",
                schema: r#"{"type": "string", "maxLength": 120}"#,
            },
            TYPE,
            FOLDER_ID,
            GROUP_ID,
            Parameter {
                name: "source",
                place: Place::Query,
                description: "Only documents that came into the library this way.",
                schema: r#"{"type": "string", "enum": ["import", "job", "app"]}"#,
            },
            DOCUMENT_STATUS,
            CURSOR,
            LIMIT,
        ],
        body: None,
        successes: &[Success {
            status: 200,
            description: "One page of documents. With filters it may hold fewer than `limit`, even none, and still be followed by another.",
            schema: Some(|generator| generator.subschema_for::<DocumentList>()),
            headers: &[],
        }],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
    },
    Route {
        operation: "searchDocuments",
        method: Method::Get,
        path: "/documents/search",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Search saved documents by the words of their recognised text, their names and their tags.",
        parameters: &[
            Parameter {
                name: "q",
                place: Place::Query,
                description: "What is looked for: each of its words equals or begins a word of the recognised text or of the tags, or the name holds it whole.",
                schema: r#"{"type": "string", "maxLength": 120}"#,
            },
            TYPE,
            DOCUMENT_STATUS,
            FOLDER_ID,
            GROUP_ID,
            Parameter {
                name: "tags",
                place: Place::Query,
                description: "Tags, separated by commas: only documents that have all of them.",
                schema: r#"{"type": "string", "maxLength": 500}"#,
            },
            Parameter {
                name: "from",
                place: Place::Query,
                description: "Only documents created then or later: Unix milliseconds, or seconds below 100,000,000,000.",
                schema: r#"{"type": "integer"}"#,
            },
            Parameter {
                name: "to",
                place: Place::Query,
                description: "Only documents created then or earlier: Unix milliseconds, or seconds below 100,000,000,000.",
                schema: r#"{"type": "integer"}"#,
            },
            CURSOR,
            LIMIT,
        ],
        body: None,
        successes: &[Success {
            status: 200,
            description: "One page of what was found; it may hold fewer than `limit`, even none, and still be followed by another.",
            schema: Some(|generator| generator.subschema_for::<DocumentSearch>()),
            headers: &[],
        }],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
    },
    Route {
        operation: "importDocument",
        method: Method::Post,
        path: "/documents/import",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsWrite),
        idempotency: Idempotency::Optional,
        billable: true,
        summary: "Import a public file into the library.",
        parameters: &[],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<ImportDocument>(),
            malformed: 400,
            example: r#"{"url": "https://example.org/report.pdf", "filename": "report.pdf", "folderId": "contracts"}"#,
        }),
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
    },
    Route {
        operation: "getDocument",
        method: Method::Get,
        path: "/documents/{documentId}",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Read a saved document and its newest versions.",
        parameters: &[DOCUMENT_ID],
        body: None,
        successes: &[Success {
            status: 200,
            description: "The document.",
            schema: Some(|generator| generator.subschema_for::<DocumentDetail>()),
            headers: &[],
        }],
        errors: &[ErrorCode::DocumentNotFound],
    },
    Route {
        operation: "updateDocument",
        method: Method::Patch,
        path: "/documents/{documentId}",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsWrite),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Rename, move, group, tag, archive or take back a saved document.",
        parameters: &[DOCUMENT_ID],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<ChangeDocument>(),
            malformed: 400,
            example: r#"{"filename": "report 2026.pdf", "tags": ["tax", "2026"], "status": "archived"}"#,
        }),
        successes: &[Success {
            status: 200,
            description: "The document as it is now.",
            schema: Some(|generator| generator.subschema_for::<DocumentDetail>()),
            headers: &[],
        }],
        errors: &[ErrorCode::DocumentNotFound],
    },
    Route {
        operation: "deleteDocument",
        method: Method::Delete,
        path: "/documents/{documentId}",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsWrite),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Delete a saved document with all its versions.",
        parameters: &[DOCUMENT_ID],
        body: None,
        successes: &[Success {
            status: 204,
            description: "The document is gone.",
            schema: None,
            headers: &[],
        }],
        errors: &[ErrorCode::DocumentNotFound],
    },
    Route {
        operation: "downloadDocument",
        method: Method::Get,
        path: "/documents/{documentId}/download",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Download the current version of a saved document.",
        parameters: &[DOCUMENT_ID],
        body: None,
        successes: &[Success {
            status: 302,
            description: "The content is at `Location` for 15 minutes.",
            schema: None,
            headers: &[Header::Location],
        }],
        errors: &[ErrorCode::DocumentNotFound, ErrorCode::NoCurrentVersion],
    },
    Route {
        operation: "downloadVersion",
        method: Method::Get,
        path: "/documents/{documentId}/versions/{versionId}/download",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Download a version of a saved document.",
        parameters: &[DOCUMENT_ID, VERSION_ID],
        body: None,
        successes: &[Success {
            status: 302,
            description: "The content is at `Location` for 15 minutes.",
            schema: None,
            headers: &[Header::Location],
        }],
        errors: &[ErrorCode::DocumentNotFound, ErrorCode::VersionNotFound],
    },
    Route {
        operation: "listPages",
        method: Method::Get,
        path: "/documents/{documentId}/versions/{versionId}/pages",
        function: "documents",
        access: Access::Scoped(Scope::DocumentsRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "List the pages of a version, once Octavo has looked into it.",
        parameters: &[DOCUMENT_ID, VERSION_ID, CURSOR, LIMIT],
        body: None,
        successes: &[Success {
            status: 200,
            description: "Some of the pages, in order; none while nobody knows how many there are.",
            schema: Some(|generator| generator.subschema_for::<PageList>()),
            headers: &[],
        }],
        errors: &[
            ErrorCode::DocumentNotFound,
            ErrorCode::VersionNotFound,
            ErrorCode::InvalidRequest,
            ErrorCode::InvalidCursor,
        ],
    },
    Route {
        operation: "processDocument",
        method: Method::Post,
        path: "/documents/{documentId}/process",
        function: "documents",
        access: Access::Both(Scope::DocumentsRead, Scope::JobsCreate),
        idempotency: Idempotency::Optional,
        billable: true,
        summary: "Process the current version of a saved document; the result becomes a version of it.",
        parameters: &[DOCUMENT_ID],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<ProcessDocument>(),
            malformed: 422,
            example: r#"{"operation": "pipeline", "steps": [{"operation": "ocr", "output": "pdf"}, {"operation": "optimise"}]}"#,
        }),
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
    },
    Route {
        operation: "processPage",
        method: Method::Post,
        path: "/documents/{documentId}/pages/{pageId}/process",
        function: "documents",
        access: Access::Both(Scope::DocumentsRead, Scope::JobsCreate),
        idempotency: Idempotency::Optional,
        billable: true,
        summary: "Process one page of a saved document; the result becomes a version of the document.",
        parameters: &[DOCUMENT_ID, PAGE_ID],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<ProcessDocument>(),
            malformed: 422,
            example: r#"{"operation": "image", "steps": [{"operation": "cleanup", "deskew": true}], "format": "png"}"#,
        }),
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
    },
];
