//! Tests the engines on real documents with known properties and on damaged, protected and hostile ones. Results are
//! checked with independent tools.
//!
//! The corpus is next to the checkout or at `OCTAVO_CORPUS`. `OCTAVO_CASES=all` tests every document instead of a few of
//! each kind, and every case of a long series instead of a sample (`make test-all`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod attachments;
mod avif;
mod browser;
mod cleanup;
mod color_models;
mod compare;
mod compress;
mod constructs;
mod content;
mod conversions;
mod corpus;
mod csv_fit;
mod cut_cells;
mod damaged_images;
mod damaged_pdf;
mod drawings;
mod drawn_check_boxes;
mod epub;
mod external_resources;
mod false_sizes;
mod fill;
mod fine_patterns;
mod fixed_layout;
mod font_table;
mod form_fields;
mod harness;
mod heic;
mod hidden_text;
mod hostile_pdf;
mod image_transforms;
mod images;
mod info;
mod job_outcomes;
mod kept_metadata;
mod large_images;
mod large_texts;
mod left_out;
mod libheif;
mod limits;
mod locale;
mod macros;
mod mail;
mod malformed_images;
mod merge;
mod metadata;
mod missing_glyphs;
mod ocr;
mod office;
mod office_content;
mod office_pairs;
mod office_suite;
mod optimize;
mod optimize_fonts;
mod optimize_forms;
mod overlay;
mod packages;
mod page_tree;
mod page_warnings;
mod pdf;
mod pdf_conversions;
mod pdf_pages;
mod pdfa;
mod pillow;
mod poppler;
mod prewarmed_browser;
mod protection;
mod qpdf;
mod rejected_documents;
mod relative_links;
mod reopened;
mod repair;
mod round_trip;
mod sample_documents;
mod sanitize;
mod service_data;
mod similarity;
mod structure_outlines;
mod structured;
mod structured_conversions;
mod structured_ocr;
mod svg;
mod tables;
mod tiff_pages;
mod tiff_variants;
mod title_and_language;
mod type3_fonts;
mod variants;
mod web_cut;
mod web_external_resources;
mod web_fit;
mod web_navigation;
mod web_picture;
mod web_print;
mod zygote;
