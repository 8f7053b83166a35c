//! Routes of usage and API keys.

use crate::code::ErrorCode;
use crate::key::{CreateKey, KeyCreated, KeyList};
use crate::route::{Access, Body, Method, Parameter, Route, Success, Tag};
use crate::usage::Usage;

/// Defaults of the routes of the function `account`.
const ROUTE: Route = Route {
    function: "account",
    tag: Tag::Account,
    access: Access::Account,
    ..Route::DEFAULTS
};

/// The routes of the function `account`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "getUsage",
        path: "/usage",
        access: Access::AnyCaller,
        summary: "Get usage",
        description: "Returns the plan of the account, its usage, and the remaining quota.",
        successes: &[Success::of::<Usage>(
            200,
            "Plan, usage and quota of the account.",
        )],
        ..ROUTE
    },
    Route {
        operation: "listKeys",
        path: "/account/keys",
        summary: "List API keys",
        description: "Returns the active API keys of the account without their secrets, newest first.",
        successes: &[Success::of::<KeyList>(
            200,
            "The active keys, without their secrets.",
        )],
        ..ROUTE
    },
    Route {
        operation: "createKey",
        method: Method::Post,
        path: "/account/keys",
        summary: "Create an API key",
        description: "Creates an API key. The response is the only one that contains the complete key.",
        body: Body::of::<CreateKey>(
            400,
            r#"{"name": "build server", "scopes": ["jobs:create", "jobs:read", "files:write"]}"#,
        ),
        successes: &[Success::of::<KeyCreated>(
            201,
            "The key. Its secret is never shown again.",
        )],
        errors: &[ErrorCode::PlanRequired],
        ..ROUTE
    },
    Route {
        operation: "revokeKey",
        method: Method::Delete,
        path: "/account/keys/{keyId}",
        summary: "Revoke an API key",
        description: "Revokes an API key. It stops working immediately.",
        parameters: &[Parameter::path(
            "keyId",
            "Identifier of the key: `keyId` of `oct_<keyId>_<secret>`.",
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
