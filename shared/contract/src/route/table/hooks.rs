//! Automation hooks and signed webhooks.

mod webhooks;

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::hook::{HookList, HookSubscribed, SubscribeHook, UnsubscribeHook, Unsubscribed};
use crate::route::{Access, Body, Method, Parameter, Place, Route, Success};

/// What the routes of the function `hooks` have in common unless they say otherwise.
const ROUTE: Route = Route {
    function: "hooks",
    access: Access::Scoped(Scope::HooksRead),
    ..Route::READING
};

/// The routes of the function `hooks`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "subscribeHook",
        method: Method::Post,
        path: "/hooks/subscribe",
        access: Access::Scoped(Scope::HooksWrite),
        summary: "Have a URL called whenever a trigger fires.",
        body: Body::of::<SubscribeHook>(
            400,
            r#"{"event": "qr.scanned", "targetUrl": "https://example.com/hooks/octavo"}"#,
        ),
        successes: &[Success::of::<HookSubscribed>(
            201,
            "The hook, with the secret that its deliveries are signed with.",
        )],
        errors: &[
            ErrorCode::InvalidUrl,
            ErrorCode::UrlBlocked,
            ErrorCode::PlanRequired,
        ],
        ..ROUTE
    },
    Route {
        operation: "unsubscribeHook",
        method: Method::Post,
        path: "/hooks/unsubscribe",
        access: Access::Scoped(Scope::HooksWrite),
        summary: "End an automation hook; doing so twice is no fault.",
        body: Body::of::<UnsubscribeHook>(400, r#"{"id": "hook_01kaf3v9e8w5q2r4t6y8u0i2o4"}"#),
        successes: &[Success::of::<Unsubscribed>(
            200,
            "There is no such hook any more.",
        )],
        ..ROUTE
    },
    Route {
        operation: "listHooks",
        path: "/hooks",
        summary: "List automation hooks and how the newest attempt of each went, oldest first.",
        parameters: &[CURSOR],
        successes: &[Success::of::<HookList>(200, "Up to 1,000 hooks.")],
        errors: &[ErrorCode::InvalidCursor],
        ..ROUTE
    },
    Route {
        operation: "listHookSamples",
        path: "/hooks/samples",
        summary: "Read samples of what a trigger sends.",
        parameters: &[Parameter {
            name: "event",
            place: Place::Query,
            required: true,
            description: "The trigger.",
            schema: r#"{"type": "string", "enum": ["scan.created", "pdf.exported", "geotag.captured", "timestamp.captured", "ocr.completed", "qr.scanned"]}"#,
        }],
        successes: &[Success {
            status: 200,
            description: "Bodies as a hook gets them.",
            schema: Some(
                |_| schemars::json_schema!({"type": "array", "items": {"type": "object"}}),
            ),
            headers: &[],
        }],
        errors: &[ErrorCode::InvalidRequest],
        ..ROUTE
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
const CURSOR: Parameter = Parameter::query(
    "cursor",
    "The `nextCursor` of the page before.",
    r#"{"type": "string"}"#,
);
