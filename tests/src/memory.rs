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

/// Large documents: a PDF that becomes a short text, and an image that becomes a PDF of about its size.
#[derive(Clone, Copy, Debug)]
pub struct Large {
    pub pdf_bytes: usize,
    pub image_width: u32,
    pub image_height: u32,
}

/// 200 MB and 100 MB.
pub const LARGEST: Large = Large {
    pdf_bytes: 200_000_000,
    image_width: 6_000,
    image_height: 5_550,
};

/// Returns the peak memory in bytes of a process of each function, after documents of 1 MB and after large ones.
pub async fn peaks(large: Large) -> Vec<(&'static str, u64, u64)> {
    let client = Client::of_new_account("pro");
    convert(&client, heavy_pdf(1_000_000), noisy_bitmap(600, 555)).await;
    let small = now();
    let image = noisy_bitmap(large.image_width, large.image_height);
    convert(&client, heavy_pdf(large.pdf_bytes), image).await;
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
