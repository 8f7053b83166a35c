//! Subscriptions: who is told of which events, and how each telling goes.
//!
//! A *webhook* hears of jobs and saved documents, an *automation hook* of one trigger of the app around the service. Both
//! are told by signed deliveries that follow Standard Webhooks 1.0.

mod delivery;
mod delivery_ticket;
mod lane;
mod receiver;
mod record;
mod rotation;
mod schedule;
mod secret;
mod selector;
mod send;
mod trigger;
mod unreadable;

pub use delivery::{Delivery, DeliveryChange, DeliveryStatus, Outcome, Payload};
pub use delivery_ticket::{DELIVERY_TICKET_VERSION, DeliveryTicket, UnreadableDeliveryTicket};
pub use lane::{Lane, MARKED_FOR, SLOW_AFTER, SLOW_FOR, SlowMark};
pub use receiver::{FailedAttempt, NOTED_FOR, ReceiverNote};
pub use record::{
    DisabledReason, LastDelivery, Subscription, SubscriptionId, SubscriptionKind,
    SubscriptionStatus,
};
pub use rotation::SecretsInUse;
pub use schedule::{
    ATTEMPTS, DISABLED_AFTER, DeliveryFault, LEASE, LONGEST_QUEUE_DELAY, LONGEST_SILENCE,
    RESEND_AFTER, TIMEOUT, kept_for, pause_after,
};
pub use secret::{SealedSecret, SigningSecret, SigningSecretError};
pub use selector::{Selector, UnknownEvent};
pub use send::send_at_once;
pub use trigger::{
    GeotagCaptured, OcrCompleted, PdfExported, QrScanned, ScanCreated, TRIGGER_SOURCE,
    TimestampCaptured, Trigger, TriggerEvent, TriggerFault,
};
pub use unreadable::report_unreadable;
