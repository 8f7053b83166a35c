//! Office documents a second of processor time, beside LibreOffice on its own and beside a warm unoserver, on the same
//! documents in the same run; and the memory of what does it.

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

/// Documents of different kinds, converted one after the other.
const DOCUMENTS: [&str; 6] = [
    "docx/word_sample.docx",
    "odt/feature_images.odt",
    "xlsx/WithThreeCharts.xlsx",
    "pptx/powerpoint_sample.pptx",
    "doc/Lists.doc",
    "rtf/testRTFVarious.rtf",
];

/// Ends the whole run if there is nothing to compare with.
pub(crate) fn require_peers() {
    require(PEER, Command::new(PEER).arg("--version"));
    unoserver::require_peer();
}

pub(crate) async fn report() -> Vec<Row> {
    let documents: Vec<Entry> = DOCUMENTS.iter().map(|file| entry(file)).collect();
    let (ours, memory) = octavo(&documents).await;
    let cold = libreoffice(&documents);
    let warm = Unoserver::start().convert(&documents);
    println!("\nOffice documents to PDF a second of processor time");
    for (name, time) in [
        ("Octavo, whole processor", ours),
        ("soffice --convert-to, new profile", cold),
        ("unoserver, warm, server alone", warm),
    ] {
        println!("  {name:<35}{:>8.2}", rate(documents.len(), time));
    }
    let (less, share) = (ratio(cold, ours), ratio(ours, warm));
    println!("  {:<35}{less:>8.2}", "ratio to soffice");
    println!("  {:<35}{:>8.2}", "ratio to unoserver", ratio(warm, ours));
    println!(
        "  {:<35}{:>8}",
        "MB that a child has for itself", memory.child
    );
    println!("  {:<35}{:>8}", "MB of the zygote", memory.zygote);
    vec![
        Row::new(
            "office → PDF",
            "≥ 7 × less CPU than cold soffice",
            format!("{less:.2}"),
            "whole processor and `soffice --convert-to` with a new profile, six documents of six formats",
        ),
        Row::new(
            "office → PDF",
            "≤ 1.0 × the CPU of warm unoserver",
            format!("{share:.2}"),
            "whole processor and the server without its client, the same documents",
        ),
        Row::new(
            "office → PDF, a child",
            "≤ 40 MB private memory",
            format!("{} MB", memory.child),
            "median of the most that each fork has",
        ),
        Row::new(
            "office → PDF, zygote",
            "≤ 300 MB",
            format!("{} MB", memory.zygote),
            "most resident memory",
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

/// What the processes of the office processor use, the zygotes that live in them and all that has ended; and memory.
async fn octavo(documents: &[Entry]) -> (Duration, Memory) {
    let client = jobs::client();
    convert(&client, &documents[0]).await; // warm
    let meter = Meter::begin("process-office");
    let watch = memory::watch("process-office");
    for document in documents {
        convert(&client, document).await;
    }
    (meter.used(), watch.finish())
}

async fn convert(client: &Client, document: &Entry) {
    let content = (document.name(), document.bytes());
    jobs::converted(client, content, &document.kind, "pdf").await;
}

/// What LibreOffice uses, started with a new profile for each document.
fn libreoffice(documents: &[Entry]) -> Duration {
    let this = Process::of(std::process::id());
    let before = this.processor_time();
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
    this.processor_time() - before
}
