//! Signed webhooks, from registering one to what its receiver gets.

mod documents;
mod jobs;
mod log;
mod receivers;
mod registering;
mod secrets;
mod slow;
mod snippets;
