//! The engines over real documents of known truth, and over broken, protected and hostile ones. Results are looked at
//! with tools other than the engines.
//!
//! The documents lie beside the checkout or where `OCTAVO_CORPUS` says. `OCTAVO_CASES=all` takes every one of them
//! instead of a few of each kind, and every case of a long series instead of a sample (`make test-all`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod avif;
mod browser;
mod cleanup;
mod compress;
mod conversions;
mod corpus;
mod damaged_images;
mod damaged_pdf;
mod documents;
mod documents_by_structure;
mod drawing;
mod endings;
mod fields;
mod heic;
mod hostile_pdf;
mod images;
mod info;
mod inks;
mod kept_metadata;
mod large;
mod libheif;
mod likeness;
mod limits;
mod merge;
mod metadata;
mod named;
mod ocr;
mod office;
mod office_pairs;
mod opened;
mod optimise;
mod optimise_fonts;
mod optimise_forms;
mod outlines;
mod outside;
mod overlay;
mod packages;
mod page_tree;
mod pages;
mod patterns;
mod pdf;
mod pdf_conversions;
mod pdf_pages;
mod pictures;
mod pillow;
mod placed;
mod poppler;
mod prewarmed_browser;
mod protection;
mod qpdf;
mod refusals;
mod repair;
mod rig;
mod structured;
mod structured_ocr;
mod svg;
mod tables;
mod there_and_back;
mod tiff_pages;
mod web_outside;
mod web_picture;
mod web_print;
mod zygote;
