//! Public routes of the service.

use crate::formats::Formats;
use crate::route::{Access, Header, Parameter, ParameterLocation, Route, Success, Tag};
use crate::site::Health;

/// Defaults of the routes of the function `site`.
const ROUTE: Route = Route {
    function: "site",
    tag: Tag::Service,
    access: Access::Open,
    ..Route::DEFAULTS
};

/// The routes of the function `site`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "getHealth",
        path: "/health",
        summary: "Check the service",
        description: "Returns 200 when the service is reachable.",
        successes: &[Success::of::<Health>(200, "The service is reachable.")],
        ..ROUTE
    },
    Route {
        operation: "listFormats",
        path: "/formats",
        summary: "List formats and operations",
        description: "Returns the supported formats, conversions, operations with prices and options, languages, and the \
            limits of plans.",
        parameters: &[Parameter {
            name: "If-None-Match",
            location: ParameterLocation::Header,
            required: false,
            description: "The `ETag` of the cached response.",
            schema: r#"{"type": "string"}"#,
        }],
        successes: &[
            Success {
                status: 200,
                description: "Formats, conversions, operations and limits.",
                schema: Some(|generator| generator.subschema_for::<Formats>()),
                headers: &[Header::ETag],
            },
            Success {
                status: 304,
                description: "The response has not changed: `If-None-Match` contains its current `ETag`.",
                schema: None,
                headers: &[Header::ETag],
            },
        ],
        ..ROUTE
    },
    Route {
        operation: "getOpenApi",
        path: "/openapi.json",
        summary: "Get the OpenAPI description",
        description: "Returns this OpenAPI 3.1 description.",
        successes: &[Success {
            status: 200,
            description: "The OpenAPI 3.1 document.",
            schema: Some(|_| schemars::json_schema!({"type": "object"})),
            headers: &[],
        }],
        ..ROUTE
    },
];
