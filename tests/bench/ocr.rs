//! OCR compared with OCRmyPDF and Tesseract on the same pages in the same run: CPU time per page, and character error rate
//! of the text that poppler extracts from the searchable PDF.

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

/// A page with known text.
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

    /// Tesseract's languages. Russian is combined with English, because the Russian model alone misreads Latin letters.
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

/// CPU time and errors over all pages.
#[derive(Default)]
struct OcrScore {
    time: Duration,
    errors: usize,
    characters: usize,
    pages: u32,
}

impl OcrScore {
    fn add(&mut self, time: Duration, found: &str, page: &Page) {
        let truth = page.truth();
        self.time += time;
        self.errors += edit_distance(found, &truth);
        self.characters += letters(&truth).len();
        self.pages += 1;
    }

    fn seconds(&self) -> f64 {
        self.time.as_secs_f64() / f64::from(self.pages)
    }

    fn error_rate(&self) -> f64 {
        self.errors as f64 / self.characters as f64
    }
}

/// Panics if a peer is not installed.
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
        "\nOCR of {} pages: CPU seconds per page, character error rate",
        pages.len()
    );
    for (name, result) in [
        ("Octavo, searchable PDF, whole job", &ours),
        ("ocrmypdf --output-type pdf", &theirs),
        ("tesseract, text only", &plain),
    ] {
        println!(
            "  {name:<42}{:>8.2}{:>8.2} %",
            result.seconds(),
            result.error_rate() * 100.0
        );
    }
    let (time, errors) = (
        ours.seconds() / theirs.seconds(),
        ours.error_rate() / theirs.error_rate(),
    );
    println!(
        "  {:<42}{time:>8.2}{errors:>8.2}",
        "ratio to ocrmypdf (goals: 0.45 and 1.10)"
    );
    vec![
        Row::new(
            "OCR to searchable PDF",
            "≤ 0.45 × OCRmyPDF's CPU time per page",
            format!("{time:.2}"),
            "coordinator and engine function compared with `ocrmypdf --output-type pdf`, pages with known text",
        ),
        Row::new(
            "OCR to searchable PDF",
            "≤ 1.10 × OCRmyPDF's character error rate",
            format!(
                "{errors:.2} ({:.2} % and {:.2} %)",
                ours.error_rate() * 100.0,
                theirs.error_rate() * 100.0
            ),
            "edit distance between poppler's text of the PDF and the known text, ignoring white space",
        ),
    ]
}

fn pages() -> Vec<Page> {
    let manifest = std::fs::read_to_string(corpus::directory().join("manifest.json")).unwrap();
    let all: Vec<Page> = serde_json::from_str(&manifest).unwrap();
    let recorded: Vec<Page> = all
        .into_iter()
        .filter(|page| page.kind == "ocr-truth")
        .collect();
    assert!(
        !recorded.is_empty(),
        "the corpus has no page with known text"
    );
    recorded
}

/// Measures the processes of the function and their children.
async fn octavo(pages: &[Page]) -> OcrScore {
    let client = jobs::client();
    let scratch = TempDir::new().unwrap();
    read(&client, &pages[0], scratch.path()).await; // warm-up
    let mut result = OcrScore::default();
    for page in pages {
        let meter = Meter::start("engine-ocr");
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
    let job = jobs::run_job(client, &body).await;
    let made = scratch.join("made.pdf");
    std::fs::write(&made, client.result(&job).await).unwrap();
    made
}

fn with_ocrmypdf(pages: &[Page]) -> OcrScore {
    let scratch = TempDir::new().unwrap();
    let mut result = OcrScore::default();
    for page in pages {
        let made = scratch.path().join("made.pdf");
        let mut command = Command::new(ocrmypdf());
        // Without this limit, Tesseract's threads waste CPU time waiting.
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

/// Tesseract reads images only: PDF pages are rendered first, which is not measured.
fn with_tesseract(pages: &[Page]) -> OcrScore {
    let scratch = TempDir::new().unwrap();
    let mut result = OcrScore::default();
    for page in pages {
        let resolution = page.dpi.to_string();
        let mut picture = page.path();
        if picture.extension().unwrap() == "pdf" {
            let rendered = scratch.path().join("page");
            run(Command::new("pdftoppm")
                .args(["-gray", "-singlefile", "-r", &resolution])
                .args([&picture, &rendered]));
            picture = rendered.with_extension("pgm");
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

/// CPU time of a command and its children, and its output.
fn run(command: &mut Command) -> (Duration, String) {
    let this = Process::of(std::process::id());
    let before = this.cpu_time();
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    let output = String::from_utf8(output.stdout).unwrap();
    (this.cpu_time() - before, output)
}

/// The text of a PDF in content order.
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

/// Edit distance between two texts in characters, ignoring white space.
fn edit_distance(found: &str, truth: &str) -> usize {
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
