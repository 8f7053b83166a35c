//! Real documents through every conversion and compression that `GET /formats` lists: the result is opened again with
//! tools other than the engines and compared with the source and with what is known about it.
//!
//! `OCTAVO_GOLDEN=all` takes every document of the corpus instead of a few of each kind.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod compressed;
mod pages;
mod pictures;
mod poppler;
mod raster;
mod run;
mod samples;
mod text;
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
            ("convert", "pdf", "png" | "jpeg") => Self::Pictures,
            ("convert", "pdf", "txt") => Self::Text,
            ("convert", "png" | "jpeg" | "webp" | "tiff" | "gif" | "bmp", "pdf") => {
                Self::ImagePages
            }
            (
                "convert",
                "docx" | "doc" | "odt" | "rtf" | "txt" | "xlsx" | "xls" | "ods" | "csv" | "pptx"
                | "ppt" | "odp",
                "pdf",
            ) => Self::DocumentPages,
            _ => panic!("no test knows how to judge {pair:?}"),
        }
    }

    fn judge(self, outcome: &Outcome) {
        match self {
            Self::DocumentPages => pages::of_document(outcome),
            Self::ImagePages => pages::of_image(outcome),
            Self::Pictures => pictures::check(outcome),
            Self::Text => text::check(outcome),
            Self::Compressed => compressed::check(outcome),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_become_pdf() {
    run::all(Judge::DocumentPages).await;
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
async fn images_become_smaller() {
    run::all(Judge::Compressed).await;
}
