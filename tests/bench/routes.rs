//! Requests a second and times of the routes that clients call most, at 1 and at 16 clients, and how they grow with a library.

use std::time::{Duration, Instant};

use reqwest::Method;

use crate::latency::trivial;
use crate::library;
use crate::statistics::Sample;
use crate::traffic::{Visitor, measure, visitors, visitors_of};

/// Clients at a time.
const CLIENTS: [usize; 2] = [1, 16];

/// Requests of all clients together.
const REQUESTS: usize = 320;

/// Documents of a library.
const SIZES: [usize; 3] = [10, 10_000, 100_000];

/// Submissions of all accounts together.
const SUBMISSIONS: usize = 480;

/// Clients that submit at the same time.
const SUBMITTERS: usize = 20;

pub(crate) async fn report() {
    println!("\nRequests a second, milliseconds (median, 95th percentile), at 1 and at 16 clients");
    let one = &visitors(1, &trivial()[0]).await[0];
    for path in ["/health", "/usage"] {
        line(&format!("GET {path}"), one, path).await;
    }
    let mut medians = Vec::new();
    for size in SIZES {
        let visitor = library::of(size).await;
        let list = line(&format!("list, {size} documents"), &visitor, "/documents").await;
        let path = "/documents/search?q=ink";
        let search = line(&format!("search, {size} documents"), &visitor, path).await;
        medians.push([list, search]);
    }
    for (index, name) in ["list", "search"].into_iter().enumerate() {
        let growth = medians[2][index] / medians[0][index];
        println!("  {name}: 100,000 documents take {growth:.2} × the time of 10");
    }
    accepted().await;
}

/// Measures a GET; the median of one client.
async fn line(name: &str, visitor: &Visitor, path: &'static str) -> f64 {
    let mut text = String::new();
    let mut medians = Vec::new();
    for clients in CLIENTS {
        // Each with a key of its own, so that no key's limit a second is met.
        let visitors = visitors_of(visitor, clients);
        measure(&visitors, 2, move |visitor, _| get(visitor, path)).await; // warm
        let began = Instant::now();
        let times = measure(&visitors, REQUESTS / clients, move |visitor, _| {
            get(visitor, path)
        })
        .await;
        let rate = times.len() as f64 / began.elapsed().as_secs_f64();
        let sample: Sample = times.into_iter().map(|(time, ())| time).collect();
        text += &format!("{rate:>9.0}{sample}");
        medians.push(sample.percentile(0.5));
    }
    println!("  {name:<26}{text}");
    medians[0]
}

async fn get(visitor: Visitor, path: &'static str) {
    let answer = visitor.request(Method::GET, path).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.bytes().await.unwrap();
}

/// Accepted jobs a second, of one account and of ten, while no processor takes part of the machine.
async fn accepted() {
    tests::stack::admin(&["processor", "off", "process-pdf"]);
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("\nAccepted jobs a second, 20 clients");
    let mut rates = Vec::new();
    for accounts in [1, 10] {
        let owners = visitors(accounts, &trivial()[0]).await;
        let share = SUBMITTERS / accounts;
        let clients: Vec<_> = owners
            .iter()
            .flat_map(|owner| visitors_of(owner, share))
            .collect();
        measure(&clients, 1, submit).await; // warm
        let began = Instant::now();
        measure(&clients, SUBMISSIONS / SUBMITTERS, submit).await;
        let rate = SUBMISSIONS as f64 / began.elapsed().as_secs_f64();
        println!("  {accounts:>2} accounts {rate:>9.1}");
        rates.push(rate);
    }
    println!("  ten accounts to one {:>6.2}", rates[1] / rates[0]);
    tests::stack::admin(&["processor", "on", "process-pdf"]);
}

async fn submit(visitor: Visitor, _time: usize) -> String {
    visitor.submit().await
}
