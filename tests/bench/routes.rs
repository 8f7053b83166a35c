//! Throughput and latency of the most used routes with 1 and 16 clients, and their growth with the size of a library.

use std::time::{Duration, Instant};

use reqwest::Method;

use crate::latency::small_documents;
use crate::library;
use crate::statistics::Sample;
use crate::traffic::{LoadClient, load_clients, load_clients_of, measure, measure_within};

/// Numbers of concurrent clients.
const CLIENTS: [usize; 2] = [1, 16];

/// Library size above which only one client is measured, because the emulated table scans the whole partition.
const SINGLE_CLIENT_ABOVE: usize = 10_000;

/// Requests of all clients in total.
const REQUESTS: usize = 320;

/// Longest duration of one measurement.
const MAX_DURATION: Duration = Duration::from_secs(10);

/// Number of direct queries of the table.
const QUERIES: usize = 5;

/// Library sizes in documents.
const SIZES: [usize; 3] = [10, 10_000, 100_000];

/// Submissions of all accounts in total.
const SUBMISSIONS: usize = 480;

/// Concurrent clients that submit.
const SUBMITTERS: usize = 20;

pub(crate) async fn report() {
    println!(
        "\nRequests per second and latency in milliseconds (median, 95th percentile), with 1 and 16 clients"
    );
    let one = &load_clients(1, &small_documents()[0]).await[0];
    for path in ["/health", "/usage"] {
        line(&format!("GET {path}"), one, path, &CLIENTS).await;
    }
    let mut medians = Vec::new();
    for size in SIZES {
        let load_client = library::of(size).await;
        let clients = if size > SINGLE_CLIENT_ABOVE {
            &CLIENTS[..1]
        } else {
            &CLIENTS
        };
        let name = format!("list, {size} documents");
        let list = line(&name, &load_client, "/documents", clients).await;
        let name = format!("search, {size} documents");
        let search = line(&name, &load_client, "/documents/search?q=ink", clients).await;
        // The emulated table scans the whole partition, so growth may be due to it.
        let direct = library::direct_query(&load_client, QUERIES).await;
        let name = format!("its table, {size} documents");
        println!("  {name:<26}{:>9}{direct}", "");
        medians.push([list, search, direct.percentile(0.5)]);
    }
    for (index, name) in ["list", "search", "its table"].into_iter().enumerate() {
        let growth = medians[2][index] / medians[0][index];
        println!("  {name}: 100,000 documents take {growth:.2} × the time of 10");
    }
    report_accepted_jobs().await;
}

/// Measures a GET request and returns the median latency of one client.
async fn line(name: &str, load_client: &LoadClient, path: &'static str, clients: &[usize]) -> f64 {
    let mut text = String::new();
    let mut medians = Vec::new();
    let mut failed = 0;
    for &clients in clients {
        // Each client has its own API key, so that no per-key rate limit applies.
        let load_clients = load_clients_of(load_client, clients);
        let ask = move |load_client, _| get(load_client, path);
        measure_within(MAX_DURATION, &load_clients, 1, ask).await; // warm-up
        let started = Instant::now();
        let responses = measure_within(MAX_DURATION, &load_clients, REQUESTS / clients, ask).await;
        let rate = responses.len() as f64 / started.elapsed().as_secs_f64();
        failed += responses
            .iter()
            .filter(|(_, status)| *status != 200)
            .count();
        let sample: Sample = responses.into_iter().map(|(time, _)| time).collect();
        text += &format!("{rate:>9.1}{sample}");
        medians.push(sample.percentile(0.5));
    }
    if failed > 0 {
        text += &format!("   {failed} responses had another status than 200");
    }
    println!("  {name:<26}{text}");
    medians[0]
}

/// The status of a response, whose body is read completely.
async fn get(load_client: LoadClient, path: &'static str) -> u16 {
    let response = load_client.request(Method::GET, path).send().await.unwrap();
    let status = response.status().as_u16();
    response.bytes().await.unwrap();
    status
}

/// Accepted jobs per second of one and of ten accounts, while no processor uses the CPU.
async fn report_accepted_jobs() {
    tests::stack::admin(&["processor", "off", "process-ocr"]);
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("\nAccepted jobs per second, 20 clients");
    let mut rates = Vec::new();
    for accounts in [1, 10] {
        let owners = load_clients(accounts, &small_documents()[0]).await;
        let share = SUBMITTERS / accounts;
        let clients: Vec<_> = owners
            .iter()
            .flat_map(|owner| load_clients_of(owner, share))
            .collect();
        measure(&clients, 1, submit).await; // warm-up
        let started = Instant::now();
        measure(&clients, SUBMISSIONS / SUBMITTERS, submit).await;
        let rate = SUBMISSIONS as f64 / started.elapsed().as_secs_f64();
        println!("  {accounts:>2} accounts {rate:>9.1}");
        rates.push(rate);
    }
    println!("  ten accounts to one {:>6.2}", rates[1] / rates[0]);
    tests::stack::admin(&["processor", "on", "process-ocr"]);
}

async fn submit(load_client: LoadClient, _time: usize) -> String {
    load_client.submit().await
}
