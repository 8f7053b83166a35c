//! Client-side latency: submission, status request, and complete trivial jobs.

use std::time::Duration;

use serde_json::Value;
use tests::documents::pdf;
use tests::stack::admin;

use crate::statistics::Sample;
use crate::traffic::{LoadClient, SmallDocument, load_clients, measure};

/// Numbers of concurrent clients.
const CLIENTS: [usize; 2] = [1, 8];

/// Requests of all clients together.
const REQUESTS: usize = 160;

/// Jobs of all clients together.
const JOBS: usize = 24;

pub(crate) async fn report() {
    println!("Milliseconds: median and 95th percentile, at 1 and at 8 clients");
    let documents = small_documents();
    requests(&documents[0]).await;
    for document in &documents {
        let mut line = String::new();
        for clients in CLIENTS {
            let load_clients = load_clients(clients, document).await;
            measure(&load_clients, 1, complete).await; // warm-up
            let times = measure(&load_clients, JOBS / clients, complete).await;
            line += &times
                .into_iter()
                .map(|(time, _)| time)
                .collect::<Sample>()
                .to_string();
        }
        print(&format!("job {} to {}", document.from, document.to), &line);
    }
}

/// Documents of one page.
pub(crate) fn small_documents() -> [SmallDocument; 2] {
    [
        SmallDocument {
            from: "pdf",
            to: "txt",
            bytes: pdf(1, 595, 842),
        },
        SmallDocument {
            from: "txt",
            to: "pdf",
            bytes: b"A page of text.\n".to_vec(),
        },
    ]
}

/// Measures submission and status requests while no processor uses the CPU.
async fn requests(document: &SmallDocument) {
    let (mut submit, mut status) = (String::new(), String::new());
    admin(&["processor", "off", "process-ocr"]);
    tokio::time::sleep(Duration::from_secs(2)).await;
    for clients in CLIENTS {
        let mut load_clients = load_clients(clients, document).await;
        measure(&load_clients, 2, submit_one).await; // warm-up
        submit += &times(measure(&load_clients, REQUESTS / clients, submit_one).await);
        for load_client in &mut load_clients {
            load_client.job_id = load_client.submit().await;
        }
        status += &times(measure(&load_clients, REQUESTS / clients, get_status).await);
    }
    admin(&["processor", "on", "process-ocr"]);
    print("submit", &submit);
    print("status", &status);
}

async fn submit_one(load_client: LoadClient, _time: usize) -> String {
    load_client.submit().await
}

async fn get_status(load_client: LoadClient, _time: usize) -> Value {
    load_client.get_job(&load_client.job_id).await
}

async fn complete(load_client: LoadClient, _time: usize) -> String {
    load_client.complete().await
}

fn times<T>(measured: Vec<(Duration, T)>) -> String {
    let times = measured.into_iter().map(|(time, _)| time);
    times.collect::<Sample>().to_string()
}

fn print(name: &str, line: &str) {
    println!("  {name:<16}{line}");
}
