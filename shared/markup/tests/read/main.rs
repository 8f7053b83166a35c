//! Readers of documents: real ones compared with golden files, small ones by feature, hostile ones within limits.
//!
//! Real documents are next to the checkout or at `OCTAVO_CORPUS`. `OCTAVO_GOLDEN=write` updates the golden files.
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
mod epub;
mod golden;
mod hostile;
mod html;
mod left_out;
mod made;
mod mail;
mod mutation;
mod odf;
mod ods_locale;
mod outline;
mod pptx;
mod rtf;
mod truth;
mod xlsx;
