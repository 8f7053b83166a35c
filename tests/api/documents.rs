//! The library of saved documents.

mod filters;
mod limits;
mod listing;
mod members;
mod orphans;
mod pages;
mod process;
mod reads;
mod recognition;
mod removing;
mod scans;
mod urls;
