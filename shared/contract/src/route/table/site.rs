//! What anybody may read.

use crate::formats::Formats;
use crate::route::{Access, Header, Idempotency, Method, Parameter, Place, Route, Success};
use crate::site::Health;

/// The routes of the function `site`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "getHealth",
        method: Method::Get,
        path: "/health",
        function: "site",
        access: Access::Open,
        idempotency: Idempotency::None,
        billable: false,
        summary: "See that the service answers.",
        parameters: &[],
        body: None,
        successes: &[Success {
            status: 200,
            description: "The service answers.",
            schema: Some(|generator| generator.subschema_for::<Health>()),
            headers: &[],
        }],
        errors: &[],
    },
    Route {
        operation: "listFormats",
        method: Method::Get,
        path: "/formats",
        function: "site",
        access: Access::Open,
        idempotency: Idempotency::None,
        billable: false,
        summary: "List formats, conversions, operations and limits.",
        parameters: &[Parameter {
            name: "If-None-Match",
            place: Place::Header,
            required: false,
            description: "The `ETag` of the version that the client has.",
            schema: r#"{"type": "string"}"#,
        }],
        body: None,
        successes: &[
            Success {
                status: 200,
                description: "Everything that the service converts and does.",
                schema: Some(|generator| generator.subschema_for::<Formats>()),
                headers: &[Header::ETag],
            },
            Success {
                status: 304,
                description: "Nothing has changed since the version that If-None-Match names.",
                schema: None,
                headers: &[Header::ETag],
            },
        ],
        errors: &[],
    },
    Route {
        operation: "getOpenApi",
        method: Method::Get,
        path: "/openapi.json",
        function: "site",
        access: Access::Open,
        idempotency: Idempotency::None,
        billable: false,
        summary: "Read this description.",
        parameters: &[],
        body: None,
        successes: &[Success {
            status: 200,
            description: "OpenAPI 3.1.",
            schema: Some(|_| schemars::json_schema!({"type": "object"})),
            headers: &[],
        }],
        errors: &[],
    },
];
