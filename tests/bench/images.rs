//! Image compression compared with sharp on the same pictures in the same run: bytes and CPU time at equal SSIMULACRA2
//! similarity to the source. For PNG, which is lossless, only bytes and time count.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::json;
use ssimulacra2::{ColorPrimaries, Rgb, TransferCharacteristic, compute_frame_ssimulacra2};
use tempfile::TempDir;
use tests::client::Client;
use tests::corpus;
use tests::stack::checkout;

use crate::jobs::{self, Meter};
use crate::peers::require;
use crate::table::Row;

/// Photographs of the corpus.
const PHOTOGRAPHS: [&str; 3] = [
    "images/jpeg/Landscape_6.jpg",
    "images/jpeg/flower.jpg",
    "images/avif/kodim03_yuv420_8bpc.avif",
];
/// A page of text and the resolution at which it is rendered.
const PAGE: (&str, &str) = ("pdf-text/multi_page.pdf", "150");
/// Formats, with the goals for the ratios of bytes and of CPU time.
const KINDS: [(&str, f64, f64); 4] = [
    ("jpeg", 1.0, 1.0),
    ("webp", 1.0, 1.0),
    ("png", 0.97, 2.0),
    ("avif", 1.1, 1.0),
];
/// Qualities requested from Octavo.
const OCTAVO_QUALITIES: [u8; 3] = [60, 75, 88];
/// Smallest share of files with a comparable result of sharp: one of its qualities must be at least as good and another at
/// most as good.
const LEAST_SHARE: f64 = 0.75;
/// Qualities of sharp between which the equal similarity is interpolated.
const PEER_QUALITIES: &str = "25,45,60,75,88,96";
/// Number of compressions of a tiny image that measure a job's fixed cost.
const FIXED_COST_RUNS: u32 = 5;

/// A compressed picture.
#[derive(Clone, Debug, Deserialize)]
struct Encoded {
    file: PathBuf,
    bytes: f64,
    seconds: f64,
    /// SSIMULACRA2 score; 100 is identical to the source.
    #[serde(default)]
    similarity: f64,
}

/// Panics if the peer is not installed.
pub(crate) fn require_peer() {
    require("sharp", sharp().arg("decode"));
}

fn sharp() -> Command {
    let mut command = Command::new("node");
    command
        .env(
            "NODE_PATH",
            checkout().join(".octavo/npm/peers/node_modules"),
        )
        .arg(checkout().join("tests/bench/sharp.cjs"));
    command
}

fn run(command: &mut Command) -> Vec<u8> {
    let finished = command.output().unwrap();
    let output = String::from_utf8_lossy(&finished.stderr);
    assert!(finished.status.success(), "{command:?}: {output}");
    finished.stdout
}

pub(crate) async fn report() -> Vec<Row> {
    let scratch = TempDir::new().unwrap();
    let pictures = pictures(scratch.path());
    let octavo = Octavo {
        client: jobs::client(),
        scratch: scratch.path(),
    };
    let fixed_cost = octavo.fixed_cost().await;
    println!(
        "\nImage compression, {} pictures, ratios to sharp at equal SSIMULACRA2: bytes, CPU time (goals), \
         CPU time without the fixed cost of a job",
        pictures.len()
    );
    let mut rows = Vec::new();
    for (kind, bytes, time) in KINDS {
        let compared = octavo.compared(kind, &pictures, fixed_cost).await;
        let Comparison {
            byte_ratio,
            cpu_ratio,
            net_cpu_ratio,
            ..
        } = compared;
        println!(
            "  {kind:<6}{byte_ratio:>8.3}{cpu_ratio:>8.2} ({bytes} {time}){net_cpu_ratio:>8.2}; compared {} of {}",
            compared.count, compared.total
        );
        rows.extend(compared.rows(kind, bytes, time));
    }
    println!("  fixed cost of a job: {:.0} ms", fixed_cost * 1e3);
    rows
}

/// Ratios to sharp over all pictures.
struct Comparison {
    /// Geometric mean of the byte ratios.
    byte_ratio: f64,
    /// Ratio of CPU time.
    cpu_ratio: f64,
    /// Ratio of CPU time without the fixed cost of a job.
    net_cpu_ratio: f64,
    /// Files with a comparable result of sharp.
    count: u32,
    /// All files.
    total: usize,
}

impl Comparison {
    fn rows(&self, kind: &str, bytes: f64, time: f64) -> [Row; 2] {
        let (byte_ratio, cpu_ratio, net_cpu_ratio) =
            (self.byte_ratio, self.cpu_ratio, self.net_cpu_ratio);
        [
            Row::new(
                format!("compress {kind}"),
                format!("≤ {bytes:.2} × sharp's bytes"),
                format!("{byte_ratio:.3}"),
                "at equal SSIMULACRA2 (PNG: lossless), geometric mean over pictures and qualities",
            ),
            Row::new(
                format!("compress {kind}"),
                format!("≤ {time:.2} × sharp's CPU"),
                format!("{cpu_ratio:.2}, {net_cpu_ratio:.2} without the fixed cost of a job"),
                "coordinator and engine function compared with sharp on one thread without its start-up",
            ),
        ]
    }
}

/// The pictures as PNG, which both can read.
fn pictures(scratch: &Path) -> Vec<PathBuf> {
    let mut pictures: Vec<PathBuf> = Vec::new();
    for (number, name) in PHOTOGRAPHS.iter().enumerate() {
        let target = scratch.join(format!("picture-{number}.png"));
        run(sharp()
            .arg("prepare")
            .args([&corpus::directory().join(name), &target]));
        pictures.push(target);
    }
    let page = scratch.join("page");
    run(Command::new("pdftoppm")
        .args(["-png", "-singlefile", "-r", PAGE.1])
        .args([&corpus::directory().join(PAGE.0), &page]));
    pictures.push(page.with_extension("png"));
    pictures
}

/// Sequential jobs of one account.
struct Octavo<'a> {
    client: Client,
    scratch: &'a Path,
}

impl Octavo<'_> {
    /// Fixed cost of a job in CPU seconds.
    async fn fixed_cost(&self) -> f64 {
        let dot = self.scratch.join("dot.png");
        image::RgbImage::new(1, 1).save(&dot).unwrap();
        self.encode(&dot, "jpeg", 80).await; // warm-up
        let mut seconds = 0.0;
        for _ in 0..FIXED_COST_RUNS {
            seconds += self.encode(&dot, "jpeg", 80).await.seconds;
        }
        seconds / f64::from(FIXED_COST_RUNS)
    }

    async fn encode(&self, picture: &Path, kind: &str, quality: u8) -> Encoded {
        let content = std::fs::read(picture).unwrap();
        let source = self
            .client
            .upload("picture.png", "image/png", content)
            .await;
        let body = json!({
            "filename": "picture.png", "format": kind, "sourceKey": source,
            "operations": [{"operation": "compress", "format": kind, "quality": quality}],
        });
        let meter = Meter::start("engine-image");
        let job = jobs::run_job(&self.client, &body).await;
        let seconds = meter.used().as_secs_f64();
        let made = self.client.result(&job).await;
        let stem = picture.file_stem().unwrap().to_str().unwrap();
        let file = self.scratch.join(format!("{stem}.ours.{quality}.{kind}"));
        std::fs::write(&file, &made).unwrap();
        Encoded {
            file,
            bytes: made.len() as f64,
            seconds,
            similarity: 0.0,
        }
    }

    async fn compared(&self, kind: &str, pictures: &[PathBuf], fixed_cost: f64) -> Comparison {
        let lossy = kind != "png";
        let qualities: &[u8] = if lossy { &OCTAVO_QUALITIES } else { &[100] };
        let (mut sum, mut count) = (0.0, 0);
        let (mut ours, mut theirs) = (0.0, 0.0);
        for picture in pictures {
            let mut peers = with_sharp(picture, kind, if lossy { PEER_QUALITIES } else { "100" });
            measure_similarity(picture, &mut peers, lossy);
            for quality in qualities {
                let mut own = [self.encode(picture, kind, *quality).await];
                measure_similarity(picture, &mut own, lossy);
                let [own] = own;
                let Some(peer) = at(&peers, own.similarity) else {
                    continue;
                };
                sum += (own.bytes / peer.bytes).ln();
                count += 1;
                (ours, theirs) = (ours + own.seconds, theirs + peer.seconds);
            }
        }
        let (total, jobs) = (pictures.len() * qualities.len(), f64::from(count));
        assert!(
            jobs >= LEAST_SHARE * total as f64,
            "{kind}: sharp has a comparable result for only {count} of {total} files"
        );
        Comparison {
            byte_ratio: (sum / jobs).exp(),
            cpu_ratio: ours / theirs,
            net_cpu_ratio: (ours - jobs * fixed_cost).max(0.0) / theirs,
            count,
            total,
        }
    }
}

fn with_sharp(picture: &Path, kind: &str, qualities: &str) -> Vec<Encoded> {
    let begin = picture.with_extension("theirs");
    let output = run(sharp()
        .arg("encode")
        .arg(picture)
        .args([kind, qualities])
        .arg(begin));
    serde_json::from_slice(&output).unwrap()
}

/// Sets the similarity of each file to the picture; lossless files must be identical.
fn measure_similarity(picture: &Path, files: &mut [Encoded], lossy: bool) {
    if !lossy {
        let pixels = |png: &Path| image::open(png).unwrap().into_rgb8();
        for made in files {
            let same = pixels(&made.file) == pixels(picture);
            assert!(same, "{}: not lossless", made.file.display());
        }
        return;
    }
    run(sharp()
        .arg("decode")
        .args(files.iter().map(|made| &made.file)));
    let source = pixels(picture);
    for made in files {
        let decoded = pixels(Path::new(&format!("{}.png", made.file.display())));
        made.similarity = compute_frame_ssimulacra2(source.clone(), decoded).unwrap();
    }
}

fn pixels(png: &Path) -> Rgb {
    let image = image::open(png).unwrap().into_rgb8();
    let shares = image
        .pixels()
        .map(|pixel| pixel.0.map(|sample| f32::from(sample) / 255.0));
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (transfer, primaries) = (TransferCharacteristic::SRGB, ColorPrimaries::BT709);
    Rgb::new(shares.collect(), width, height, transfer, primaries).unwrap()
}

/// Interpolates a file of this similarity between the two nearest; `None` outside the range.
fn at(ladder: &[Encoded], similarity: f64) -> Option<Encoded> {
    if let [only] = ladder {
        return Some(only.clone());
    }
    let step = ladder
        .windows(2)
        .find(|pair| (pair[0].similarity..=pair[1].similarity).contains(&similarity))?;
    let [low, high] = step else { return None };
    let share = (similarity - low.similarity) / (high.similarity - low.similarity);
    let between = |low: f64, high: f64| low * (high / low).powf(share);
    Some(Encoded {
        file: low.file.clone(),
        bytes: between(low.bytes, high.bytes),
        seconds: between(low.seconds, high.seconds),
        similarity,
    })
}
