//! The expected response to each sample event.

/// The response to an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// An HTTP response with this status.
    Success(u16),
    /// Problem details with this status and code.
    Problem(u16, &'static str),
    /// The result of an engine function, which it uploaded.
    Result,
    /// The response of an engine function with this type and value; any value if it is `None`.
    Engine(&'static str, Option<&'static str>),
    /// A partial batch response: the messages at these indices are retried.
    Failures(&'static [usize]),
    /// `null`, as of scheduled events.
    Nothing,
}

use Expected::{Engine, Failures, Nothing, Problem, Result, Success};

/// Every file below `events/`, by function.
pub(crate) const EXPECTED: &[(&str, &[(&str, Expected)])] = &[
    (
        "jobs",
        &[
            ("http.ok", Success(202)),
            (
                "http.unauthenticated",
                Problem(401, "authentication_required"),
            ),
            ("http.hostile", Problem(400, "invalid_request")),
        ],
    ),
    (
        "files",
        &[
            ("http.ok", Success(201)),
            (
                "http.unauthenticated",
                Problem(401, "authentication_required"),
            ),
            ("http.hostile", Problem(400, "invalid_request")),
        ],
    ),
    (
        "compat",
        &[
            ("http.ok", Success(202)),
            (
                "http.unauthenticated",
                Problem(401, "authentication_required"),
            ),
            ("http.blocked-url", Problem(422, "url_blocked")),
            ("http.blocked-web-page", Problem(400, "url_blocked")),
            ("http.foreign-origin", Problem(403, "origin_forbidden")),
            ("http.hostile", Problem(422, "invalid_request")),
        ],
    ),
    (
        "documents",
        &[
            ("http.ok", Success(200)),
            ("http.unknown", Problem(404, "document_not_found")),
            ("http.hostile", Problem(400, "invalid_cursor")),
        ],
    ),
    (
        "account",
        &[
            ("http.ok", Success(200)),
            (
                "http.unauthenticated",
                Problem(401, "authentication_required"),
            ),
            ("http.hostile", Problem(401, "invalid_api_key")),
        ],
    ),
    (
        "site",
        &[
            ("http.ok", Success(200)),
            ("http.page", Success(200)),
            ("http.unknown-route", Problem(404, "route_not_found")),
            ("http.hostile", Problem(404, "route_not_found")),
        ],
    ),
    (
        "hooks",
        &[
            ("http.ok", Success(201)),
            (
                "http.unauthenticated",
                Problem(401, "authentication_required"),
            ),
            ("http.blocked-url", Problem(422, "url_blocked")),
            ("http.unknown", Problem(404, "webhook_not_found")),
            ("http.hostile", Problem(400, "invalid_request")),
        ],
    ),
    // Unreadable events are sent to the dead-letter queue.
    (
        "fanout",
        // Unknown event types are retried, because a newer release may have written them.
        &[("sqs.ok", Failures(&[])), ("sqs.hostile", Failures(&[1]))],
    ),
    ("deliver", TICKETS),
    ("process-office", TICKETS),
    ("process-pdf", TICKETS),
    ("process-image", TICKETS),
    ("process-ocr", TICKETS),
    ("process-web", TICKETS),
    ("process-pipeline", TICKETS),
    ("engine-office", INVOCATIONS),
    ("engine-pdf", INVOCATIONS),
    ("engine-image", INVOCATIONS),
    ("engine-ocr", INVOCATIONS),
    ("engine-web", INVOCATIONS),
    ("dead-letter", TICKETS),
    (
        "sweep",
        &[("schedule.ok", Nothing), ("schedule.hostile", Nothing)],
    ),
];

const INVOCATIONS: &[(&str, Expected)] = &[
    ("invoke.ok", Result),
    ("invoke.fingerprint", Engine("fingerprint", None)),
    (
        "invoke.other-version",
        Engine("interrupted", Some("unsupported")),
    ),
    ("invoke.hostile", Engine("interrupted", Some("unsupported"))),
];

const TICKETS: &[(&str, Expected)] = &[
    ("sqs.ok", Failures(&[])),
    ("sqs.no-ticket", Failures(&[0])),
    ("sqs.hostile", Failures(&[0, 1, 2])),
];
