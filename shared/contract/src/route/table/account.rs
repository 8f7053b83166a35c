//! An account's usage and keys.

use crate::code::ErrorCode;
use crate::key::{CreateKey, KeyCreated, KeyList};
use crate::route::{Access, Body, Idempotency, Method, Parameter, Place, Route, Success};
use crate::usage::Usage;

/// The routes of the function `account`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "getUsage",
        method: Method::Get,
        path: "/usage",
        function: "account",
        access: Access::AnyCaller,
        idempotency: Idempotency::None,
        billable: false,
        summary: "Read the plan and what is left of it.",
        parameters: &[],
        body: None,
        successes: &[Success {
            status: 200,
            description: "Plan and quota of the key's account.",
            schema: Some(|generator| generator.subschema_for::<Usage>()),
            headers: &[],
        }],
        errors: &[],
    },
    Route {
        operation: "listKeys",
        method: Method::Get,
        path: "/account/keys",
        function: "account",
        access: Access::Account,
        idempotency: Idempotency::None,
        billable: false,
        summary: "List the account's API keys, newest first.",
        parameters: &[],
        body: None,
        successes: &[Success {
            status: 200,
            description: "The keys that work, without their secrets.",
            schema: Some(|generator| generator.subschema_for::<KeyList>()),
            headers: &[],
        }],
        errors: &[],
    },
    Route {
        operation: "createKey",
        method: Method::Post,
        path: "/account/keys",
        function: "account",
        access: Access::Account,
        idempotency: Idempotency::None,
        billable: false,
        summary: "Create an API key.",
        parameters: &[],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<CreateKey>(),
            malformed: 400,
            example: r#"{"name": "build server", "scopes": ["jobs:create", "jobs:read", "files:write"]}"#,
        }),
        successes: &[Success {
            status: 201,
            description: "The key, shown this once.",
            schema: Some(|generator| generator.subschema_for::<KeyCreated>()),
            headers: &[],
        }],
        errors: &[ErrorCode::PlanRequired],
    },
    Route {
        operation: "revokeKey",
        method: Method::Delete,
        path: "/account/keys/{keyId}",
        function: "account",
        access: Access::Account,
        idempotency: Idempotency::None,
        billable: false,
        summary: "Revoke an API key; it stops working at once.",
        parameters: &[Parameter {
            name: "keyId",
            place: Place::Path,
            required: true,
            description: "The part of the key between its underscores.",
            schema: r#"{"type": "string"}"#,
        }],
        body: None,
        successes: &[Success {
            status: 204,
            description: "The key is revoked.",
            schema: None,
            headers: &[],
        }],
        errors: &[ErrorCode::KeyNotFound],
    },
];
