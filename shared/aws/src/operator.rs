//! What only the operator does: switching processors, finding buried jobs, looking at the whole stack.

mod buried;
mod processors;
mod reach;

pub use processors::{Concurrency, EventSource};
