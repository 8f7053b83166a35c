//! The engines over real documents of known truth, and over broken, protected and hostile ones. Results are looked at
//! with tools other than the engines.
//!
//! The documents lie beside the checkout or where `OCTAVO_CORPUS` says. `OCTAVO_GOLDEN=all` takes every one of them
//! instead of a few of each kind.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod compress;
mod corpus;
mod documents;
mod endings;
mod images;
mod likeness;
mod limits;
mod office;
mod outside;
mod packages;
mod page_tree;
mod pages;
mod pdf;
mod pictures;
mod poppler;
mod refusals;
mod rig;
mod tables;
