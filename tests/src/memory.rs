//! Peak memory of the functions on a document's path.

use std::collections::BTreeMap;

use crate::client::Client;
use crate::documents::{heavy_pdf, noisy_bitmap};
use crate::process;

/// The functions on a document's path.
const FUNCTIONS: [&str; 6] = [
    "files",
    "jobs",
    "process-ocr",
    "engine-ocr",
    "process-image",
    "engine-image",
];

/// Returns the peak memory in bytes of a process of each function, after 1 MB and after 200 MB: a PDF that becomes a short
/// text, and an image that becomes a PDF of about its size (up to 100 MB).
pub async fn peaks() -> Vec<(&'static str, u64, u64)> {
    let client = Client::of_new_account("pro");
    convert(&client, heavy_pdf(1_000_000), noisy_bitmap(600, 555)).await;
    let small = now();
    convert(&client, heavy_pdf(200_000_000), noisy_bitmap(6_000, 5_550)).await;
    let large = now();
    FUNCTIONS
        .iter()
        .map(|function| (*function, small[function], large[function]))
        .collect()
}

async fn convert(client: &Client, pdf: Vec<u8>, bitmap: Vec<u8>) {
    for (bytes, from, to) in [(pdf, "pdf", "txt"), (bitmap, "bmp", "pdf")] {
        let job = client
            .convert(&format!("document.{from}"), bytes, from, to)
            .await;
        assert_eq!(job["status"], "completed", "{job}");
    }
}

fn now() -> BTreeMap<&'static str, u64> {
    let peak = |function: &&'static str| {
        let processes = process::workers(function);
        let peaks = processes.iter().map(|process| process.peak_memory());
        (*function, peaks.max().unwrap())
    };
    FUNCTIONS.iter().map(peak).collect()
}
