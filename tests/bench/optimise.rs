//! PDF made smaller, beside Ghostscript's settings for books on screens, on the same documents in the same run: bytes, and
//! how alike the pages are to those of the source as a reader of another make draws them.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus;
use tests::corpus::Entry;

use crate::jobs;
use crate::peers::require;
use crate::table::Row;

const PEER: &str = "gs";
/// Documents of which something is to be told together.
const KINDS: [&str; 3] = ["pdf-scan", "pdf-text", "pdf-forms"];
/// Pixels an inch at which pages are compared.
const RESOLUTION: &str = "100";
/// Most pages of a document that are compared.
const PAGES: &str = "20";

/// Ends the whole run if there is nothing to compare with.
pub(crate) fn require_peer() {
    require(PEER, Command::new(PEER).arg("--version"));
}

pub(crate) async fn report() -> Vec<Row> {
    println!(
        "\nPDF made smaller: share of the source's bytes, likeness (mean of documents, worst page), larger than the source"
    );
    let (mut all_ours, mut all_theirs) = (Tally::default(), Tally::default());
    for kind in KINDS {
        let documents = corpus::good(kind);
        let client = jobs::client();
        let (mut ours, mut theirs) = (Tally::default(), Tally::default());
        for document in &documents {
            let directory = TempDir::new().unwrap();
            let source = corpus::directory().join(&document.file);
            let (made, peer) = (
                directory.path().join("ours.pdf"),
                directory.path().join("gs.pdf"),
            );
            octavo(&client, document, &made).await;
            ghostscript(&source, &peer);
            ours.note(&source, &made);
            theirs.note(&source, &peer);
        }
        print(kind, &ours, &theirs);
        all_ours.add(ours);
        all_theirs.add(theirs);
    }
    print("all", &all_ours, &all_theirs);
    let smaller = all_ours.result as f64 / all_theirs.result as f64;
    vec![
        Row::new(
            "optimise PDF",
            "≤ 0.90 × the bytes of Ghostscript's `/ebook`",
            format!("{smaller:.2}"),
            "all results together, `balanced`: scans, texts and forms",
        ),
        Row::new(
            "optimise PDF",
            "SSIM ≥ 0.99",
            format!("{:.4}, worst page {:.4}", all_ours.mean(), all_ours.worst),
            "mean of documents, drawn by poppler at 100 an inch before and after",
        ),
        Row::new(
            "optimise PDF",
            "never larger",
            format!("{} of {} larger", all_ours.larger, all_ours.likeness.len()),
            "than the source",
        ),
    ]
}

fn print(kind: &str, ours: &Tally, theirs: &Tally) {
    println!("  {kind}, {} documents", ours.likeness.len());
    println!("    Octavo, balanced     {ours}");
    println!("    Ghostscript, /ebook  {theirs}");
    println!(
        "    ratio                {:>6.3}",
        ours.result as f64 / theirs.result as f64
    );
}

async fn octavo(client: &Client, document: &Entry, target: &Path) {
    let source = client
        .upload(document.name(), "application/pdf", document.bytes())
        .await;
    let optimise = json!({"operation": "optimise", "level": "balanced"});
    let steps = match is_protected(document) {
        true => json!([{"operation": "decrypt"}, optimise]),
        false => json!([optimise]),
    };
    let body = json!({
        "filename": document.name(), "inputFormat": "pdf", "format": "pdf", "sourceKey": source, "operations": steps,
    });
    let job = jobs::completed(client, &body).await;
    std::fs::write(target, client.result(&job).await).unwrap();
}

/// Whether its owner forbids something, which for that has to be asked to be let go of first.
fn is_protected(document: &Entry) -> bool {
    let source = corpus::directory().join(&document.file);
    let mut told = Command::new("qpdf");
    let told = told.arg("--is-encrypted").arg(source).status();
    told.unwrap().success()
}

fn ghostscript(source: &Path, target: &Path) {
    let status = Command::new(PEER)
        .args([
            "-q",
            "-dSAFER",
            "-dNOPAUSE",
            "-dBATCH",
            "-sDEVICE=pdfwrite",
            "-dPDFSETTINGS=/ebook",
        ])
        .arg(format!("-sOutputFile={}", target.display()))
        .arg(source)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "{}", source.display());
}

/// What became of some documents.
struct Tally {
    source: u64,
    result: u64,
    larger: usize,
    /// The mean of the pages of each document.
    likeness: Vec<f64>,
    /// The likeness of the worst page of all.
    worst: f64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            source: 0,
            result: 0,
            larger: 0,
            likeness: Vec::new(),
            worst: 1.0,
        }
    }
}

impl Tally {
    fn note(&mut self, source: &Path, result: &Path) {
        let size = |path: &Path| std::fs::metadata(path).unwrap().len();
        self.source += size(source);
        self.result += size(result);
        self.larger += usize::from(size(result) > size(source));
        let (before, after) = (pages(source), pages(result));
        assert!(!before.is_empty(), "{}", source.display());
        let alike = before.iter().enumerate().map(|(index, page)| {
            let found = after.get(index);
            found.map_or(0.0, |found| page.likeness(found))
        });
        let alike: Vec<f64> = alike.collect();
        self.worst = alike.iter().copied().fold(self.worst, f64::min);
        self.likeness.push(mean(&alike));
    }

    fn mean(&self) -> f64 {
        mean(&self.likeness)
    }

    fn add(&mut self, other: Self) {
        self.source += other.source;
        self.result += other.result;
        self.larger += other.larger;
        self.likeness.extend(other.likeness);
        self.worst = self.worst.min(other.worst);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = self.result as f64 / self.source as f64;
        write!(
            f,
            "{share:>6.3}  {:.4}  {:.4}  {}",
            self.mean(),
            self.worst,
            self.larger
        )
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A page in shades of grey.
struct Page {
    width: usize,
    height: usize,
    shades: Vec<u8>,
}

fn pages(pdf: &Path) -> Vec<Page> {
    let directory = TempDir::new().unwrap();
    let status = Command::new("pdftoppm")
        .args(["-gray", "-r", RESOLUTION, "-l", PAGES])
        .arg(pdf)
        .arg(directory.path().join("page"))
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "{}", pdf.display());
    let entries = std::fs::read_dir(directory.path()).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| Page::read(&std::fs::read(file).unwrap()))
        .collect()
}

impl Page {
    /// Reads a portable graymap: `P5`, width, height and 255 in a line each or beside one another, then the shades.
    fn read(file: &[u8]) -> Self {
        let head = String::from_utf8_lossy(&file[..file.len().min(40)]).into_owned();
        let words: Vec<&str> = head.split_ascii_whitespace().take(4).collect();
        let [_, width, height, _] = words[..] else {
            panic!("not a graymap: {head}");
        };
        let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
        Self {
            width,
            height,
            shades: file[file.len() - width * height..].to_vec(),
        }
    }

    /// The mean structural similarity of squares of eight pixels [Wang et al., 2004]; pages of other sides are not alike.
    fn likeness(&self, other: &Self) -> f64 {
        const SQUARE: usize = 8;
        if self.width.abs_diff(other.width) > 1 || self.height.abs_diff(other.height) > 1 {
            return 0.0;
        }
        let (width, height) = (self.width.min(other.width), self.height.min(other.height));
        let (mut sum, mut count) = (0.0, 0.0);
        for top in (0..height - height % SQUARE).step_by(SQUARE) {
            for left in (0..width - width % SQUARE).step_by(SQUARE) {
                let square = |page: &Self| -> Vec<f64> {
                    let rows = (top..top + SQUARE)
                        .flat_map(|row| page.shades[row * page.width + left..][..SQUARE].to_vec());
                    rows.map(f64::from).collect()
                };
                sum += similarity(&square(self), &square(other));
                count += 1.0;
            }
        }
        sum / count
    }
}

fn similarity(one: &[f64], other: &[f64]) -> f64 {
    const STEADY: (f64, f64) = (6.5025, 58.5225);
    let count = one.len() as f64;
    let (x, y) = (mean(one), mean(other));
    let spread = |a: &[f64], b: &[f64], c: f64, d: f64| {
        a.iter().zip(b).map(|(a, b)| (a - c) * (b - d)).sum::<f64>() / count
    };
    let (xx, yy, xy) = (
        spread(one, one, x, x),
        spread(other, other, y, y),
        spread(one, other, x, y),
    );
    ((2.0 * x * y + STEADY.0) * (2.0 * xy + STEADY.1))
        / ((x * x + y * y + STEADY.0) * (xx + yy + STEADY.1))
}
