//! Routes of automation hooks and webhooks.

mod webhooks;

use domain::scope::Scope;

use crate::code::ErrorCode;
use crate::hook::{HookList, HookSubscribed, SubscribeHook, UnsubscribeHook, Unsubscribed};
use crate::route::{Access, Body, Method, Parameter, ParameterLocation, Route, Success, Tag};

/// Defaults of the routes of the function `hooks`.
const ROUTE: Route = Route {
    function: "hooks",
    tag: Tag::Hooks,
    access: Access::Scoped(Scope::HooksRead),
    ..Route::DEFAULTS
};

/// The routes of the function `hooks`.
pub(super) const ROUTES: &[Route] = &[
    Route {
        operation: "subscribeHook",
        method: Method::Post,
        path: "/hooks/subscribe",
        access: Access::Scoped(Scope::HooksWrite),
        summary: "Create an automation hook",
        description: "Subscribes a URL to one trigger. Each time the trigger fires, the service sends a signed POST request \
            to the URL. The signatures follow Standard Webhooks 1.0.",
        body: Body::of::<SubscribeHook>(
            400,
            r#"{"event": "qr.scanned", "targetUrl": "https://example.com/hooks/octavo"}"#,
        ),
        successes: &[Success::of::<HookSubscribed>(
            201,
            "The hook with its signing secret, which is never shown again.",
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
        summary: "Delete an automation hook",
        description: "Deletes an automation hook. Deleting it again succeeds.",
        body: Body::of::<UnsubscribeHook>(400, r#"{"id": "hook_01kaf3v9e8w5q2r4t6y8u0i2o4"}"#),
        successes: &[Success::of::<Unsubscribed>(200, "The hook is deleted.")],
        ..ROUTE
    },
    Route {
        operation: "listHooks",
        path: "/hooks",
        summary: "List automation hooks",
        description: "Returns the automation hooks of the account with the last delivery of each, oldest first.",
        parameters: &[CURSOR],
        successes: &[Success::of::<HookList>(200, "A page of up to 1,000 hooks.")],
        errors: &[ErrorCode::InvalidCursor],
        ..ROUTE
    },
    Route {
        operation: "listHookSamples",
        path: "/hooks/samples",
        summary: "List sample events of a trigger",
        description: "Returns sample request bodies of a trigger, for the configuration of an automation.",
        parameters: &[Parameter {
            name: "event",
            location: ParameterLocation::Query,
            required: true,
            description: "The trigger, such as `qr.scanned`.",
            schema: r#"{"type": "string", "enum": ["scan.created", "pdf.exported", "geotag.captured", "timestamp.captured", "ocr.completed", "qr.scanned"]}"#,
        }],
        successes: &[Success {
            status: 200,
            description: "Sample request bodies.",
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

/// The pagination cursor.
const CURSOR: Parameter = Parameter::query(
    "cursor",
    "The `nextCursor` of the previous page.",
    r#"{"type": "string"}"#,
);
