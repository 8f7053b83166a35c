//! Automation hooks: subscriptions and trigger events.

mod event_bus;
mod subscriptions;
mod triggers;
