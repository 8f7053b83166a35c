//! Pictures and text of PDF, and PDF put together, beside poppler and qpdf on the same documents in the same run: processor
//! time, and memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus::{self, Entry};
use tests::documents::{heavy_pdf, pdf};
use tests::process::{Process, workers};

/// What is compared with, each with an option that it knows.
const PEERS: [(&str, &str); 3] = [
    ("pdftoppm", "-v"),
    ("pdftotext", "-v"),
    ("qpdf", "--version"),
];
const PROCESSOR: &str = "process-pdf";
/// Documents that are put together, and the pages of each.
const MERGED: (usize, usize) = (20, 100);
/// Bytes of the largest of them that nothing compresses.
const LARGEST: usize = 100_000_000;

/// Ends the whole run if there is nothing to compare with.
pub(crate) fn require_peers() {
    for (peer, option) in PEERS {
        let found = Command::new(peer)
            .arg(option)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let is_there = found.is_ok_and(|status| status.success());
        assert!(is_there, "{peer} is missing: run `make setup`");
    }
}

pub(crate) async fn report() {
    let client = Client::of_new_account("business").patient();
    let documents = corpus::good("pdf-text");
    let pages: f64 = documents
        .iter()
        .map(|document| f64::from(pages(&path(document))))
        .sum();
    warm(&client).await;
    println!(
        "\nPages of {} PDF a second of processor time, {pages} pages",
        documents.len()
    );
    report_pictures(&client, &documents, pages).await;
    report_text(&client, &documents, pages).await;
    report_pages(&client).await;
    report_merge(&client).await;
}

async fn report_pictures(client: &Client, documents: &[Entry], pages: f64) {
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
    print_ratio(
        "as PNG at 150 an inch",
        ("pdftoppm -png", 2.5),
        pages,
        (ours, theirs),
    );
}

async fn report_text(client: &Client, documents: &[Entry], pages: f64) {
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
    print_ratio("as text", ("pdftotext", 1.0), pages, (ours, theirs));
    println!(
        "  {:<46}{:>8.4}",
        "characters of pdftotext found (goal: 0.999)",
        found as f64 / all as f64
    );
}

/// How often each character stands in a text, white space apart.
fn characters(text: &[u8]) -> BTreeMap<char, usize> {
    let mut count = BTreeMap::new();
    let text = String::from_utf8_lossy(text);
    for character in text
        .chars()
        .filter(|character| !character.is_whitespace() && !character.is_control())
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
) {
    let rate = |time: Duration| pages / time.as_secs_f64();
    println!(
        "  {:<46}{:>8.2}",
        format!("{what}, Octavo, whole processor"),
        rate(ours)
    );
    println!("  {:<46}{:>8.2}", format!("{what}, {peer}"), rate(theirs));
    println!(
        "  {:<46}{:>8.2}",
        format!("ratio (goal: {goal})"),
        rate(ours) / rate(theirs)
    );
}

/// Most memory of a process while a document becomes pictures.
async fn report_pages(client: &Client) {
    println!("\nMost memory of a process, in MB, while pages become PNG");
    for count in [100, 1_000] {
        let (peak, _) = watched(async {
            let job = client
                .convert("pages.pdf", pdf(count, 595, 842), "pdf", "png")
                .await;
            assert_eq!(job["status"], "completed", "{job}");
        })
        .await;
        println!("  {count:>5} pages{:>44.1}", megabytes(peak));
    }
}

async fn report_merge(client: &Client) {
    let scratch = TempDir::new().unwrap();
    let (count, pages) = MERGED;
    let largest = heavy_pdf(LARGEST);
    let mut keys = Vec::new();
    let mut paths = Vec::new();
    for number in 0..count {
        let document = match number {
            0 => largest.clone(),
            _ => pdf(pages * count / (count - 1), 595, 842),
        };
        let file = scratch.path().join(format!("{number}.pdf"));
        std::fs::write(&file, &document).unwrap();
        keys.push(
            client
                .upload(&format!("{number}.pdf"), "application/pdf", document)
                .await,
        );
        paths.push(file);
    }
    let (first, others) = keys.split_first().unwrap();
    let body = json!({
        "filename": "merged.pdf", "inputFormat": "pdf", "format": "pdf", "sourceKey": first,
        "operations": [{"operation": "merge", "sourceKeys": others}],
    });
    let before = used();
    let (peak, ()) = watched(async {
        submit(client, &body).await;
    })
    .await;
    let ours = used() - before;
    let mut peer = Command::new("qpdf");
    peer.arg(&paths[0])
        .args(["--pages", "."])
        .args(&paths[1..])
        .arg("--");
    peer.arg(scratch.path().join("merged.pdf"));
    let (theirs, _) = run(&mut peer);
    println!("\n{count} PDF become one: seconds of processor time, and memory in MB");
    println!(
        "  {:<46}{:>8.2}",
        "Octavo, whole processor",
        ours.as_secs_f64()
    );
    println!("  {:<46}{:>8.2}", "qpdf", theirs.as_secs_f64());
    println!(
        "  {:<46}{:>8.2}",
        "ratio (goal: 1.2)",
        ours.as_secs_f64() / theirs.as_secs_f64()
    );
    println!(
        "  {:<46}{:>8.1}",
        "most memory of a process",
        megabytes(peak)
    );
    println!(
        "  {:<46}{:>8.2}",
        "ratio to the largest document (goal: 2)",
        peak as f64 / largest.len() as f64
    );
}

async fn warm(client: &Client) {
    let job = client
        .convert("warm.pdf", pdf(1, 595, 842), "pdf", "png")
        .await;
    assert_eq!(job["status"], "completed", "{job}");
}

/// What a conversion takes, and what it leaves.
async fn convert(client: &Client, document: &Entry, to: &str) -> (Duration, Vec<u8>) {
    let before = used();
    let job = client
        .convert(document.name(), document.bytes(), "pdf", to)
        .await;
    let time = used() - before;
    assert_eq!(job["status"], "completed", "{}: {job}", document.file);
    (time, client.result(&job).await)
}

async fn submit(client: &Client, body: &Value) {
    let created = client.create_job(body, None).await;
    assert_eq!(created.status, 202, "{}", created.text());
    let job = client.wait(created.json()["jobId"].as_str().unwrap()).await;
    assert_eq!(job["status"], "completed", "{job}");
}

/// What the processes of the processor and all their children have used.
fn used() -> Duration {
    workers(PROCESSOR)
        .into_iter()
        .map(Process::processor_time)
        .sum()
}

/// The most memory in bytes that a process of the processor has while something is done, looked at every few
/// milliseconds.
async fn watched<T>(work: impl Future<Output = T>) -> (u64, T) {
    const EVERY: Duration = Duration::from_millis(5);
    let (peak, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let watched = workers(PROCESSOR);
    let mut result = None;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let children = watched.iter().flat_map(|process| process.descendants());
                let most = children.map(Process::peak_memory).max();
                peak.fetch_max(most.unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(EVERY);
            }
        });
        let runtime = tokio::runtime::Handle::current();
        result = Some(tokio::task::block_in_place(|| runtime.block_on(work)));
        done.store(true, Ordering::Relaxed);
    });
    (peak.into_inner(), result.unwrap())
}

/// What a command uses, and what it says.
fn run(command: &mut Command) -> (Duration, Vec<u8>) {
    let this = Process::of(std::process::id());
    let before = this.processor_time();
    let output = command.stderr(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}");
    (this.processor_time() - before, output.stdout)
}

fn path(document: &Entry) -> std::path::PathBuf {
    corpus::directory().join(&document.file)
}

fn pages(path: &Path) -> u32 {
    let (_, said) = run(Command::new("pdfinfo").arg(path));
    let said = String::from_utf8(said).unwrap();
    let line = said.lines().find_map(|line| line.strip_prefix("Pages:"));
    line.unwrap().trim().parse().unwrap()
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
