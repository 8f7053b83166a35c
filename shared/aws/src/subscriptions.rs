//! Webhooks and automation hooks in the table of subscriptions.

mod end;
mod manage;
mod notes;
mod read;
mod record;
