//! Signed webhooks.

use domain::scope::Scope;

use super::CURSOR;
use crate::code::ErrorCode;
use crate::route::{Access, Body, Header, Idempotency, Method, Parameter, Place, Route, Success};
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
    body: Some(Body {
        schema: |generator| generator.subschema_for::<CreateWebhook>(),
        malformed: 400,
        example: r#"{"url": "https://example.com/webhooks/octavo", "events": ["job.completed", "job.failed"]}"#,
    }),
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
    successes: &[Success {
        status: 200,
        description: "A page of webhooks, without their secrets.",
        schema: Some(|generator| generator.subschema_for::<WebhookList>()),
        headers: &[],
    }],
    errors: &[ErrorCode::InvalidRequest, ErrorCode::InvalidCursor],
    ..WEBHOOK
};

pub(super) const READ: Route = Route {
    operation: "getWebhook",
    summary: "Read a webhook.",
    successes: &[Success {
        status: 200,
        description: "The webhook, without its secret.",
        schema: Some(|generator| generator.subschema_for::<Webhook>()),
        headers: &[],
    }],
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
    successes: &[Success {
        status: 202,
        description: "The delivery, which is on its way.",
        schema: Some(|generator| generator.subschema_for::<DeliveryEntry>()),
        headers: &[],
    }],
    errors: &[ErrorCode::WebhookNotFound, ErrorCode::WebhookDisabled],
    ..WEBHOOK
};

pub(super) const ROTATE: Route = Route {
    operation: "rotateWebhookSecret",
    method: Method::Post,
    path: "/webhooks/{webhookId}/rotate-secret",
    summary: "Give a webhook a new secret; for a day deliveries are signed with the one before too.",
    successes: &[Success {
        status: 200,
        description: "The new secret, shown this once.",
        schema: Some(|generator| generator.subschema_for::<SecretRotated>()),
        headers: &[],
    }],
    ..WEBHOOK
};

pub(super) const DELIVERIES: Route = Route {
    operation: "listDeliveries",
    path: "/webhooks/{webhookId}/deliveries",
    summary: "List what was sent to a webhook and how that went, newest event first.",
    parameters: &[WEBHOOK_ID, CURSOR, LIMIT],
    successes: &[Success {
        status: 200,
        description: "A page of deliveries.",
        schema: Some(|generator| generator.subschema_for::<DeliveryList>()),
        headers: &[],
    }],
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
    parameters: &[
        WEBHOOK_ID,
        Parameter {
            name: "deliveryId",
            place: Place::Path,
            required: true,
            description: "The delivery.",
            schema: r#"{"type": "string"}"#,
        },
    ],
    successes: &[Success {
        status: 202,
        description: "The delivery, which is on its way.",
        schema: Some(|generator| generator.subschema_for::<DeliveryEntry>()),
        headers: &[],
    }],
    errors: &[
        ErrorCode::WebhookNotFound,
        ErrorCode::DeliveryNotFound,
        ErrorCode::WebhookDisabled,
    ],
    ..WEBHOOK
};

const WEBHOOK_ID: Parameter = Parameter {
    name: "webhookId",
    place: Place::Path,
    required: true,
    description: "The webhook.",
    schema: r#"{"type": "string"}"#,
};

const LIMIT: Parameter = Parameter {
    name: "limit",
    place: Place::Query,
    required: false,
    description: "Most items of the page.",
    schema: r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 50}"#,
};
