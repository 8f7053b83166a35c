//! The writers: what they make of one of everything, and that they lose and double no word.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod archive;
mod document;
mod docx;
mod golden;
mod markdown;
mod office;
mod pptx;
mod words;
mod xlsx;
