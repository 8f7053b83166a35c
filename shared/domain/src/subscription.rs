//! Subscriptions: which endpoint receives which events, and the state of each delivery.
//!
//! A *webhook* receives events of jobs and saved documents; an *automation hook* receives one trigger of the mobile app.
//! Deliveries are signed as defined by Standard Webhooks 1.0.

mod delivery;
mod delivery_ticket;
mod lane;
mod receiver_health;
mod record;
mod rotation;
mod schedule;
mod secret;
mod selector;
mod send;
mod trigger;
mod unreadable;

pub use delivery::{Delivery, DeliveryChange, DeliveryOutcome, DeliveryStatus, Payload};
pub use delivery_ticket::{DELIVERY_TICKET_VERSION, DeliveryTicket, UnreadableDeliveryTicket};
pub use lane::{Lane, SLOW_AFTER, SLOW_FOR, SLOW_MARK_RENEWAL, SlowMark};
pub use receiver_health::{FailedAttempt, HEALTH_WRITE_INTERVAL, HealthUpdate};
pub use record::{
    DisabledReason, LastDelivery, Subscription, SubscriptionId, SubscriptionKind,
    SubscriptionStatus,
};
pub use rotation::SecretsInUse;
pub use schedule::{
    ATTEMPTS, DISABLED_AFTER, DeliveryFailure, LEASE, MAX_FAILURE_GAP, MAX_QUEUE_DELAY,
    RESEND_AFTER, TIMEOUT, delivery_retention, retry_delay,
};
pub use secret::{SealedSecret, SigningSecret, SigningSecretError};
pub use selector::{Selector, UnknownEvent};
pub use send::send_now;
pub use trigger::{
    GeotagCaptured, OcrCompleted, PdfExported, QrScanned, ScanCreated, TRIGGER_SOURCE,
    TimestampCaptured, Trigger, TriggerEvent, TriggerEventError,
};
pub use unreadable::report_unreadable;
