//! Documents made to do harm: each ends in a clear error within its limits and costs nothing, and the next document of
//! its kind is served as if nothing had happened.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod attack;
mod bombs;
mod images;
mod office;
mod outside;
mod pdf;
mod series;

#[tokio::test]
async fn packages_of_office_open_xml() {
    series::run("process-office", office::open_xml()).await;
}

#[tokio::test]
async fn packages_of_open_document() {
    series::run("process-office", office::open_document()).await;
}

#[tokio::test]
async fn other_office_documents() {
    series::run("process-office", office::others()).await;
}

#[tokio::test]
async fn pdf_documents() {
    series::run("process-pdf", pdf::attacks()).await;
}

#[tokio::test]
async fn pictures() {
    series::run("process-image", images::attacks()).await;
}

#[tokio::test]
async fn no_document_reaches_the_network() {
    outside::no_connection().await;
}

#[tokio::test]
async fn no_document_reads_a_local_file() {
    outside::no_local_file().await;
}
