//! The library of saved documents.

mod listing;
mod members;
mod process;
mod reads;
mod removing;
mod urls;
