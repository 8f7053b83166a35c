//! An account's usage and keys.

use crate::code::ErrorCode;
use crate::key::{CreateKey, KeyCreated, KeyList};
use crate::route::{Access, Body, Method, Parameter, Route, Success};
use crate::usage::Usage;

/// What the routes of the function `account` have in common unless they say otherwise.
const ROUTE: Route = Route {
    function: "account",
    access: Access::Account,
    ..Route::READING
};

/// The routes of the function `account`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "getUsage",
        path: "/usage",
        access: Access::AnyCaller,
        summary: "Read the plan and what is left of it.",
        successes: &[Success::of::<Usage>(
            200,
            "Plan and quota of the key's account.",
        )],
        ..ROUTE
    },
    Route {
        operation: "listKeys",
        path: "/account/keys",
        summary: "List the account's API keys, newest first.",
        successes: &[Success::of::<KeyList>(
            200,
            "The keys that work, without their secrets.",
        )],
        ..ROUTE
    },
    Route {
        operation: "createKey",
        method: Method::Post,
        path: "/account/keys",
        summary: "Create an API key.",
        body: Body::of::<CreateKey>(
            400,
            r#"{"name": "build server", "scopes": ["jobs:create", "jobs:read", "files:write"]}"#,
        ),
        successes: &[Success::of::<KeyCreated>(201, "The key, shown this once.")],
        errors: &[ErrorCode::PlanRequired],
        ..ROUTE
    },
    Route {
        operation: "revokeKey",
        method: Method::Delete,
        path: "/account/keys/{keyId}",
        summary: "Revoke an API key; it stops working at once.",
        parameters: &[Parameter::path(
            "keyId",
            "The part of the key between its underscores.",
        )],
        successes: &[Success {
            status: 204,
            description: "The key is revoked.",
            schema: None,
            headers: &[],
        }],
        errors: &[ErrorCode::KeyNotFound],
        ..ROUTE
    },
];
