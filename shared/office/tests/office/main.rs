//! The zygote with documents that convert, documents that do not, and forks that misbehave in every way that LibreOffice
//! could be made to.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod documents;
mod isolation;
mod life;
mod rig;
