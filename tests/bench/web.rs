//! Web documents and a page from the web to PDF, beside the same browser kept warm and driven directly, on the same pages
//! in the same run: time until the file is there, and processor time.
//!
//! Ours has a browser of its own for each page, so that no page meets another's: of a document it is begun before, of a page
//! at a URL when it comes. The ratio tells what that costs.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus::{self, Entry};
use tests::trusted_host::{Served, TrustedHost};

pub(crate) use crate::browser::require_peer;
use crate::browser::{Browser, address};
use crate::jobs::{self, Meter};
use crate::statistics::Sample;
use crate::table::Row;

const PROCESSOR: &str = "process-web";

/// How often each page is printed.
const ROUNDS: usize = 4;

/// What printing all pages took.
struct Prints {
    times: Sample,
    processor: Duration,
    count: usize,
}

impl Prints {
    fn median(&self) -> f64 {
        self.times.percentile(0.5)
    }

    fn processor(&self) -> f64 {
        self.processor.as_secs_f64() * 1_000.0 / self.count as f64
    }
}

pub(crate) async fn report() -> Vec<Row> {
    let documents = corpus::good("html");
    let (ours, theirs) = (uploaded(&documents).await, opened(&documents));
    println!("\nWeb pages to PDF: median milliseconds and processor milliseconds a page");
    print("uploaded HTML", &ours, &theirs);
    let how = "median of the engine stage, in a browser that is begun before each document comes, and of a warm browser that only loads and prints";
    let mut all = rows("HTML → PDF", how, &ours, &theirs);
    let host = TrustedHost::serve(site).await;
    let (ours, theirs) = (loaded().await, browsed());
    drop(host);
    print("page at a URL, 500 ms quiet", &ours, &theirs);
    let how = "median of the engine stage, which starts a browser for each page, and of a warm browser that only loads and prints";
    all.extend(rows("web page → PDF", how, &ours, &theirs));
    all
}

fn print(what: &str, ours: &Prints, theirs: &Prints) {
    for (name, prints) in [("Octavo", ours), ("the browser alone, warm", theirs)] {
        println!(
            "  {what:<28}{name:<26}{:>9.0}{:>9.0}",
            prints.median(),
            prints.processor()
        );
    }
    println!(
        "  {what:<28}{:<26}{:>9.2}{:>9.2}",
        "ratio (goal: 1.10)",
        ours.median() / theirs.median(),
        ours.processor() / theirs.processor()
    );
}

fn rows(work: &str, how: &'static str, ours: &Prints, theirs: &Prints) -> Vec<Row> {
    vec![
        Row::new(
            work,
            "≤ 1.10 × the time of the browser alone",
            format!("{:.2}", ours.median() / theirs.median()),
            how,
        ),
        Row::new(
            work,
            "≤ 1.10 × the CPU of the browser alone",
            format!("{:.2}", ours.processor() / theirs.processor()),
            "whole processor with all of the browser's processes, and all of those of the warm browser",
        ),
    ]
}

/// A page with a style sheet, a script and a picture.
fn site(path: &str) -> Served {
    match path {
        "/page.html" => Served::ok(
            "text/html; charset=utf-8",
            format!(
                "<title>Page</title><link rel=stylesheet href=/page.css><h1>Page</h1><img src=/page.svg>{}\
                 <script src=/page.js></script>",
                "<p>A paragraph of some words that fill a line or two of the paper they are printed on.".repeat(200)
            ),
        ),
        "/page.css" => Served::ok("text/css", "p { color: #234; line-height: 1.5 }"),
        "/page.js" => Served::ok("text/javascript", "document.body.append('from a script')"),
        "/page.svg" => Served::ok(
            "image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='80'><rect width='200' height='80' fill='teal'/></svg>",
        ),
        _ => Served::status(404),
    }
}

async fn uploaded(documents: &[Entry]) -> Prints {
    let client = jobs::client();
    let mut bodies = Vec::new();
    for document in documents {
        let key = client
            .upload(document.name(), "text/html", document.bytes())
            .await;
        bodies.push(json!({"filename": document.name(), "format": "pdf", "sourceKey": key}));
    }
    measured(&client, &bodies).await
}

async fn loaded() -> Prints {
    let url = TrustedHost::url("/page.html");
    let body = json!({"filename": "page.html", "format": "pdf", "url": url});
    measured(&jobs::client(), &[body]).await
}

/// The first round warms. The browser's processes outlive whoever started them, so that nobody waits for them: what they
/// use is in the log alone, less what happens within the last 20 ms and while they are ended.
async fn measured(client: &Client, bodies: &[Value]) -> Prints {
    for body in bodies {
        convert(client, body).await;
    }
    let meter = Meter::alone(PROCESSOR);
    let mut jobs = Vec::new();
    for body in bodies.iter().cycle().take(bodies.len() * ROUNDS) {
        jobs.push(convert(client, body).await);
    }
    let mut processor = meter.used();
    let mut times = Sample::default();
    for line in jobs::logged(PROCESSOR, &jobs).await {
        times.add(line["engine_ms"].as_f64().unwrap());
        let browser = line["engine_cpu_ms"].as_u64().unwrap();
        assert!(browser > 0, "{line}");
        processor += Duration::from_millis(browser);
    }
    Prints {
        times,
        processor,
        count: jobs.len(),
    }
}

async fn convert(client: &Client, body: &Value) -> String {
    let job = jobs::completed(client, body).await;
    job["jobId"].as_str().unwrap().to_owned()
}

fn opened(documents: &[Entry]) -> Prints {
    let pages: Vec<String> = documents
        .iter()
        .map(|document| address(&corpus::directory().join(&document.file)))
        .collect();
    alone(&pages, None)
}

/// Blocks, but the host that is printed from is served by another thread.
fn browsed() -> Prints {
    tokio::task::block_in_place(|| alone(&[TrustedHost::url("/page.html")], Some("networkIdle")))
}

fn alone(pages: &[String], quiet: Option<&str>) -> Prints {
    let scratch = TempDir::new().unwrap();
    let target = scratch.path().join("page.pdf");
    let mut browser = Browser::start();
    for page in pages {
        browser.print(page, quiet, &target);
    }
    let before = browser.processor_time();
    let all = pages.iter().cycle().take(pages.len() * ROUNDS);
    let times: Vec<Duration> = all
        .map(|page| browser.print(page, quiet, &target))
        .collect();
    Prints {
        count: times.len(),
        processor: browser.processor_time() - before,
        times: times.into_iter().collect(),
    }
}
