//! Deliveries: their rows in the table of subscriptions, when they are due, and their queue.

mod due;
mod keep;
mod read;
mod row;
mod send;
