//! Real documents through every conversion and compression that `GET /formats` lists: the result is opened again with
//! tools other than the engines and compared with the source and with what is known about it.
//!
//! `OCTAVO_CASES=all` takes every document of the corpus instead of a few of each kind.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod compressed;
mod office;
mod operations;
mod pages;
mod pictures;
mod poppler;
mod raster;
mod recognised;
mod redrawn;
mod run;
mod samples;
mod structured;
mod text;
mod web_pictures;
mod words;

use run::{Outcome, Pair};

/// What the result of a pair of formats is judged as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judge {
    DocumentPages,
    ImagePages,
    Pictures,
    Text,
    Compressed,
    Redrawn,
    WebPages,
    Office,
    WebPictures,
    Structured,
    Recognised,
    Retold,
}

impl Judge {
    /// A pair that is listed and that nobody judges fails every test here.
    fn of(pair: &Pair) -> Self {
        let Pair {
            operation,
            from,
            to,
        } = pair;
        match (operation.as_str(), from.as_str(), to.as_str()) {
            ("compress", _, _) => Self::Compressed,
            ("convert", "html" | "md", "pdf") => Self::WebPages,
            ("convert", "html" | "md", "png") => Self::WebPictures,
            ("convert", "pdf", "png" | "jpeg" | "webp") => Self::Pictures,
            ("convert", "pdf", "txt") => Self::Text,
            ("convert", "pdf", "docx" | "xlsx" | "pptx" | "html" | "md" | "csv" | "json") => {
                Self::Structured
            }
            (
                "convert",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp",
                "docx" | "xlsx" | "pptx" | "html" | "md" | "csv" | "json" | "txt",
            ) => Self::Recognised,
            (
                "convert",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp" | "svg" | "heic",
                "pdf",
            ) => Self::ImagePages,
            (
                "convert",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp" | "svg" | "heic",
                "png" | "jpeg" | "webp" | "avif" | "tiff" | "gif" | "bmp",
            ) => Self::Redrawn,
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
            ) if is_of_one_kind(from, to) => Self::Office,
            (
                "convert",
                "docx" | "odt" | "rtf" | "xlsx" | "xls" | "xlsb" | "ods" | "csv" | "tsv" | "pptx"
                | "odp" | "html" | "md",
                "docx" | "xlsx" | "csv" | "html" | "md" | "json" | "txt",
            ) => Self::Retold,
            _ => panic!("no test knows how to judge {pair:?}"),
        }
    }

    fn judge(self, outcome: &Outcome) {
        match self {
            Self::DocumentPages | Self::WebPages => pages::of_document(outcome),
            Self::ImagePages => pages::of_image(outcome),
            Self::WebPictures => web_pictures::check(outcome),
            Self::Pictures => pictures::check(outcome),
            Self::Text => text::check(outcome),
            Self::Compressed => compressed::check(outcome),
            Self::Redrawn => redrawn::check(outcome),
            Self::Office => office::check(outcome),
            Self::Structured => structured::check(outcome),
            Self::Recognised => recognised::check(outcome),
            Self::Retold => office::check_retold(outcome),
        }
    }
}

/// Whether both are texts, tables or slides.
fn is_of_one_kind(from: &str, to: &str) -> bool {
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
async fn documents_become_pdf() {
    run::all(Judge::DocumentPages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_become_other_documents() {
    run::all(Judge::Office).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_become_other_kinds() {
    run::all(Judge::Retold).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_become_pdf() {
    run::all(Judge::ImagePages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pdf_becomes_pictures() {
    run::all(Judge::Pictures).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pdf_becomes_text() {
    run::all(Judge::Text).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pdf_becomes_documents() {
    run::all(Judge::Structured).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_become_documents() {
    run::all(Judge::Recognised).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_become_smaller() {
    run::all(Judge::Compressed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_become_other_images() {
    run::all(Judge::Redrawn).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn web_documents_become_pdf() {
    run::all(Judge::WebPages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn web_documents_become_pictures() {
    run::all(Judge::WebPictures).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_is_done_on_all_that_it_reads() {
    operations::all().await;
}
