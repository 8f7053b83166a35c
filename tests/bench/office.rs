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
use tests::process::{Process, workers};

use self::memory::Memory;
use self::unoserver::Unoserver;

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
    let found = Command::new(PEER)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    assert!(
        found.is_ok_and(|status| status.success()),
        "{PEER} is missing: run `make setup`"
    );
    unoserver::require();
}

pub(crate) async fn report() {
    let documents: Vec<Entry> = DOCUMENTS.iter().map(|file| entry(file)).collect();
    let (ours, memory) = octavo(&documents).await;
    let ours = rate(documents.len(), ours);
    let cold = rate(documents.len(), libreoffice(&documents));
    let warm = rate(documents.len(), Unoserver::start().convert(&documents));
    println!("\nOffice documents to PDF a second of processor time");
    println!("  Octavo, whole processor            {ours:>8.2}");
    println!("  soffice --convert-to, new profile  {cold:>8.2}");
    println!("  unoserver, warm, server alone      {warm:>8.2}");
    println!("  ratio to soffice                   {:>8.2}", ours / cold);
    println!("  ratio to unoserver                 {:>8.2}", ours / warm);
    println!("  MB that a child has for itself     {:>8}", memory.child);
    println!("  MB of the zygote                   {:>8}", memory.zygote);
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

/// What the processes of the office processor use, the zygotes that live in them and all that has ended; and memory.
async fn octavo(documents: &[Entry]) -> (Duration, Memory) {
    let client = Client::of_new_account("business");
    convert(&client, &documents[0]).await; // warm
    let used = || -> Duration {
        let workers = workers("process-office").into_iter();
        let living = workers.flat_map(|worker| {
            let mut living = worker.descendants();
            living.push(worker);
            living
        });
        living.map(Process::processor_time).sum()
    };
    let before = used();
    let watch = memory::watch("process-office");
    for document in documents {
        convert(&client, document).await;
    }
    (used() - before, watch.finish())
}

async fn convert(client: &Client, document: &Entry) {
    let job = client
        .convert(document.name(), document.bytes(), &document.kind, "pdf")
        .await;
    assert_eq!(job["status"], "completed", "{job}");
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
