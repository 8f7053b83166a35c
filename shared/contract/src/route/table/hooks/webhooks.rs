//! Routes of webhooks.

use domain::scope::Scope;

use super::CURSOR;
use crate::code::ErrorCode;
use crate::route::{Access, Body, Header, Idempotency, Method, Parameter, Route, Success, Tag};
use crate::webhook::{
    CreateWebhook, DeliveryEntry, DeliveryList, SecretRotated, Webhook, WebhookCreated, WebhookList,
};

/// Defaults of the routes of webhooks.
const WEBHOOK: Route = Route {
    operation: "",
    method: Method::Get,
    path: "/webhooks/{webhookId}",
    function: "hooks",
    tag: Tag::Webhooks,
    access: Access::Scoped(Scope::WebhooksWrite),
    idempotency: Idempotency::None,
    billable: false,
    summary: "",
    description: "",
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
    summary: "Create a webhook",
    description: "Subscribes a URL to events of jobs and documents. For each event the service sends a signed POST request to \
        the URL, as defined by Standard Webhooks 1.0. Failed deliveries are retried with back-off. A webhook is disabled \
        if its receiver fails for five days or responds 410.",
    parameters: &[],
    body: Body::of::<CreateWebhook>(
        400,
        r#"{"url": "https://example.com/webhooks/octavo", "events": ["job.completed", "job.failed"]}"#,
    ),
    successes: &[Success {
        status: 201,
        description: "The webhook with its signing secret, which is never shown again.",
        schema: Some(|generator| generator.subschema_for::<WebhookCreated>()),
        headers: &[Header::IdempotencyReplayed],
    }],
    errors: &[
        ErrorCode::InvalidUrl,
        ErrorCode::UrlBlocked,
        ErrorCode::PlanRequired,
        // The webhook of an earlier request with the same Idempotency-Key was deleted.
        ErrorCode::WebhookNotFound,
    ],
    ..WEBHOOK
};

pub(super) const LIST: Route = Route {
    operation: "listWebhooks",
    path: "/webhooks",
    summary: "List webhooks",
    description: "Returns the webhooks of the account, oldest first.",
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
    summary: "Get a webhook",
    description: "Returns a webhook without its secret.",
    successes: &[Success::of::<Webhook>(
        200,
        "The webhook, without its secret.",
    )],
    ..WEBHOOK
};

pub(super) const DELETE: Route = Route {
    operation: "deleteWebhook",
    method: Method::Delete,
    summary: "Delete a webhook",
    description: "Deletes a webhook. Pending deliveries are skipped.",
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
    summary: "Test a webhook",
    description: "Sends the event `webhook.test` to a webhook, regardless of its subscribed events.",
    successes: &[Success::of::<DeliveryEntry>(
        202,
        "The delivery, which is being sent.",
    )],
    errors: &[ErrorCode::WebhookNotFound, ErrorCode::WebhookDisabled],
    ..WEBHOOK
};

pub(super) const ROTATE: Route = Route {
    operation: "rotateWebhookSecret",
    method: Method::Post,
    path: "/webhooks/{webhookId}/rotate-secret",
    summary: "Rotate a webhook secret",
    description: "Creates a new signing secret for a webhook. Deliveries are also signed with the previous secret for 24 \
        hours, so that receivers can switch without losing events.",
    successes: &[Success::of::<SecretRotated>(
        200,
        "The new secret, which is never shown again.",
    )],
    ..WEBHOOK
};

pub(super) const DELIVERIES: Route = Route {
    operation: "listDeliveries",
    path: "/webhooks/{webhookId}/deliveries",
    summary: "List webhook deliveries",
    description: "Returns the deliveries of a webhook with the outcome of their last attempt, newest event first.",
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
    summary: "Resend a delivery",
    description: "Sends a delivery again with the same event identifier and body, in a new round of attempts.",
    parameters: &[
        WEBHOOK_ID,
        Parameter::path("deliveryId", "Identifier of the delivery."),
    ],
    successes: &[Success::of::<DeliveryEntry>(
        202,
        "The delivery, which is being sent.",
    )],
    errors: &[
        ErrorCode::WebhookNotFound,
        ErrorCode::DeliveryNotFound,
        ErrorCode::WebhookDisabled,
    ],
    ..WEBHOOK
};

const WEBHOOK_ID: Parameter = Parameter::path("webhookId", "Identifier of the webhook.");

const LIMIT: Parameter = Parameter::query(
    "limit",
    "Maximum number of items per page.",
    r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
);
