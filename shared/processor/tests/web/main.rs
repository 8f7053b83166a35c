//! Pages from the web, printed by a real browser behind the real guard. Names, public addresses and servers are made up;
//! what the pages try to reach besides is listened for.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod guard;
mod internet;
mod late;
mod outcomes;
mod prewarmed;
mod printed;
mod rig;
mod trusted;
