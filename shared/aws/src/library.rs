//! The library of saved documents: its table and its objects.

mod change;
mod content;
mod import;
mod read;
mod removal;
mod row;
mod tidy;
mod words;
