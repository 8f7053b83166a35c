//! The forms that are open to anybody, within a budget.

use super::{any_file, file, pdf_file};
use crate::code::ErrorCode;
use crate::compat::{ConvertSample, RenderWebPage};
use crate::route::{Access, Body, Header, Idempotency, Parameter, Place, Route, Success};

const ELSEWHERE: Success = Success {
    status: 303,
    description: "The result is too large for this answer; it is at `Location` for 15 minutes.",
    schema: None,
    headers: &[Header::Location],
};

/// What the open forms have in common.
const OPEN: Route = Route {
    access: Access::Open,
    idempotency: Idempotency::None,
    billable: false,
    ..super::FORM
};

pub(super) const RENDER_WEB_PAGE: Route = Route {
    operation: "renderWebPage",
    path: "/webpage-to-pdf",
    summary: "Turn a public web page into a PDF: within 20 seconds, at most 20 MB and 200 pages.",
    body: Body::of::<RenderWebPage>(400, r#"{"url": "https://example.org/"}"#),
    successes: &[file(|_| pdf_file(), "The page as a PDF."), ELSEWHERE],
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
    summary: "Convert the service's own sample document; only for the service's own page.",
    parameters: &[
        Parameter {
            name: "Origin",
            place: Place::Header,
            required: false,
            description: "The origin of the service's own page.",
            schema: r#"{"type": "string"}"#,
        },
        Parameter {
            name: "X-Sandbox-Token",
            place: Place::Header,
            required: false,
            description: "What that page carries as `<meta name=\"sandbox-token\">`; good for 15 minutes.",
            schema: r#"{"type": "string"}"#,
        },
    ],
    body: Body::of::<ConvertSample>(400, r#"{"format": "pdf"}"#),
    successes: &[
        file(
            |_| any_file(),
            "The converted sample, or a ZIP of several files.",
        ),
        ELSEWHERE,
    ],
    errors: &[
        ErrorCode::OriginForbidden,
        ErrorCode::UnsupportedConversion,
        ErrorCode::RateLimited,
        ErrorCode::ProcessorUnavailable,
    ],
    ..OPEN
};
