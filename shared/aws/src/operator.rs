//! Operator functions of `octavo-admin`: enable and disable processors, list dead-lettered jobs, erase accounts, publish
//! trigger events, redrive dead-letter queues, check the deployed resources.

mod bus;
mod dead_lettered_jobs;
mod dead_letters;
mod engine_state;
mod erasure;
mod processors;
mod reach;
mod sign_in;
mod subscribers;

pub use dead_letters::MoveReport;
pub use engine_state::EngineState;
pub use processors::{Concurrency, EventSource};
pub use sign_in::SignInSession;
