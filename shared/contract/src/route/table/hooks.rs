//! Automation hooks and signed webhooks.

mod webhooks;

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::hook::{HookList, HookSubscribed, SubscribeHook, UnsubscribeHook, Unsubscribed};
use crate::route::{Access, Body, Idempotency, Method, Parameter, Place, Route, Success};

/// The routes of the function `hooks`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "subscribeHook",
        method: Method::Post,
        path: "/hooks/subscribe",
        function: "hooks",
        access: Access::Scoped(Scope::HooksWrite),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Have a URL called whenever a trigger fires.",
        parameters: &[],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<SubscribeHook>(),
            malformed: 400,
            example: r#"{"event": "qr.scanned", "targetUrl": "https://example.com/hooks/octavo"}"#,
        }),
        successes: &[Success {
            status: 201,
            description: "The hook, with the secret that its deliveries are signed with.",
            schema: Some(|generator| generator.subschema_for::<HookSubscribed>()),
            headers: &[],
        }],
        errors: &[
            ErrorCode::InvalidUrl,
            ErrorCode::UrlBlocked,
            ErrorCode::PlanRequired,
        ],
    },
    Route {
        operation: "unsubscribeHook",
        method: Method::Post,
        path: "/hooks/unsubscribe",
        function: "hooks",
        access: Access::Scoped(Scope::HooksWrite),
        idempotency: Idempotency::None,
        billable: false,
        summary: "End an automation hook; doing so twice is no fault.",
        parameters: &[],
        body: Some(Body {
            schema: |generator| generator.subschema_for::<UnsubscribeHook>(),
            malformed: 400,
            example: r#"{"id": "hook_01kaf3v9e8w5q2r4t6y8u0i2o4"}"#,
        }),
        successes: &[Success {
            status: 200,
            description: "There is no such hook any more.",
            schema: Some(|generator| generator.subschema_for::<Unsubscribed>()),
            headers: &[],
        }],
        errors: &[],
    },
    Route {
        operation: "listHooks",
        method: Method::Get,
        path: "/hooks",
        function: "hooks",
        access: Access::Scoped(Scope::HooksRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "List automation hooks and how the newest attempt of each went, oldest first.",
        parameters: &[CURSOR],
        body: None,
        successes: &[Success {
            status: 200,
            description: "Up to 1,000 hooks.",
            schema: Some(|generator| generator.subschema_for::<HookList>()),
            headers: &[],
        }],
        errors: &[ErrorCode::InvalidCursor],
    },
    Route {
        operation: "listHookSamples",
        method: Method::Get,
        path: "/hooks/samples",
        function: "hooks",
        access: Access::Scoped(Scope::HooksRead),
        idempotency: Idempotency::None,
        billable: false,
        summary: "Read samples of what a trigger sends.",
        parameters: &[Parameter {
            name: "event",
            place: Place::Query,
            required: true,
            description: "The trigger.",
            schema: r#"{"type": "string", "enum": ["scan.created", "pdf.exported", "geotag.captured", "timestamp.captured", "ocr.completed", "qr.scanned"]}"#,
        }],
        body: None,
        successes: &[Success {
            status: 200,
            description: "Bodies as a hook gets them.",
            schema: Some(
                |_| schemars::json_schema!({"type": "array", "items": {"type": "object"}}),
            ),
            headers: &[],
        }],
        errors: &[ErrorCode::InvalidRequest],
    },
    webhooks::CREATE,
    webhooks::LIST,
    webhooks::READ,
    webhooks::DELETE,
    webhooks::TEST,
    webhooks::ROTATE,
    webhooks::DELIVERIES,
    webhooks::REDELIVER,
];

/// Continues a list.
const CURSOR: Parameter = Parameter {
    name: "cursor",
    place: Place::Query,
    required: false,
    description: "The `nextCursor` of the page before.",
    schema: r#"{"type": "string"}"#,
};
