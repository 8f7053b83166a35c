//! PDF to images, PDF to text and merging compared with poppler and qpdf on the same documents in the same run: CPU time
//! and memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus::{self, Entry};
use tests::documents::{heavy_page, pdf};
use tests::process::{Process, workers};

use crate::jobs::{self, Meter};
use crate::peers::require;
use crate::table::Row;

/// Peers, each with an option that prints its version.
const PEERS: [(&str, &str); 3] = [
    ("pdftoppm", "-v"),
    ("pdftotext", "-v"),
    ("qpdf", "--version"),
];
const ENGINE: &str = "engine-pdf";
/// Number of merged documents, and pages of each.
const MERGED: (usize, usize) = (20, 100);
/// Bytes of the largest of them, which is incompressible.
const LARGEST: usize = 100_000_000;

/// Number of conversions of an empty page that measure a job's fixed cost.
const FIXED_COST_RUNS: u32 = 10;

/// Panics if a peer is not installed.
pub(crate) fn require_peers() {
    for (peer, option) in PEERS {
        require(peer, Command::new(peer).arg(option));
    }
}

pub(crate) async fn report() -> Vec<Row> {
    let client = jobs::client();
    let documents = corpus::good("pdf-text");
    let pages: f64 = documents
        .iter()
        .map(|document| f64::from(pages(&path(document))))
        .sum();
    warm(&client).await;
    println!(
        "\nPages per CPU second: {} PDFs, {pages} pages",
        documents.len()
    );
    let mut rows = vec![
        report_images(&client, &documents, pages).await,
        report_memory(&client).await,
    ];
    rows.extend(report_text(&client, &documents, pages).await);
    rows.extend(report_merge(&client).await);
    rows
}

async fn report_images(client: &Client, documents: &[Entry], pages: f64) -> Row {
    let scratch = TempDir::new().unwrap();
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    for document in documents {
        ours += convert(client, document, "png").await.0;
        let target = scratch.path().join("page");
        let mut peer = Command::new("pdftoppm");
        peer.args(["-png", "-r", "150"])
            .arg(path(document))
            .arg(target);
        theirs += run(&mut peer).0;
    }
    let what = "as PNG at 150 dpi";
    let ratio = print_ratio(what, ("pdftoppm -png", 2.5), pages, (ours, theirs));
    Row::new(
        "PDF → PNG at 150 dpi",
        "≥ 2.5 × pdftoppm's pages per CPU second",
        format!("{ratio:.2}"),
        "coordinator and engine function compared with `pdftoppm -png`, real documents",
    )
}

async fn report_text(client: &Client, documents: &[Entry], pages: f64) -> [Row; 2] {
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    let (mut found, mut all) = (0, 0);
    for document in documents {
        let (time, text) = convert(client, document, "txt").await;
        ours += time;
        let mut peer = Command::new("pdftotext");
        peer.args(["-enc", "UTF-8"]).arg(path(document)).arg("-");
        let (time, expected) = run(&mut peer);
        theirs += time;
        let (expected, text) = (characters(&expected), characters(&text));
        all += expected.values().sum::<usize>();
        let common = expected
            .iter()
            .map(|(character, count)| text.get(character).copied().unwrap_or(0).min(*count));
        found += common.sum::<usize>();
    }
    let ratio = print_ratio("as text", ("pdftotext", 1.0), pages, (ours, theirs));
    let fixed_cost = fixed_cost(client).await * u32::try_from(documents.len()).unwrap();
    let ratio_without_fixed_cost =
        ratio * ours.as_secs_f64() / ours.saturating_sub(fixed_cost).as_secs_f64();
    println!(
        "  {:<46}{ratio_without_fixed_cost:>8.2}",
        "without the fixed cost of a job"
    );
    let recall = found as f64 / all as f64;
    println!(
        "  {:<46}{recall:>8.4}",
        "characters of pdftotext found (goal: 0.999)"
    );
    [
        Row::new(
            "PDF → text",
            "≥ 1.0 × pdftotext's pages per CPU second",
            format!("{ratio:.2}, {ratio_without_fixed_cost:.2} without the fixed cost of a job"),
            "coordinator and engine function with `ocr: off` compared with `pdftotext`, real documents of three pages",
        ),
        Row::new(
            "PDF → text",
            "recall ≥ 0.999",
            format!("{recall:.4}"),
            "share of pdftotext's characters, ignoring white space",
        ),
    ]
}

/// Fixed cost of a job: CPU time for converting an empty page.
async fn fixed_cost(client: &Client) -> Duration {
    let meter = Meter::start(ENGINE);
    for _ in 0..FIXED_COST_RUNS {
        jobs::convert_with(client, ("empty.pdf", pdf(1, 595, 842)), "pdf", &step("txt")).await;
    }
    meter.used() / FIXED_COST_RUNS
}

/// Frequency of each character in a text, without white space and the bidirectional control characters that pdftotext adds.
fn characters(text: &[u8]) -> BTreeMap<char, usize> {
    let mut count = BTreeMap::new();
    let text = String::from_utf8_lossy(text);
    for character in text
        .chars()
        .filter(|character| !character.is_whitespace() && !character.is_control())
        .filter(|character| !('\u{202a}'..='\u{202e}').contains(character))
    {
        *count.entry(character).or_insert(0) += 1;
    }
    count
}

fn print_ratio(
    what: &str,
    (peer, goal): (&str, f64),
    pages: f64,
    (ours, theirs): (Duration, Duration),
) -> f64 {
    let rate = |time: Duration| pages / time.as_secs_f64();
    println!(
        "  {:<46}{:>8.2}",
        format!("{what}, Octavo, whole job"),
        rate(ours)
    );
    println!("  {:<46}{:>8.2}", format!("{what}, {peer}"), rate(theirs));
    let ratio = rate(ours) / rate(theirs);
    println!("  {:<46}{ratio:>8.2}", format!("ratio (goal: {goal})"));
    ratio
}

/// Peak memory of a process while a document is converted to images.
async fn report_memory(client: &Client) -> Row {
    println!("\nPeak memory of a process in MB, PDF to PNG");
    let mut peaks = Vec::new();
    for count in [100, 1_000] {
        let content = ("pages.pdf", pdf(count, 595, 842));
        let (peak, _) = with_peak_memory(jobs::convert(client, content, "pdf", "png")).await;
        println!("  {count:>5} pages{:>44.1}", megabytes(peak));
        peaks.push(megabytes(peak));
    }
    Row::new(
        "PDF → PNG at 150 dpi",
        "constant memory over 1,000 pages",
        format!("{:.0} MB, {:.0} MB at 100 pages", peaks[1], peaks[0]),
        "peak memory of a process",
    )
}

async fn report_merge(client: &Client) -> [Row; 2] {
    let scratch = TempDir::new().unwrap();
    let (count, pages) = MERGED;
    let largest = heavy_page(LARGEST);
    let size = largest.len() as f64;
    let mut keys = Vec::new();
    let mut paths = Vec::new();
    for number in 0..count {
        let document = match number {
            0 => largest.clone(),
            _ => pdf(pages * count / (count - 1), 595, 842),
        };
        let file = scratch.path().join(format!("{number}.pdf"));
        std::fs::write(&file, &document).unwrap();
        let name = format!("{number}.pdf");
        let key = client.upload(&name, "application/pdf", document);
        keys.push(key.await);
        paths.push(file);
    }
    let (first, others) = keys.split_first().unwrap();
    let body = json!({
        "filename": "merged.pdf", "inputFormat": "pdf", "format": "pdf", "sourceKey": first,
        "operations": [{"operation": "merge", "sourceKeys": others}],
    });
    let meter = Meter::start(ENGINE);
    let (peak, _) = with_peak_memory(jobs::run_job(client, &body)).await;
    let ours = meter.used().as_secs_f64();
    let mut peer = Command::new("qpdf");
    peer.arg(&paths[0])
        .args(["--pages", "."])
        .args(&paths[1..])
        .arg("--");
    peer.arg(scratch.path().join("merged.pdf"));
    let theirs = run(&mut peer).0.as_secs_f64();
    let (time, memory) = (ours / theirs, peak as f64 / size);
    println!("\nMerge of {count} PDFs: CPU seconds, and memory in MB");
    println!("  {:<46}{ours:>8.2}", "Octavo, whole job");
    println!("  {:<46}{theirs:>8.2}", "qpdf");
    println!("  {:<46}{time:>8.2}", "ratio (goal: 1.2)");
    println!(
        "  {:<46}{:>8.1}",
        "peak memory of a process",
        megabytes(peak)
    );
    println!(
        "  {:<46}{memory:>8.2}",
        "ratio to the largest document (goal: 2)"
    );
    [
        Row::new(
            "merge of 20 PDFs, 2,000 pages",
            "≤ 1.2 × qpdf's CPU time",
            format!("{time:.2}"),
            "coordinator and engine function including fetching and storing compared with `qpdf --pages`; one of the files has 100 MB",
        ),
        Row::new(
            "merge of 20 PDFs, 2,000 pages",
            "memory ≤ 2 × the largest input",
            format!("{memory:.2} ({:.0} MB)", megabytes(peak)),
            "peak memory of a process",
        ),
    ]
}

async fn warm(client: &Client) {
    for to in ["png", "txt"] {
        let content = ("warm.pdf", pdf(1, 595, 842));
        jobs::convert_with(client, content, "pdf", &step(to)).await;
    }
}

/// CPU time of a conversion, and its result.
async fn convert(client: &Client, document: &Entry, to: &str) -> (Duration, Vec<u8>) {
    let meter = Meter::start(ENGINE);
    let content = (document.name(), document.bytes());
    let job = jobs::convert_with(client, content, "pdf", &step(to)).await;
    let time = meter.used();
    (time, client.result(&job).await)
}

/// A conversion without OCR, like the peers.
fn step(to: &str) -> Value {
    match to {
        "txt" => json!({"operation": "convert", "format": to, "ocr": "off"}),
        _ => json!({"operation": "convert", "format": to}),
    }
}

/// Runs `work` and returns the peak memory in bytes of the function's processes, sampled every few milliseconds.
async fn with_peak_memory<T>(work: impl Future<Output = T>) -> (u64, T) {
    const SAMPLING_INTERVAL: Duration = Duration::from_millis(5);
    let (peak, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let processes = workers(ENGINE);
    let result = std::thread::scope(|scope| {
        // Stops the sampling thread, even if the work panics.
        let _ends = SetOnDrop(&done);
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let children = processes.iter().flat_map(|process| process.descendants());
                let most = children.map(Process::peak_memory).max();
                peak.fetch_max(most.unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(SAMPLING_INTERVAL);
            }
        });
        let runtime = tokio::runtime::Handle::current();
        tokio::task::block_in_place(|| runtime.block_on(work))
    });
    let peak = peak.into_inner();
    assert!(peak > 0, "no child process of {ENGINE} was found");
    (peak, result)
}

/// Sets a flag on drop.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// CPU time of a command, and its output.
fn run(command: &mut Command) -> (Duration, Vec<u8>) {
    let this = Process::of(std::process::id());
    let before = this.cpu_time();
    let output = command.stderr(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}");
    (this.cpu_time() - before, output.stdout)
}

fn path(document: &Entry) -> std::path::PathBuf {
    corpus::directory().join(&document.file)
}

fn pages(path: &Path) -> u32 {
    let (_, output) = run(Command::new("pdfinfo").arg(path));
    let output = String::from_utf8(output).unwrap();
    let line = output.lines().find_map(|line| line.strip_prefix("Pages:"));
    line.unwrap().trim().parse().unwrap()
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
