//! Web documents and a web page to PDF compared with the same browser kept warm and driven directly, on the same pages in
//! the same run: latency and CPU time.
//!
//! Octavo uses a separate browser for each page to isolate pages: prewarmed for a document, started on demand for a page at
//! a URL. The ratio shows the cost of that.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus::{self, Entry};
use tests::trusted_host::{StubResponse, TrustedHost};

pub(crate) use crate::browser::require_peer;
use crate::browser::{Browser, file_url};
use crate::jobs::{self, Meter};
use crate::statistics::Sample;
use crate::table::Row;

const ENGINE: &str = "engine-web";
const COORDINATOR: &str = "process-web";

/// Number of prints of each page.
const ROUNDS: usize = 4;

/// Latency and CPU time of printing all pages.
struct Prints {
    times: Sample,
    cpu_time: Duration,
    count: usize,
}

impl Prints {
    fn median(&self) -> f64 {
        self.times.percentile(0.5)
    }

    fn cpu_time(&self) -> f64 {
        self.cpu_time.as_secs_f64() * 1_000.0 / self.count as f64
    }
}

pub(crate) async fn report() -> Vec<Row> {
    let documents = corpus::good("html");
    let (ours, theirs) = (
        octavo_documents(&documents).await,
        browser_documents(&documents),
    );
    println!("\nWeb pages to PDF: median milliseconds, and CPU milliseconds per page");
    print("uploaded HTML", &ours, &theirs);
    let comparison = "median of the engine stage with a prewarmed browser for each document, \
                      compared with a warm browser that only loads and prints";
    let mut all = rows("HTML → PDF", comparison, &ours, &theirs);
    let host = TrustedHost::serve(site).await;
    let (ours, theirs) = (octavo_page().await, browser_page());
    drop(host);
    print("page at a URL, 500 ms quiet", &ours, &theirs);
    let comparison = "median of the engine stage, which starts a browser for each page, \
                      compared with a warm browser that only loads and prints";
    all.extend(rows("web page → PDF", comparison, &ours, &theirs));
    all
}

fn print(what: &str, ours: &Prints, theirs: &Prints) {
    for (name, prints) in [("Octavo", ours), ("the browser alone, warm", theirs)] {
        println!(
            "  {what:<28}{name:<26}{:>9.0}{:>9.0}",
            prints.median(),
            prints.cpu_time()
        );
    }
    println!(
        "  {what:<28}{:<26}{:>9.2}{:>9.2}",
        "ratio (goal: 1.10)",
        ours.median() / theirs.median(),
        ours.cpu_time() / theirs.cpu_time()
    );
}

fn rows(operation: &str, comparison: &'static str, ours: &Prints, theirs: &Prints) -> Vec<Row> {
    vec![
        Row::new(
            operation,
            "≤ 1.10 × the time of the browser alone",
            format!("{:.2}", ours.median() / theirs.median()),
            comparison,
        ),
        Row::new(
            operation,
            "≤ 1.10 × the CPU time of the browser alone",
            format!("{:.2}", ours.cpu_time() / theirs.cpu_time()),
            "coordinator and engine function with all browser processes, compared with all processes of the warm browser",
        ),
    ]
}

/// A page with a style sheet, a script and an image.
fn site(path: &str) -> StubResponse {
    match path {
        "/page.html" => StubResponse::ok(
            "text/html; charset=utf-8",
            format!(
                "<title>Page</title><link rel=stylesheet href=/page.css><h1>Page</h1><img src=/page.svg>{}\
                 <script src=/page.js></script>",
                "<p>A paragraph of some words that fill a line or two of the paper they are printed on.".repeat(200)
            ),
        ),
        "/page.css" => StubResponse::ok("text/css", "p { color: #234; line-height: 1.5 }"),
        "/page.js" => StubResponse::ok("text/javascript", "document.body.append('from a script')"),
        "/page.svg" => StubResponse::ok(
            "image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='80'><rect width='200' height='80' fill='teal'/></svg>",
        ),
        _ => StubResponse::status(404),
    }
}

async fn octavo_documents(documents: &[Entry]) -> Prints {
    let client = jobs::client();
    let mut bodies = Vec::new();
    for document in documents {
        let key = client
            .upload(document.name(), "text/html", document.bytes())
            .await;
        bodies.push(json!({"filename": document.name(), "format": "pdf", "sourceKey": key}));
    }
    measure(&client, &bodies).await
}

async fn octavo_page() -> Prints {
    let url = TrustedHost::url("/page.html");
    let body = json!({"filename": "page.html", "format": "pdf", "url": url});
    measure(&jobs::client(), &[body]).await
}

/// The first round is a warm-up and not measured. The browser's processes are not children of the function's process, so
/// their CPU time comes from the log, which misses the last 20 ms and the shutdown.
async fn measure(client: &Client, bodies: &[Value]) -> Prints {
    for body in bodies {
        convert(client, body).await;
    }
    let meter = Meter::start_without_children(ENGINE);
    let mut jobs = Vec::new();
    for body in bodies.iter().cycle().take(bodies.len() * ROUNDS) {
        jobs.push(convert(client, body).await);
    }
    let mut cpu_time = meter.used();
    let mut times = Sample::default();
    for line in jobs::completion_log_entries(COORDINATOR, &jobs).await {
        times.add(line["engine_ms"].as_f64().unwrap());
        let browser = line["engine_cpu_ms"].as_u64().unwrap();
        assert!(browser > 0, "{line}");
        cpu_time += Duration::from_millis(browser);
    }
    Prints {
        times,
        cpu_time,
        count: jobs.len(),
    }
}

async fn convert(client: &Client, body: &Value) -> String {
    let job = jobs::run_job(client, body).await;
    job["jobId"].as_str().unwrap().to_owned()
}

fn browser_documents(documents: &[Entry]) -> Prints {
    let pages: Vec<String> = documents
        .iter()
        .map(|document| file_url(&corpus::directory().join(&document.file)))
        .collect();
    with_warm_browser(&pages, None)
}

/// Blocks the thread; the trusted host serves the page on another one.
fn browser_page() -> Prints {
    tokio::task::block_in_place(|| {
        with_warm_browser(&[TrustedHost::url("/page.html")], Some("networkIdle"))
    })
}

fn with_warm_browser(pages: &[String], quiet: Option<&str>) -> Prints {
    let scratch = TempDir::new().unwrap();
    let target = scratch.path().join("page.pdf");
    let mut browser = Browser::start();
    for page in pages {
        browser.print(page, quiet, &target);
    }
    let before = browser.cpu_time();
    let all = pages.iter().cycle().take(pages.len() * ROUNDS);
    let times: Vec<Duration> = all
        .map(|page| browser.print(page, quiet, &target))
        .collect();
    Prints {
        count: times.len(),
        cpu_time: browser.cpu_time() - before,
        times: times.into_iter().collect(),
    }
}
