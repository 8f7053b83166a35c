//! Office conversions per CPU second compared with LibreOffice started for each document and with a warm unoserver, on the
//! same documents in the same run; and the memory of the zygote and its forks.

mod memory;
mod unoserver;

use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tests::client::Client;
use tests::corpus;
use tests::corpus::Entry;
use tests::process::Process;

use self::memory::Memory;
use self::unoserver::Unoserver;
use crate::jobs::{self, Meter};
use crate::peers::require;
use crate::table::Row;

const PEER: &str = "soffice";

/// Documents of different formats, converted in sequence.
const DOCUMENTS: [&str; 6] = [
    "docx/word_sample.docx",
    "odt/feature_images.odt",
    "xlsx/WithThreeCharts.xlsx",
    "pptx/powerpoint_sample.pptx",
    "doc/Lists.doc",
    "rtf/testRTFVarious.rtf",
];

/// Panics if a peer is not installed.
pub(crate) fn require_peers() {
    require(PEER, Command::new(PEER).arg("--version"));
    unoserver::require_peer();
}

pub(crate) async fn report() -> Vec<Row> {
    let documents: Vec<Entry> = DOCUMENTS.iter().map(|file| entry(file)).collect();
    let (ours, memory) = octavo(&documents).await;
    let cold = libreoffice(&documents);
    let warm = Unoserver::start().convert(&documents);
    println!("\nOffice documents to PDF per CPU second");
    for (name, time) in [
        ("Octavo, whole job", ours),
        ("soffice --convert-to, new profile", cold),
        ("unoserver, warm, server alone", warm),
    ] {
        println!("  {name:<35}{:>8.2}", rate(documents.len(), time));
    }
    let (cpu_saving, cpu_ratio) = (ratio(cold, ours), ratio(ours, warm));
    println!("  {:<35}{cpu_saving:>8.2}", "ratio to soffice");
    println!("  {:<35}{:>8.2}", "ratio to unoserver", ratio(warm, ours));
    println!("  {:<35}{:>8}", "private MB of a fork", memory.child);
    println!("  {:<35}{:>8}", "resident MB of the zygote", memory.zygote);
    vec![
        Row::new(
            "office → PDF",
            "≥ 7 × less CPU time than cold soffice",
            format!("{cpu_saving:.2}"),
            "coordinator and engine function compared with `soffice --convert-to` with a new profile, six documents of six formats",
        ),
        Row::new(
            "office → PDF",
            "≤ 1.0 × the CPU time of warm unoserver",
            format!("{cpu_ratio:.2}"),
            "coordinator and engine function compared with the server without its client, same documents",
        ),
        Row::new(
            "office → PDF, fork",
            "≤ 40 MB private memory",
            format!("{} MB", memory.child),
            "median over the forks' peaks",
        ),
        Row::new(
            "office → PDF, zygote",
            "≤ 300 MB",
            format!("{} MB", memory.zygote),
            "peak resident memory",
        ),
    ]
}

fn entry(file: &str) -> Entry {
    corpus::entries()
        .into_iter()
        .find(|entry| entry.file == file)
        .unwrap()
}

fn rate(documents: usize, time: Duration) -> f64 {
    documents as f64 / time.as_secs_f64()
}

fn ratio(time: Duration, other: Duration) -> f64 {
    time.as_secs_f64() / other.as_secs_f64()
}

/// Measures CPU time of coordinator and engine function, including live zygotes and exited processes, and memory.
async fn octavo(documents: &[Entry]) -> (Duration, Memory) {
    let client = jobs::client();
    convert(&client, &documents[0]).await; // warm-up
    let meter = Meter::start("engine-office");
    let sampler = memory::start_sampling("engine-office");
    for document in documents {
        convert(&client, document).await;
    }
    (meter.used(), sampler.finish())
}

async fn convert(client: &Client, document: &Entry) {
    let content = (document.name(), document.bytes());
    jobs::convert(client, content, &document.kind, "pdf").await;
}

/// CPU time of LibreOffice, started with a new profile for each document.
fn libreoffice(documents: &[Entry]) -> Duration {
    let this = Process::of(std::process::id());
    let before = this.cpu_time();
    for document in documents {
        let directory = TempDir::new().unwrap();
        let status = Command::new(PEER)
            .arg("--headless")
            .arg(format!(
                "-env:UserInstallation=file://{}/profile",
                directory.path().display()
            ))
            .args(["--convert-to", "pdf", "--outdir"])
            .arg(directory.path())
            .arg(corpus::directory().join(&document.file))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        let made = document.name().rsplit_once('.').unwrap().0.to_owned() + ".pdf";
        assert!(
            status.success() && directory.path().join(made).exists(),
            "{}",
            document.file
        );
    }
    this.cpu_time() - before
}
