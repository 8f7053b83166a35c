//! Runs real documents through the conversions and compressions that `GET /formats` lists, reopens each result with
//! independent tools, and compares it with the source and with its known properties.
//!
//! `OCTAVO_CASES=all` runs every document of the corpus instead of a few of each kind, and every pair of formats instead of a
//! sample of those that only differ in their combination.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod compressed;
mod converted_images;
mod office;
mod operations;
mod page_images;
mod pages;
mod poppler;
mod raster;
mod recognized;
mod run;
mod samples;
mod structured;
mod text;
mod web_images;
mod words;

use run::{Outcome, Pair};

/// The check for the result of a pair of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    DocumentPages,
    ImagePages,
    PageImages,
    Text,
    Compressed,
    ConvertedImages,
    WebPages,
    Office,
    WebImages,
    Structured,
    Recognized,
    ParsedDocuments,
}

impl Check {
    /// The check for a pair. Panics for a listed pair without a check, which fails every test.
    fn of(pair: &Pair) -> Self {
        let Pair {
            operation,
            from,
            to,
        } = pair;
        match (operation.as_str(), from.as_str(), to.as_str()) {
            ("compress", _, _) => Self::Compressed,
            ("convert", "html" | "md" | "epub" | "eml" | "msg", "pdf") => Self::WebPages,
            ("convert", "html" | "md", "png") => Self::WebImages,
            ("convert", "pdf", "png" | "jpeg" | "webp") => Self::PageImages,
            ("convert", "pdf", "txt") => Self::Text,
            ("convert", "pdf", "docx" | "xlsx" | "pptx" | "html" | "md" | "csv" | "json") => {
                Self::Structured
            }
            (
                "convert",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp",
                "docx" | "xlsx" | "pptx" | "html" | "md" | "csv" | "json" | "txt",
            ) => Self::Recognized,
            (
                "convert",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp" | "svg" | "heic",
                "pdf",
            ) => Self::ImagePages,
            (
                "convert",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp" | "svg" | "heic",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp",
            ) => Self::ConvertedImages,
            (
                "convert",
                "docx" | "doc" | "odt" | "rtf" | "txt" | "xlsx" | "xls" | "xlsb" | "ods" | "csv"
                | "tsv" | "pptx" | "ppt" | "odp",
                "pdf",
            ) => Self::DocumentPages,
            (
                "convert",
                "docx" | "doc" | "odt" | "rtf" | "txt" | "xlsx" | "xls" | "xlsb" | "ods" | "csv"
                | "tsv" | "pptx" | "ppt" | "odp",
                "docx" | "odt" | "rtf" | "txt" | "xlsx" | "ods" | "csv" | "tsv" | "pptx" | "odp",
            ) if is_same_category(from, to) => Self::Office,
            (
                "convert",
                "docx" | "doc" | "odt" | "rtf" | "xlsx" | "xls" | "xlsb" | "ods" | "csv" | "tsv"
                | "pptx" | "ppt" | "odp" | "html" | "md" | "epub" | "eml" | "msg",
                "docx" | "xlsx" | "csv" | "html" | "md" | "json" | "txt",
            ) => Self::ParsedDocuments,
            _ => panic!("no check is defined for {pair:?}"),
        }
    }

    fn apply(self, outcome: &Outcome) {
        match self {
            Self::DocumentPages | Self::WebPages => pages::of_document(outcome),
            Self::ImagePages => pages::of_image(outcome),
            Self::WebImages => web_images::check(outcome),
            Self::PageImages => page_images::check(outcome),
            Self::Text => text::check(outcome),
            Self::Compressed => compressed::check(outcome),
            Self::ConvertedImages => converted_images::check(outcome),
            Self::Office => office::check(outcome),
            Self::Structured => structured::check(outcome),
            Self::Recognized => recognized::check(outcome),
            Self::ParsedDocuments => office::check_parsed(outcome),
        }
    }
}

/// Whether both are text, spreadsheet or presentation formats.
fn is_same_category(from: &str, to: &str) -> bool {
    const KINDS: [&[&str]; 3] = [
        &["docx", "doc", "odt", "rtf", "txt"],
        &["xlsx", "xls", "xlsb", "ods", "csv", "tsv"],
        &["pptx", "ppt", "odp"],
    ];
    KINDS
        .iter()
        .any(|kind| kind.contains(&from) && kind.contains(&to))
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_convert_to_pdf() {
    run::all(Check::DocumentPages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_convert_within_their_category() {
    run::all(Check::Office).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_convert_to_structured_formats() {
    run::all(Check::ParsedDocuments).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_convert_to_pdf() {
    run::all(Check::ImagePages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pdf_converts_to_images() {
    run::all(Check::PageImages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pdf_converts_to_text() {
    run::all(Check::Text).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pdf_converts_to_documents() {
    run::all(Check::Structured).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_convert_to_documents() {
    run::all(Check::Recognized).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_are_compressed() {
    run::all(Check::Compressed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_convert_to_images() {
    run::all(Check::ConvertedImages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn web_documents_convert_to_pdf() {
    run::all(Check::WebPages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn web_documents_convert_to_images() {
    run::all(Check::WebImages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_runs_on_every_input_format() {
    operations::all().await;
}
