//! What only the operator does: switching processors, finding buried jobs, erasing accounts, putting triggers on the bus,
//! emptying dead-letter queues, looking at the whole stack.

mod buried;
mod bus;
mod dead_letters;
mod erasure;
mod processors;
mod reach;
mod sign_in;
mod subscribers;

pub use dead_letters::Moved;
pub use processors::{Concurrency, EventSource};
pub use sign_in::SignedIn;
