//! The library of saved documents.

mod deletion;
mod filters;
mod limits;
mod listing;
mod ocr;
mod orphans;
mod pages;
mod process;
mod read_costs;
mod scans;
mod urls;
mod validation;
