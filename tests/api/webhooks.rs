//! Webhooks: registration, signed delivery, delivery log.

mod delivery_log;
mod documents;
mod jobs;
mod receivers;
mod registration;
mod secrets;
mod slow_receivers;
mod snippets;
