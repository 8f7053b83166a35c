//! What anybody may read.

use crate::formats::Formats;
use crate::route::{Access, Header, Parameter, Place, Route, Success};
use crate::site::Health;

/// What the routes of the function `site` have in common unless they say otherwise.
const ROUTE: Route = Route {
    function: "site",
    access: Access::Open,
    ..Route::READING
};

/// The routes of the function `site`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "getHealth",
        path: "/health",
        summary: "See that the service answers.",
        successes: &[Success::of::<Health>(200, "The service answers.")],
        ..ROUTE
    },
    Route {
        operation: "listFormats",
        path: "/formats",
        summary: "List formats, conversions, operations and limits.",
        parameters: &[Parameter {
            name: "If-None-Match",
            place: Place::Header,
            required: false,
            description: "The `ETag` of the version that the client has.",
            schema: r#"{"type": "string"}"#,
        }],
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
        ..ROUTE
    },
    Route {
        operation: "getOpenApi",
        path: "/openapi.json",
        summary: "Read this description.",
        successes: &[Success {
            status: 200,
            description: "OpenAPI 3.1.",
            schema: Some(|_| schemars::json_schema!({"type": "object"})),
            headers: &[],
        }],
        ..ROUTE
    },
];
