//! Requests a second and times of the routes that clients call most, at 1 and at 16 clients, and how they grow with a library.

use std::time::{Duration, Instant};

use reqwest::Method;

use crate::latency::trivial;
use crate::library;
use crate::statistics::Sample;
use crate::traffic::{Visitor, measure, measure_within, visitors, visitors_of};

/// Clients at a time.
const CLIENTS: [usize; 2] = [1, 16];

/// Documents above which the emulated table, which looks at each of a partition, answers one client at a time at most.
const CROWD: usize = 10_000;

/// Requests of all clients together.
const REQUESTS: usize = 320;

/// How long one measurement goes on at most.
const LONGEST: Duration = Duration::from_secs(10);

/// Times that the table is asked without a function before it.
const QUERIES: usize = 5;

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
        line(&format!("GET {path}"), one, path, &CLIENTS).await;
    }
    let mut medians = Vec::new();
    for size in SIZES {
        let visitor = library::of(size).await;
        let clients = if size > CROWD {
            &CLIENTS[..1]
        } else {
            &CLIENTS
        };
        let name = format!("list, {size} documents");
        let list = line(&name, &visitor, "/documents", clients).await;
        let name = format!("search, {size} documents");
        let search = line(&name, &visitor, "/documents/search?q=ink", clients).await;
        // The emulated table looks at every item of a partition, so a growing time may be its own.
        let bare = library::bare_query(&visitor, QUERIES).await;
        let name = format!("its table, {size} documents");
        println!("  {name:<26}{:>9}{bare}", "");
        medians.push([list, search, bare.percentile(0.5)]);
    }
    for (index, name) in ["list", "search", "its table"].into_iter().enumerate() {
        let growth = medians[2][index] / medians[0][index];
        println!("  {name}: 100,000 documents take {growth:.2} × the time of 10");
    }
    accepted().await;
}

/// Measures a GET; the median of one client.
async fn line(name: &str, visitor: &Visitor, path: &'static str, clients: &[usize]) -> f64 {
    let mut text = String::new();
    let mut medians = Vec::new();
    let mut refused = 0;
    for &clients in clients {
        // Each with a key of its own, so that no key's limit a second is met.
        let visitors = visitors_of(visitor, clients);
        let ask = move |visitor, _| get(visitor, path);
        measure_within(LONGEST, &visitors, 1, ask).await; // warm
        let began = Instant::now();
        let answers = measure_within(LONGEST, &visitors, REQUESTS / clients, ask).await;
        let rate = answers.len() as f64 / began.elapsed().as_secs_f64();
        refused += answers.iter().filter(|(_, status)| *status != 200).count();
        let sample: Sample = answers.into_iter().map(|(time, _)| time).collect();
        text += &format!("{rate:>9.1}{sample}");
        medians.push(sample.percentile(0.5));
    }
    if refused > 0 {
        text += &format!("   {refused} answers were not 200");
    }
    println!("  {name:<26}{text}");
    medians[0]
}

/// The status of an answer, which has been read to its end.
async fn get(visitor: Visitor, path: &'static str) -> u16 {
    let answer = visitor.request(Method::GET, path).send().await.unwrap();
    let status = answer.status().as_u16();
    answer.bytes().await.unwrap();
    status
}

/// Accepted jobs a second, of one account and of ten, while no processor takes part of the machine.
async fn accepted() {
    tests::stack::admin(&["processor", "off", "process-ocr"]);
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
    tests::stack::admin(&["processor", "on", "process-ocr"]);
}

async fn submit(visitor: Visitor, _time: usize) -> String {
    visitor.submit().await
}
