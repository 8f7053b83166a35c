//! Hostile documents: each fails with a specific code within its limits and costs nothing, and the next valid document of
//! its format is unaffected.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod attack;
mod bombs;
mod external_resources;
mod images;
mod office;
mod pdf;
mod series;

#[tokio::test]
async fn office_open_xml() {
    series::run("process-office", office::open_xml()).await;
}

#[tokio::test]
async fn open_document() {
    series::run("process-office", office::open_document()).await;
}

#[tokio::test]
async fn other_office_documents() {
    series::run("process-office", office::others()).await;
}

#[tokio::test]
async fn pdf() {
    series::run("process-pdf", pdf::attacks()).await;
}

#[tokio::test]
async fn images() {
    series::run("process-image", images::attacks()).await;
}

#[tokio::test]
async fn no_document_reaches_the_network() {
    external_resources::no_connection().await;
}

#[tokio::test]
async fn no_document_reads_a_local_file() {
    external_resources::no_local_file().await;
}
