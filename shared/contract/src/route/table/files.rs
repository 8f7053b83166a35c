//! Routes of uploads.

use domain::scope::Scope;

use crate::route::{Access, Body, Header, Idempotency, Method, Route, Success, Tag};
use crate::upload::{AuthorizeUpload, UploadAuthorized};

/// The routes of the function `files`.
pub(super) const ROUTES: &[Route] = &[Route {
    operation: "authorizeUpload",
    method: Method::Post,
    path: "/files/upload",
    function: "files",
    tag: Tag::Files,
    access: Access::Scoped(Scope::FilesWrite),
    idempotency: Idempotency::Optional,
    billable: false,
    summary: "Authorize an upload",
    description: "Returns a presigned URL for the upload of one file, and its `sourceKey`, which jobs use as their source. \
        Upload the file with the returned method and headers before `expiresAt`.",
    parameters: &[],
    body: Body::of::<AuthorizeUpload>(
        400,
        r#"{"filename": "report.pdf", "contentType": "application/pdf", "sizeBytes": 48210}"#,
    ),
    successes: &[Success {
        status: 201,
        description: "The authorization. Send the file to `uploadUrl` with `method` and `headers`.",
        schema: Some(|generator| generator.subschema_for::<UploadAuthorized>()),
        headers: &[Header::IdempotencyReplayed],
    }],
    errors: &[],
}];
