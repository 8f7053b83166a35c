//! Rate-limited routes that anonymous clients may call.

use super::{any_file, file, pdf_file};
use crate::code::ErrorCode;
use crate::compat::{ConvertSample, RenderWebPage};
use crate::route::{
    Access, Body, Header, Idempotency, Parameter, ParameterLocation, Route, Success,
};

const TOO_LARGE: Success = Success {
    status: 303,
    description: "The result is too large for the response. `Location` is a presigned URL, valid for 15 minutes.",
    schema: None,
    headers: &[Header::Location],
};

/// Defaults of the routes for anonymous clients.
const OPEN: Route = Route {
    access: Access::Open,
    idempotency: Idempotency::None,
    billable: false,
    parameters: &[],
    ..super::FORM
};

pub(super) const RENDER_WEB_PAGE: Route = Route {
    operation: "renderWebPage",
    path: "/webpage-to-pdf",
    summary: "Convert a web page to PDF",
    description: "Prints a public web page as PDF while the request waits: at most 20 seconds, 20 MB and 200 pages. No \
        credential is required; requests are rate-limited by client address. New clients should use `POST /jobs`.",
    body: Body::of::<RenderWebPage>(400, r#"{"url": "https://example.org/"}"#),
    successes: &[file(|_| pdf_file(), "The web page as a PDF."), TOO_LARGE],
    errors: &[
        ErrorCode::InvalidUrl,
        ErrorCode::UrlBlocked,
        ErrorCode::RateLimited,
        ErrorCode::RenderFailed,
    ],
    ..OPEN
};

pub(super) const CONVERT_SAMPLE: Route = Route {
    operation: "convertSample",
    path: "/sandbox/convert",
    summary: "Convert the sample document",
    description: "Converts the built-in sample document while the request waits. Only this service's own page may call it, \
        with the token in its HTML.",
    parameters: &[
        Parameter {
            name: "Origin",
            location: ParameterLocation::Header,
            required: false,
            description: "The origin of this service's own page.",
            schema: r#"{"type": "string"}"#,
        },
        Parameter {
            name: "X-Sandbox-Token",
            location: ParameterLocation::Header,
            required: false,
            description: "The content of `<meta name=\"sandbox-token\">` of that page, valid for 15 minutes.",
            schema: r#"{"type": "string"}"#,
        },
    ],
    body: Body::of::<ConvertSample>(400, r#"{"format": "pdf"}"#),
    successes: &[
        file(
            |_| any_file(),
            "The converted sample, or a ZIP archive of several files.",
        ),
        TOO_LARGE,
    ],
    errors: &[
        ErrorCode::OriginForbidden,
        ErrorCode::UnsupportedConversion,
        ErrorCode::RateLimited,
        ErrorCode::ProcessorUnavailable,
    ],
    ..OPEN
};
