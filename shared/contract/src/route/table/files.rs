//! Uploads.

use domain::scope::Scope;

use crate::route::{Access, Body, Header, Idempotency, Method, Route, Success};
use crate::upload::{AuthorizeUpload, UploadAuthorized};

/// The routes of the function `files`.
pub(super) const ROUTES: &[Route] = &[Route {
    operation: "authorizeUpload",
    method: Method::Post,
    path: "/files/upload",
    function: "files",
    access: Access::Scoped(Scope::FilesWrite),
    idempotency: Idempotency::Optional,
    billable: false,
    summary: "Authorise the upload of one file.",
    parameters: &[],
    body: Body::of::<AuthorizeUpload>(
        400,
        r#"{"filename": "report.pdf", "contentType": "application/pdf", "sizeBytes": 48210}"#,
    ),
    successes: &[Success {
        status: 201,
        description: "Send the bytes to `uploadUrl` with `method` and `headers`.",
        schema: Some(|generator| generator.subschema_for::<UploadAuthorized>()),
        headers: &[Header::IdempotencyReplayed],
    }],
    errors: &[],
}];
