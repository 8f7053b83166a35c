//! Recognised text beside OCRmyPDF and Tesseract on their own, on the same pages in the same run: processor time a page,
//! and wrong characters, measured in the text that poppler finds in the searchable PDF.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus;
use tests::process::Process;
use tests::stack::checkout;

use crate::jobs::{self, Meter};
use crate::peers::require;
use crate::table::Row;

/// A page whose text is known.
#[derive(Clone, Debug, Deserialize)]
struct Page {
    file: String,
    kind: String,
    #[serde(default)]
    language: String,
    #[serde(default)]
    dpi: u32,
}

impl Page {
    fn path(&self) -> PathBuf {
        corpus::directory().join(&self.file)
    }

    /// Models take Latin letters for Cyrillic ones unless English goes with them.
    fn models(&self) -> String {
        match self.language.as_str() {
            "rus" => "rus+eng".to_owned(),
            language => language.to_owned(),
        }
    }

    fn truth(&self) -> String {
        std::fs::read_to_string(self.path().with_extension("txt")).unwrap()
    }
}

/// What reading all pages took, and how wrong it was.
#[derive(Default)]
struct Reading {
    time: Duration,
    wrong: usize,
    characters: usize,
    pages: u32,
}

impl Reading {
    fn add(&mut self, time: Duration, found: &str, page: &Page) {
        let truth = page.truth();
        self.time += time;
        self.wrong += mistakes(found, &truth);
        self.characters += letters(&truth).len();
        self.pages += 1;
    }

    fn seconds(&self) -> f64 {
        self.time.as_secs_f64() / f64::from(self.pages)
    }

    fn mistakes(&self) -> f64 {
        self.wrong as f64 / self.characters as f64
    }
}

/// Ends the whole run if there is nothing to compare with.
pub(crate) fn require_peers() {
    for (peer, option) in [
        (ocrmypdf(), "--version"),
        (tesseract(), "--version"),
        (pdftotext(), "-v"),
    ] {
        require(&peer.to_string_lossy(), Command::new(&peer).arg(option));
    }
}

fn ocrmypdf() -> PathBuf {
    checkout().join(".octavo/venv/peers/bin/ocrmypdf")
}

fn tesseract() -> PathBuf {
    "tesseract".into()
}

fn pdftotext() -> PathBuf {
    "pdftotext".into()
}

pub(crate) async fn report() -> Vec<Row> {
    let pages = pages();
    let ours = octavo(&pages).await;
    let (theirs, plain) = (with_ocrmypdf(&pages), with_tesseract(&pages));
    println!(
        "\nText recognised on {} pages: seconds of processor time a page, wrong characters",
        pages.len()
    );
    for (name, result) in [
        ("Octavo, searchable PDF, whole processor", &ours),
        ("ocrmypdf --output-type pdf", &theirs),
        ("tesseract, text only", &plain),
    ] {
        println!(
            "  {name:<42}{:>8.2}{:>8.2} %",
            result.seconds(),
            result.mistakes() * 100.0
        );
    }
    let (time, wrong) = (
        ours.seconds() / theirs.seconds(),
        ours.mistakes() / theirs.mistakes(),
    );
    println!(
        "  {:<42}{time:>8.2}{wrong:>8.2}",
        "ratio to ocrmypdf (goals: 0.45 and 1.10)"
    );
    vec![
        Row::new(
            "OCR to searchable PDF",
            "≤ 0.45 × OCRmyPDF's CPU a page",
            format!("{time:.2}"),
            "whole processor and `ocrmypdf --output-type pdf`, pages whose text is known",
        ),
        Row::new(
            "OCR to searchable PDF",
            "≤ 1.10 × OCRmyPDF's wrong characters",
            format!(
                "{wrong:.2} ({:.2} % and {:.2} %)",
                ours.mistakes() * 100.0,
                theirs.mistakes() * 100.0
            ),
            "edit distance to the truth of what poppler finds in the PDF, white space apart",
        ),
    ]
}

fn pages() -> Vec<Page> {
    let manifest = std::fs::read_to_string(corpus::directory().join("manifest.json")).unwrap();
    let all: Vec<Page> = serde_json::from_str(&manifest).unwrap();
    let known: Vec<Page> = all
        .into_iter()
        .filter(|page| page.kind == "ocr-truth")
        .collect();
    assert!(!known.is_empty(), "no page whose text is known");
    known
}

/// What the processes of the processor and all their children use.
async fn octavo(pages: &[Page]) -> Reading {
    let client = jobs::client();
    let scratch = TempDir::new().unwrap();
    read(&client, &pages[0], scratch.path()).await; // warm
    let mut result = Reading::default();
    for page in pages {
        let meter = Meter::begin("process-ocr");
        let made = read(&client, page, scratch.path()).await;
        result.add(meter.used(), &text(&made), page);
    }
    result
}

async fn read(client: &Client, page: &Page, scratch: &Path) -> PathBuf {
    let path = page.path();
    let (name, kind) = (
        path.file_name().unwrap().to_str().unwrap(),
        path.extension().unwrap().to_str().unwrap(),
    );
    let source = client
        .upload(
            name,
            "application/octet-stream",
            std::fs::read(&path).unwrap(),
        )
        .await;
    let body = json!({
        "filename": name, "inputFormat": kind, "format": "pdf", "sourceKey": source,
        "operations": [{"operation": "ocr", "language": page.language, "output": "pdf"}],
    });
    let job = jobs::completed(client, &body).await;
    let made = scratch.join("made.pdf");
    std::fs::write(&made, client.result(&job).await).unwrap();
    made
}

fn with_ocrmypdf(pages: &[Page]) -> Reading {
    let scratch = TempDir::new().unwrap();
    let mut result = Reading::default();
    for page in pages {
        let made = scratch.path().join("made.pdf");
        let mut command = Command::new(ocrmypdf());
        // Its Tesseract wastes time on waiting threads otherwise.
        command
            .env("OMP_THREAD_LIMIT", "1")
            .args([
                "--quiet",
                "--output-type",
                "pdf",
                "--language",
                &page.models(),
            ])
            .args([&page.path(), &made]);
        let (time, _) = run(&mut command);
        result.add(time, &text(&made), page);
    }
    result
}

/// Tesseract reads images only: pages of a PDF are drawn for it first, in time that does not count.
fn with_tesseract(pages: &[Page]) -> Reading {
    let scratch = TempDir::new().unwrap();
    let mut result = Reading::default();
    for page in pages {
        let resolution = page.dpi.to_string();
        let mut picture = page.path();
        if picture.extension().unwrap() == "pdf" {
            let drawn = scratch.path().join("page");
            run(Command::new("pdftoppm")
                .args(["-gray", "-singlefile", "-r", &resolution])
                .args([&picture, &drawn]));
            picture = drawn.with_extension("pgm");
        }
        let mut command = Command::new(tesseract());
        command.env("OMP_THREAD_LIMIT", "1").arg(&picture).args([
            "-",
            "-l",
            &page.models(),
            "--dpi",
            &resolution,
        ]);
        let (time, found) = run(&mut command);
        result.add(time, &found, page);
    }
    result
}

/// What a command and its children use, and what it says.
fn run(command: &mut Command) -> (Duration, String) {
    let this = Process::of(std::process::id());
    let before = this.processor_time();
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    (this.processor_time() - before, said)
}

/// What is found in a PDF, in the order in which it is written.
fn text(pdf: &Path) -> String {
    run(Command::new(pdftotext())
        .args(["-raw", "-enc", "UTF-8"])
        .arg(pdf)
        .arg("-"))
    .1
}

fn letters(text: &str) -> Vec<char> {
    text.split_whitespace().flat_map(str::chars).collect()
}

/// How many characters have to be changed to make one text of the other, white space apart.
fn mistakes(found: &str, truth: &str) -> usize {
    let (found, truth) = (letters(found), letters(truth));
    let mut row: Vec<usize> = (0..=truth.len()).collect();
    for (index, character) in found.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for column in 0..truth.len() {
            let changed = diagonal + usize::from(truth[column] != *character);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[truth.len()]
}
