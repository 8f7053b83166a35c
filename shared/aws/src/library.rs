//! The library of saved documents: its table and its objects.

mod change;
mod content;
mod draft;
mod ending;
mod import;
mod read;
mod removal;
pub(crate) mod row;
mod tidy;
mod words;
