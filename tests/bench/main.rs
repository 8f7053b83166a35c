//! Measures the running stack and prints what it finds; nothing is judged. A tool that is compared with must be there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout
)]

mod browser;
mod images;
mod jobs;
mod latency;
mod library;
mod ocr;
mod office;
mod optimise;
mod pdf;
mod peers;
mod routes;
mod soak;
mod stages;
mod starts;
mod statistics;
mod table;
mod traffic;
mod web;
mod webhooks;

use tests::{corpus, memory};

#[tokio::main]
async fn main() {
    if std::env::args().nth(1).as_deref() == Some("soak") {
        return soak::run().await;
    }
    // Nobody should wait for minutes to read what is missing.
    corpus::entries();
    office::require_peers();
    ocr::require_peers();
    optimise::require_peer();
    web::require_peer();
    images::require_peer();
    pdf::require_peers();
    latency::report().await;
    routes::report().await;
    stages::report().await;
    webhooks::report().await;
    let mut rows = office::report().await;
    rows.extend(pdf::report().await);
    rows.extend(optimise::report().await);
    rows.extend(images::report().await);
    rows.extend(ocr::report().await);
    rows.extend(web::report().await);
    starts::report().await;
    report_memory().await;
    table::print(&rows);
}

async fn report_memory() {
    println!("\nPeak memory in MB: documents of about 1 MB, then of 200 MB (images: 100 MB)");
    for (function, small, large) in memory::peaks().await {
        println!(
            "  {function:<16}{:>8.1}{:>8.1}",
            megabytes(small),
            megabytes(large)
        );
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
