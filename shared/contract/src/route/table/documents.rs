//! Routes of saved documents.

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::document::{
    ChangeDocument, DocumentDetail, DocumentImported, DocumentList, DocumentSearch, ImportDocument,
    PageList, ProcessDocument,
};
use crate::job::{PageJobCreated, SavedDocumentJobCreated};
use crate::route::{
    Access, Body, Header, Idempotency, Method, Parameter, Route, STRICT, Success, Tag,
};

const DOCUMENT_ID: Parameter = Parameter::path("documentId", "Identifier of the document.");

const VERSION_ID: Parameter =
    Parameter::path("versionId", "Identifier of a version of the document.");

const PAGE_ID: Parameter = Parameter::path(
    "pageId",
    "Identifier of a page of any version of the document.",
);

const LIMIT: Parameter = Parameter::query(
    "limit",
    "Maximum number of items per page.",
    r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
);

const CURSOR: Parameter = Parameter::query(
    "cursor",
    "The `nextCursor` of the previous page. Use it with the same filters.",
    r#"{"type": "string"}"#,
);

const TYPE: Parameter = Parameter::query(
    "type",
    "Returns only documents of exactly this media type, such as `application/pdf`.",
    r#"{"type": "string", "maxLength": 120}"#,
);

const FOLDER_ID: Parameter = Parameter::query(
    "folderId",
    "Returns only documents in this folder; `root` for documents without a folder.",
    r#"{"type": "string", "maxLength": 120}"#,
);

const GROUP_ID: Parameter = Parameter::query(
    "groupId",
    "Returns only documents of this group.",
    r#"{"type": "string", "maxLength": 120}"#,
);

const DOCUMENT_STATUS: Parameter = Parameter::query(
    "status",
    "Returns only documents with this status. Default: all except `archived`.",
    r#"{"type": "string", "enum": ["importing", "ready", "processing", "error", "archived"]}"#,
);

/// Defaults of the routes of the function `documents`.
const ROUTE: Route = Route {
    function: "documents",
    tag: Tag::Documents,
    access: Access::Scoped(Scope::DocumentsRead),
    ..Route::DEFAULTS
};

/// The routes of the function `documents`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "listDocuments",
        path: "/documents",
        summary: "List documents",
        description: "Returns the saved documents of the account, newest first. Archived documents are included only if \
            `status` is `archived`.",
        parameters: &[
            Parameter::query(
                "q",
                "Returns only documents whose name contains this text, ignoring case.",
                r#"{"type": "string", "maxLength": 120}"#,
            ),
            TYPE,
            FOLDER_ID,
            GROUP_ID,
            Parameter::query(
                "source",
                "Returns only documents created this way: imported from a URL, by a job, or by the mobile app.",
                r#"{"type": "string", "enum": ["import", "job", "app"]}"#,
            ),
            DOCUMENT_STATUS,
            CURSOR,
            LIMIT,
        ],
        successes: &[Success::of::<DocumentList>(
            200,
            "A page of documents. With filters it may contain fewer than `limit` documents, or none, although `hasMore` is \
                true.",
        )],
        errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
        ..ROUTE
    },
    Route {
        operation: "searchDocuments",
        path: "/documents/search",
        summary: "Search documents",
        description: "Searches saved documents by their recognized text, name and tags: first documents whose text matches, \
            then documents whose name or tags match, newest first.",
        parameters: &[
            Parameter::query(
                "q",
                "Search text. A document matches if every word is a prefix of a word of its recognized text or of its tags, \
                    or if its name contains the text. Default: all documents.",
                r#"{"type": "string", "maxLength": 120}"#,
            ),
            TYPE,
            DOCUMENT_STATUS,
            FOLDER_ID,
            GROUP_ID,
            Parameter::query(
                "tags",
                "Returns only documents with all of these tags, separated by commas.",
                r#"{"type": "string", "maxLength": 500}"#,
            ),
            Parameter::query(
                "from",
                "Returns only documents created at this time or later, in Unix milliseconds. Values below 100,000,000,000 are \
                    Unix seconds.",
                r#"{"type": "integer"}"#,
            ),
            Parameter::query(
                "to",
                "Returns only documents created at this time or earlier, in Unix milliseconds. Values below 100,000,000,000 \
                    are Unix seconds.",
                r#"{"type": "integer"}"#,
            ),
            CURSOR,
            LIMIT,
        ],
        successes: &[Success::of::<DocumentSearch>(
            200,
            "A page of results. It may contain fewer than `limit` documents, or none, although `hasMore` is true.",
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
        summary: "Import a document",
        description: "Fetches a file from a public URL and saves it as a new document with one version. Costs one credit.",
        body: Body::of::<ImportDocument>(
            400,
            r#"{"url": "https://example.org/report.pdf", "filename": "report.pdf", "folderId": "contracts"}"#,
        ),
        successes: &[Success {
            status: 201,
            description: "The document is saved. With `Idempotency-Replayed`, an earlier request created it, and nothing is \
                charged.",
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
        summary: "Get a document",
        description: "Returns a saved document with its latest versions.",
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
        summary: "Update a document",
        description: "Changes name, folder, group, tags or archive status of a saved document. Omitted members stay unchanged.",
        parameters: &[DOCUMENT_ID],
        body: Body::of::<ChangeDocument>(
            400,
            r#"{"filename": "report 2026.pdf", "tags": ["tax", "2026"], "status": "archived"}"#,
        ),
        successes: &[Success::of::<DocumentDetail>(200, "The updated document.")],
        errors: &[ErrorCode::DocumentNotFound],
        ..ROUTE
    },
    Route {
        operation: "deleteDocument",
        method: Method::Delete,
        path: "/documents/{documentId}",
        access: Access::Scoped(Scope::DocumentsWrite),
        summary: "Delete a document",
        description: "Deletes a saved document with all its versions. This cannot be undone.",
        parameters: &[DOCUMENT_ID],
        successes: &[Success {
            status: 204,
            description: "The document is deleted.",
            schema: None,
            headers: &[],
        }],
        errors: &[ErrorCode::DocumentNotFound],
        ..ROUTE
    },
    Route {
        operation: "downloadDocument",
        path: "/documents/{documentId}/download",
        summary: "Download a document",
        description: "Redirects to a presigned URL of the current version.",
        parameters: &[DOCUMENT_ID],
        successes: &[Success {
            status: 302,
            description: "`Location` is a presigned URL of the content, valid for 15 minutes.",
            schema: None,
            headers: &[Header::Location],
        }],
        errors: &[ErrorCode::DocumentNotFound, ErrorCode::NoCurrentVersion],
        ..ROUTE
    },
    Route {
        operation: "downloadVersion",
        path: "/documents/{documentId}/versions/{versionId}/download",
        summary: "Download a document version",
        description: "Redirects to a presigned URL of the version.",
        parameters: &[DOCUMENT_ID, VERSION_ID],
        successes: &[Success {
            status: 302,
            description: "`Location` is a presigned URL of the content, valid for 15 minutes.",
            schema: None,
            headers: &[Header::Location],
        }],
        errors: &[ErrorCode::DocumentNotFound, ErrorCode::VersionNotFound],
        ..ROUTE
    },
    Route {
        operation: "listPages",
        path: "/documents/{documentId}/versions/{versionId}/pages",
        summary: "List pages of a version",
        description: "Returns the pages of a version in order. A version has no pages until the service has inspected it, \
            shortly after its creation.",
        parameters: &[DOCUMENT_ID, VERSION_ID, CURSOR, LIMIT],
        successes: &[Success::of::<PageList>(
            200,
            "A page of the list, in order; empty until the version has been inspected.",
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
        summary: "Process a document",
        description: "Creates a job on the current version of a saved document. The result becomes a new version of the \
            document.",
        parameters: &[DOCUMENT_ID, STRICT],
        body: Body::of::<ProcessDocument>(
            422,
            r#"{"operation": "pipeline", "steps": [{"operation": "ocr", "output": "pdf"}, {"operation": "optimize"}]}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted. `Location` is the URL of the job.",
                schema: Some(|generator| generator.subschema_for::<SavedDocumentJobCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same `Idempotency-Key` created this job. Nothing is charged.",
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
        summary: "Process a page",
        description: "Creates a job on one page of a saved document. The result becomes a new version of the document.",
        parameters: &[DOCUMENT_ID, PAGE_ID, STRICT],
        body: Body::of::<ProcessDocument>(
            422,
            r#"{"operation": "image", "steps": [{"operation": "cleanup", "deskew": true}], "format": "png"}"#,
        ),
        successes: &[
            Success {
                status: 202,
                description: "The job is accepted. `Location` is the URL of the job.",
                schema: Some(|generator| generator.subschema_for::<PageJobCreated>()),
                headers: &[Header::Location, Header::RetryAfter],
            },
            Success {
                status: 200,
                description: "An earlier request with the same `Idempotency-Key` created this job. Nothing is charged.",
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
