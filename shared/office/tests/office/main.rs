//! The zygote with good documents, unreadable documents, and forks that misbehave like an exploited LibreOffice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod documents;
mod harness;
mod isolation;
#[path = "../../../sandbox/src/bin/sandbox-fixture/jail.rs"]
mod jail;
mod life;
mod profile;
