//! Signed webhooks.

use domain::scope::Scope;

use super::CURSOR;
use crate::code::ErrorCode;
use crate::route::{Access, Body, Header, Idempotency, Method, Parameter, Route, Success};
use crate::webhook::{
    CreateWebhook, DeliveryEntry, DeliveryList, SecretRotated, Webhook, WebhookCreated, WebhookList,
};

/// What all of them have in common.
const WEBHOOK: Route = Route {
    operation: "",
    method: Method::Get,
    path: "/webhooks/{webhookId}",
    function: "hooks",
    access: Access::Scoped(Scope::WebhooksWrite),
    idempotency: Idempotency::None,
    billable: false,
    summary: "",
    parameters: &[WEBHOOK_ID],
    body: None,
    successes: &[],
    errors: &[ErrorCode::WebhookNotFound],
};

pub(super) const CREATE: Route = Route {
    operation: "createWebhook",
    method: Method::Post,
    path: "/webhooks",
    idempotency: Idempotency::Optional,
    summary: "Register a signed webhook for events of jobs and documents.",
    parameters: &[],
    body: Body::of::<CreateWebhook>(
        400,
        r#"{"url": "https://example.com/webhooks/octavo", "events": ["job.completed", "job.failed"]}"#,
    ),
    successes: &[Success {
        status: 201,
        description: "The webhook, with the secret that its deliveries are signed with.",
        schema: Some(|generator| generator.subschema_for::<WebhookCreated>()),
        headers: &[Header::IdempotencyReplayed],
    }],
    errors: &[
        ErrorCode::InvalidUrl,
        ErrorCode::UrlBlocked,
        ErrorCode::PlanRequired,
        // The webhook of an earlier request with the same Idempotency-Key, which was deleted since.
        ErrorCode::WebhookNotFound,
    ],
    ..WEBHOOK
};

pub(super) const LIST: Route = Route {
    operation: "listWebhooks",
    path: "/webhooks",
    summary: "List webhooks, oldest first.",
    parameters: &[CURSOR, LIMIT],
    successes: &[Success::of::<WebhookList>(
        200,
        "A page of webhooks, without their secrets.",
    )],
    errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
    ..WEBHOOK
};

pub(super) const READ: Route = Route {
    operation: "getWebhook",
    summary: "Read a webhook.",
    successes: &[Success::of::<Webhook>(
        200,
        "The webhook, without its secret.",
    )],
    ..WEBHOOK
};

pub(super) const DELETE: Route = Route {
    operation: "deleteWebhook",
    method: Method::Delete,
    summary: "Delete a webhook; nothing more is sent to it.",
    successes: &[Success {
        status: 204,
        description: "The webhook is deleted.",
        schema: None,
        headers: &[],
    }],
    ..WEBHOOK
};

pub(super) const TEST: Route = Route {
    operation: "testWebhook",
    method: Method::Post,
    path: "/webhooks/{webhookId}/test",
    summary: "Send the event `webhook.test` to a webhook, whatever it is registered for.",
    successes: &[Success::of::<DeliveryEntry>(
        202,
        "The delivery, which is on its way.",
    )],
    errors: &[ErrorCode::WebhookNotFound, ErrorCode::WebhookDisabled],
    ..WEBHOOK
};

pub(super) const ROTATE: Route = Route {
    operation: "rotateWebhookSecret",
    method: Method::Post,
    path: "/webhooks/{webhookId}/rotate-secret",
    summary: "Give a webhook a new secret; for a day deliveries are signed with the one before too.",
    successes: &[Success::of::<SecretRotated>(
        200,
        "The new secret, shown this once.",
    )],
    ..WEBHOOK
};

pub(super) const DELIVERIES: Route = Route {
    operation: "listDeliveries",
    path: "/webhooks/{webhookId}/deliveries",
    summary: "List what was sent to a webhook and how that went, newest event first.",
    parameters: &[WEBHOOK_ID, CURSOR, LIMIT],
    successes: &[Success::of::<DeliveryList>(200, "A page of deliveries.")],
    errors: &[
        ErrorCode::InvalidRequest,
        ErrorCode::InvalidCursor,
        ErrorCode::WebhookNotFound,
    ],
    ..WEBHOOK
};

pub(super) const REDELIVER: Route = Route {
    operation: "redeliver",
    method: Method::Post,
    path: "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
    summary: "Send a delivery again, with the same event identifier and body.",
    parameters: &[WEBHOOK_ID, Parameter::path("deliveryId", "The delivery.")],
    successes: &[Success::of::<DeliveryEntry>(
        202,
        "The delivery, which is on its way.",
    )],
    errors: &[
        ErrorCode::WebhookNotFound,
        ErrorCode::DeliveryNotFound,
        ErrorCode::WebhookDisabled,
    ],
    ..WEBHOOK
};

const WEBHOOK_ID: Parameter = Parameter::path("webhookId", "The webhook.");

const LIMIT: Parameter = Parameter::query(
    "limit",
    "Most items of the page.",
    r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
);
