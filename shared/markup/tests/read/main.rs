//! What is read of documents: real ones as they were read before, small ones feature by feature, hostile ones within
//! limits.
//!
//! The real ones lie beside the checkout or where `OCTAVO_CORPUS` says. `OCTAVO_GOLDEN=write` writes down what is read
//! of them now.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice
)]

mod biff;
mod bounded;
mod corpus;
mod docx;
mod golden;
mod hostile;
mod html;
mod made;
mod mutation;
mod odf;
mod outline;
mod pptx;
mod rtf;
mod truth;
mod xlsx;
