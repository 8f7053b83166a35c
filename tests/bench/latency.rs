//! How long a client waits: to submit, to ask, and for a whole trivial job.

use std::time::Duration;

use serde_json::Value;
use tests::documents::pdf;
use tests::stack::admin;

use crate::statistics::Sample;
use crate::traffic::{Trivial, Visitor, measure, visitors};

/// Clients at a time.
const CLIENTS: [usize; 2] = [1, 8];

/// Requests of all clients together.
const REQUESTS: usize = 160;

/// Jobs of all clients together.
const JOBS: usize = 24;

pub(crate) async fn report() {
    println!("Milliseconds: median and 95th percentile, at 1 and at 8 clients");
    let documents = trivial();
    requests(&documents[0]).await;
    for document in &documents {
        let mut line = String::new();
        for clients in CLIENTS {
            let visitors = visitors(clients, document).await;
            measure(&visitors, 1, complete).await; // warm
            let times = measure(&visitors, JOBS / clients, complete).await;
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
pub(crate) fn trivial() -> [Trivial; 2] {
    [
        Trivial {
            from: "pdf",
            to: "txt",
            bytes: pdf(1, 595, 842),
        },
        Trivial {
            from: "txt",
            to: "pdf",
            bytes: b"A page of text.\n".to_vec(),
        },
    ]
}

/// Submitting and asking while no processor takes part of the machine.
async fn requests(document: &Trivial) {
    let (mut submit, mut status) = (String::new(), String::new());
    admin(&["processor", "off", "process-ocr"]);
    tokio::time::sleep(Duration::from_secs(2)).await;
    for clients in CLIENTS {
        let mut visitors = visitors(clients, document).await;
        measure(&visitors, 2, submit_one).await; // warm
        submit += &times(measure(&visitors, REQUESTS / clients, submit_one).await);
        for visitor in &mut visitors {
            visitor.job_id = visitor.submit().await;
        }
        status += &times(measure(&visitors, REQUESTS / clients, look).await);
    }
    admin(&["processor", "on", "process-ocr"]);
    print("submit", &submit);
    print("status", &status);
}

async fn submit_one(visitor: Visitor, _time: usize) -> String {
    visitor.submit().await
}

async fn look(visitor: Visitor, _time: usize) -> Value {
    visitor.look(&visitor.job_id).await
}

async fn complete(visitor: Visitor, _time: usize) -> String {
    visitor.complete().await
}

fn times<T>(measured: Vec<(Duration, T)>) -> String {
    let times = measured.into_iter().map(|(time, _)| time);
    times.collect::<Sample>().to_string()
}

fn print(name: &str, line: &str) {
    println!("  {name:<16}{line}");
}
