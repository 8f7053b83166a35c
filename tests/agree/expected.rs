//! What each sample event is answered.

/// The answer to an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    /// An HTTP answer with this status.
    Success(u16),
    /// A problem with this status and code.
    Refusal(u16, &'static str),
    /// These messages of a batch, by their places, stay in their queue.
    Failures(&'static [usize]),
    /// Nothing: a schedule asks for no answer.
    Nothing,
}

use Answer::{Failures, Nothing, Refusal, Success};

/// Every file below `events/`, by function.
pub(crate) const ANSWERS: &[(&str, &[(&str, Answer)])] = &[
    (
        "jobs",
        &[
            ("http.ok", Success(202)),
            (
                "http.unauthenticated",
                Refusal(401, "authentication_required"),
            ),
            ("http.hostile", Refusal(400, "invalid_request")),
        ],
    ),
    (
        "files",
        &[
            ("http.ok", Success(201)),
            (
                "http.unauthenticated",
                Refusal(401, "authentication_required"),
            ),
            ("http.hostile", Refusal(400, "invalid_request")),
        ],
    ),
    (
        "compat",
        &[
            ("http.ok", Success(202)),
            (
                "http.unauthenticated",
                Refusal(401, "authentication_required"),
            ),
            ("http.blocked-url", Refusal(422, "url_blocked")),
            ("http.blocked-web-page", Refusal(400, "url_blocked")),
            ("http.foreign-origin", Refusal(403, "origin_forbidden")),
            ("http.hostile", Refusal(422, "invalid_request")),
        ],
    ),
    (
        "documents",
        &[
            ("http.ok", Success(200)),
            ("http.unknown", Refusal(404, "document_not_found")),
            ("http.hostile", Refusal(400, "invalid_cursor")),
        ],
    ),
    (
        "account",
        &[
            ("http.ok", Success(200)),
            (
                "http.unauthenticated",
                Refusal(401, "authentication_required"),
            ),
            ("http.hostile", Refusal(401, "invalid_api_key")),
        ],
    ),
    (
        "site",
        &[
            ("http.ok", Success(200)),
            ("http.page", Success(200)),
            ("http.unknown-route", Refusal(404, "route_not_found")),
            ("http.hostile", Refusal(404, "route_not_found")),
        ],
    ),
    (
        "hooks",
        &[
            ("http.ok", Success(201)),
            (
                "http.unauthenticated",
                Refusal(401, "authentication_required"),
            ),
            ("http.blocked-url", Refusal(422, "url_blocked")),
            ("http.unknown", Refusal(404, "webhook_not_found")),
            ("http.hostile", Refusal(400, "invalid_request")),
        ],
    ),
    // What tells nothing is rejected with its reason and done with.
    (
        "fanout",
        // An event of a type that only a newer release may know comes again.
        &[("sqs.ok", Failures(&[])), ("sqs.hostile", Failures(&[1]))],
    ),
    ("deliver", TICKETS),
    ("process-office", TICKETS),
    ("process-pdf", TICKETS),
    ("process-image", TICKETS),
    ("process-ocr", TICKETS),
    ("process-web", TICKETS),
    ("process-pipeline", TICKETS),
    ("bury", TICKETS),
    (
        "sweep",
        &[("schedule.ok", Nothing), ("schedule.hostile", Nothing)],
    ),
];

const TICKETS: &[(&str, Answer)] = &[
    ("sqs.ok", Failures(&[])),
    ("sqs.no-ticket", Failures(&[0])),
    ("sqs.hostile", Failures(&[0, 1, 2])),
];
