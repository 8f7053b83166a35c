//! Automation hooks, from subscribing to what a trigger sends.

mod bus;
mod firing;
mod subscribing;
