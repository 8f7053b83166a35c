//! PDF optimization compared with Ghostscript's `/ebook` settings on the same documents in the same run: bytes, and
//! structural similarity (SSIM) to the source's pages as rendered by poppler.

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
/// Kinds of documents that are summarized together.
const KINDS: [&str; 3] = ["pdf-scan", "pdf-text", "pdf-forms"];
/// Resolution in dpi at which pages are compared.
const RESOLUTION: &str = "100";
/// Maximum number of pages that are compared per document.
const PAGES: &str = "20";

/// Panics if the peer is not installed.
pub(crate) fn require_peer() {
    require(PEER, Command::new(PEER).arg("--version"));
}

pub(crate) async fn report() -> Vec<Row> {
    println!(
        "\nPDF optimization: share of the source's bytes, SSIM (mean of documents, worst page), files larger than the source"
    );
    let (mut all_ours, mut all_theirs) = (Totals::default(), Totals::default());
    for kind in KINDS {
        let documents = corpus::good(kind);
        let client = jobs::client();
        let (mut ours, mut theirs) = (Totals::default(), Totals::default());
        for document in &documents {
            let directory = TempDir::new().unwrap();
            let source = corpus::directory().join(&document.file);
            let (optimized, peer) = (
                directory.path().join("ours.pdf"),
                directory.path().join("gs.pdf"),
            );
            octavo(&client, document, &optimized).await;
            ghostscript(&source, &peer);
            ours.add_document(&source, &optimized);
            theirs.add_document(&source, &peer);
        }
        print(kind, &ours, &theirs);
        all_ours.add(ours);
        all_theirs.add(theirs);
    }
    print("all", &all_ours, &all_theirs);
    let smaller = all_ours.result as f64 / all_theirs.result as f64;
    vec![
        Row::new(
            "optimize PDF",
            "≤ 0.90 × the bytes of Ghostscript's `/ebook`",
            format!("{smaller:.2}"),
            "sum of all results, `balanced`: scans, texts and forms",
        ),
        Row::new(
            "optimize PDF",
            "SSIM ≥ 0.99",
            format!("{:.4}, worst page {:.4}", all_ours.mean(), all_ours.worst),
            "mean of documents, rendered by poppler at 100 dpi before and after",
        ),
        Row::new(
            "optimize PDF",
            "never larger",
            format!(
                "{} of {} larger",
                all_ours.larger,
                all_ours.similarity.len()
            ),
            "than the source",
        ),
    ]
}

fn print(kind: &str, ours: &Totals, theirs: &Totals) {
    println!("  {kind}, {} documents", ours.similarity.len());
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
    let optimize = json!({"operation": "optimize", "level": "balanced"});
    let steps = match is_protected(document) {
        true => json!([{"operation": "decrypt"}, optimize]),
        false => json!([optimize]),
    };
    let body = json!({
        "filename": document.name(), "inputFormat": "pdf", "format": "pdf", "sourceKey": source, "operations": steps,
    });
    let job = jobs::run_job(client, &body).await;
    std::fs::write(target, client.result(&job).await).unwrap();
}

/// Whether the document has restrictions, which require decryption first.
fn is_protected(document: &Entry) -> bool {
    let source = corpus::directory().join(&document.file);
    let mut encryption = Command::new("qpdf");
    let encryption = encryption.arg("--is-encrypted").arg(source).status();
    encryption.unwrap().success()
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

/// Totals over some documents.
struct Totals {
    source: u64,
    result: u64,
    larger: usize,
    /// Mean similarity of the pages of each document.
    similarity: Vec<f64>,
    /// Similarity of the worst page.
    worst: f64,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            source: 0,
            result: 0,
            larger: 0,
            similarity: Vec::new(),
            worst: 1.0,
        }
    }
}

impl Totals {
    fn add_document(&mut self, source: &Path, result: &Path) {
        let size = |path: &Path| std::fs::metadata(path).unwrap().len();
        self.source += size(source);
        self.result += size(result);
        self.larger += usize::from(size(result) > size(source));
        let (before, after) = (pages(source), pages(result));
        assert!(!before.is_empty(), "{}", source.display());
        let similarities = before.iter().enumerate().map(|(index, page)| {
            let found = after.get(index);
            found.map_or(0.0, |found| page.similarity(found))
        });
        let similarities: Vec<f64> = similarities.collect();
        self.worst = similarities.iter().copied().fold(self.worst, f64::min);
        self.similarity.push(mean(&similarities));
    }

    fn mean(&self) -> f64 {
        mean(&self.similarity)
    }

    fn add(&mut self, other: Self) {
        self.source += other.source;
        self.result += other.result;
        self.larger += other.larger;
        self.similarity.extend(other.similarity);
        self.worst = self.worst.min(other.worst);
    }
}

impl std::fmt::Display for Totals {
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

/// A page in grayscale.
struct Page {
    width: usize,
    height: usize,
    samples: Vec<u8>,
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
    /// Parses a portable graymap: `P5`, width, height and 255 separated by white space, then the samples.
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
            samples: file[file.len() - width * height..].to_vec(),
        }
    }

    /// Mean structural similarity (SSIM) over squares of eight pixels [Wang et al., 2004]; 0 if the page sizes differ.
    fn similarity(&self, other: &Self) -> f64 {
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
                        .flat_map(|row| page.samples[row * page.width + left..][..SQUARE].to_vec());
                    rows.map(f64::from).collect()
                };
                sum += square_ssim(&square(self), &square(other));
                count += 1.0;
            }
        }
        sum / count
    }
}

fn square_ssim(one: &[f64], other: &[f64]) -> f64 {
    const STABILIZERS: (f64, f64) = (6.5025, 58.5225);
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
    ((2.0 * x * y + STABILIZERS.0) * (2.0 * xy + STABILIZERS.1))
        / ((x * x + y * y + STABILIZERS.0) * (xx + yy + STABILIZERS.1))
}
