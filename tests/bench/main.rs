//! Benchmarks of the running stack; results are printed and not asserted. Peers must be installed. Arguments select parts;
//! without any, all parts run except `soak`, which runs alone.
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
mod optimize;
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
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    if chosen == ["soak"] {
        return soak::run().await;
    }
    let parts = Parts { chosen };
    parts.check();
    parts.require_peers();
    table::print(&parts.report().await);
}

/// The selected parts of a run, or all.
struct Parts {
    chosen: Vec<String>,
}

impl Parts {
    const ALL: [&str; 12] = [
        "latency", "routes", "stages", "webhooks", "office", "pdf", "optimize", "images", "ocr",
        "web", "starts", "memory",
    ];

    fn has(&self, part: &str) -> bool {
        self.chosen.is_empty() || self.chosen.iter().any(|name| name == part)
    }

    fn check(&self) {
        for name in &self.chosen {
            assert!(
                Self::ALL.contains(&name.as_str()),
                "there is no part {name}; the parts are {:?}",
                Self::ALL
            );
        }
    }

    /// Checks all peers first, so that a missing one is reported before any measurement.
    fn require_peers(&self) {
        corpus::entries();
        let peers: [(&str, fn()); 6] = [
            ("office", office::require_peers),
            ("ocr", ocr::require_peers),
            ("optimize", optimize::require_peer),
            ("web", web::require_peer),
            ("images", images::require_peer),
            ("pdf", pdf::require_peers),
        ];
        for (part, require) in peers {
            if self.has(part) {
                require();
            }
        }
    }

    async fn report(&self) -> Vec<table::Row> {
        let mut rows = Vec::new();
        for part in Self::ALL.into_iter().filter(|part| self.has(part)) {
            match part {
                "latency" => latency::report().await,
                "routes" => routes::report().await,
                "stages" => stages::report().await,
                "webhooks" => webhooks::report().await,
                "office" => rows.extend(office::report().await),
                "pdf" => rows.extend(pdf::report().await),
                "optimize" => rows.extend(optimize::report().await),
                "images" => rows.extend(images::report().await),
                "ocr" => rows.extend(ocr::report().await),
                "web" => rows.extend(web::report().await),
                "starts" => starts::report().await,
                _ => report_memory().await,
            }
        }
        rows
    }
}

async fn report_memory() {
    println!("\nPeak memory in MB: documents of about 1 MB, then of 200 MB (images: 100 MB)");
    for (function, small, large) in memory::peaks(memory::LARGEST).await {
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
