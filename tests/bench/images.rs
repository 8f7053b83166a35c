//! Compressed images beside sharp, of the same pictures in the same run: bytes, and processor time, where both look as
//! much like the source by SSIMULACRA2. PNG loses nothing, so there bytes and time alone count.

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
/// A page of text, drawn at this resolution.
const PAGE: (&str, &str) = ("pdf-text/multi_page.pdf", "150");
/// The kinds, with the ratios of bytes and of processor time that are aimed at.
const KINDS: [(&str, f64, f64); 4] = [
    ("jpeg", 1.0, 1.0),
    ("webp", 1.0, 1.0),
    ("png", 0.97, 2.0),
    ("avif", 1.1, 1.0),
];
/// Qualities that ours are asked for.
const OURS: [u8; 3] = [60, 75, 88];
/// The share of all that has to be comparable: sharp has to be as good with one of its qualities, and as bad with another.
const LEAST_SHARE: f64 = 0.75;
/// Qualities between which sharp's at equal likeness is found.
const THEIRS: &str = "25,45,60,75,88,96";
/// How often nothing to speak of is compressed to find out what a job takes whatever its image.
const EMPTY: u32 = 5;

/// A file that was made of a picture.
#[derive(Clone, Debug, Deserialize)]
struct Encoded {
    file: PathBuf,
    bytes: f64,
    seconds: f64,
    /// By SSIMULACRA2: 100 is the source itself.
    #[serde(default)]
    likeness: f64,
}

/// Ends the whole run if there is nothing to compare with.
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
    let ended = command.output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{command:?}: {said}");
    ended.stdout
}

pub(crate) async fn report() -> Vec<Row> {
    let scratch = TempDir::new().unwrap();
    let pictures = pictures(scratch.path());
    let octavo = Octavo {
        client: jobs::client(),
        scratch: scratch.path(),
    };
    let idle = octavo.idle().await;
    println!(
        "\nImages compressed, {} pictures, ratios to sharp at equal SSIMULACRA2: bytes, processor time (goals), without what a job takes whatever its image",
        pictures.len()
    );
    let mut rows = Vec::new();
    for (kind, bytes, time) in KINDS {
        let compared = octavo.compared(kind, &pictures, idle).await;
        let Comparison {
            smaller,
            quicker,
            bare,
            ..
        } = compared;
        println!(
            "  {kind:<6}{smaller:>8.3}{quicker:>8.2} ({bytes} {time}){bare:>8.2}; compared {} of {}",
            compared.count, compared.asked
        );
        rows.extend(compared.rows(kind, bytes, time));
    }
    println!("  a job takes {:.0} ms whatever its image", idle * 1e3);
    rows
}

/// Ratios to sharp over all pictures.
struct Comparison {
    /// Of bytes: the geometric mean.
    smaller: f64,
    /// Of processor time.
    quicker: f64,
    /// The same without what every job takes.
    bare: f64,
    /// Files that sharp has an equal of.
    count: u32,
    /// Files in all.
    asked: usize,
}

impl Comparison {
    fn rows(&self, kind: &str, bytes: f64, time: f64) -> [Row; 2] {
        let (smaller, quicker, bare) = (self.smaller, self.quicker, self.bare);
        [
            Row::new(
                format!("compress {kind}"),
                format!("≤ {bytes:.2} × sharp's bytes"),
                format!("{smaller:.3}"),
                "at equal SSIMULACRA2 (png: without loss), geometric mean of pictures and qualities",
            ),
            Row::new(
                format!("compress {kind}"),
                format!("≤ {time:.2} × sharp's CPU"),
                format!("{quicker:.2}, {bare:.2} without what every job takes"),
                "whole processor, and sharp on one thread without its start",
            ),
        ]
    }
}

/// The pictures as PNG, which both read.
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

/// Jobs of one account, one after the other.
struct Octavo<'a> {
    client: Client,
    scratch: &'a Path,
}

impl Octavo<'_> {
    /// Processor seconds that a job takes whatever its image.
    async fn idle(&self) -> f64 {
        let dot = self.scratch.join("dot.png");
        image::RgbImage::new(1, 1).save(&dot).unwrap();
        self.encode(&dot, "jpeg", 80).await; // warm
        let mut seconds = 0.0;
        for _ in 0..EMPTY {
            seconds += self.encode(&dot, "jpeg", 80).await.seconds;
        }
        seconds / f64::from(EMPTY)
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
        let meter = Meter::begin("process-image");
        let job = jobs::completed(&self.client, &body).await;
        let seconds = meter.used().as_secs_f64();
        let made = self.client.result(&job).await;
        let stem = picture.file_stem().unwrap().to_str().unwrap();
        let file = self.scratch.join(format!("{stem}.ours.{quality}.{kind}"));
        std::fs::write(&file, &made).unwrap();
        Encoded {
            file,
            bytes: made.len() as f64,
            seconds,
            likeness: 0.0,
        }
    }

    async fn compared(&self, kind: &str, pictures: &[PathBuf], idle: f64) -> Comparison {
        let lossy = kind != "png";
        let qualities: &[u8] = if lossy { &OURS } else { &[100] };
        let (mut sum, mut count) = (0.0, 0);
        let (mut ours, mut theirs) = (0.0, 0.0);
        for picture in pictures {
            let mut peers = with_sharp(picture, kind, if lossy { THEIRS } else { "100" });
            judge(picture, &mut peers, lossy);
            for quality in qualities {
                let mut own = [self.encode(picture, kind, *quality).await];
                judge(picture, &mut own, lossy);
                let [own] = own;
                let Some(peer) = at(&peers, own.likeness) else {
                    continue;
                };
                sum += (own.bytes / peer.bytes).ln();
                count += 1;
                (ours, theirs) = (ours + own.seconds, theirs + peer.seconds);
            }
        }
        let (asked, jobs) = (pictures.len() * qualities.len(), f64::from(count));
        assert!(
            jobs >= LEAST_SHARE * asked as f64,
            "{kind}: sharp has an equal of {count} files of {asked} only"
        );
        Comparison {
            smaller: (sum / jobs).exp(),
            quicker: ours / theirs,
            bare: (ours - jobs * idle).max(0.0) / theirs,
            count,
            asked,
        }
    }
}

fn with_sharp(picture: &Path, kind: &str, qualities: &str) -> Vec<Encoded> {
    let begin = picture.with_extension("theirs");
    let said = run(sharp()
        .arg("encode")
        .arg(picture)
        .args([kind, qualities])
        .arg(begin));
    serde_json::from_slice(&said).unwrap()
}

/// Finds how much like the picture each file looks; what is to lose nothing has to be the same.
fn judge(picture: &Path, files: &mut [Encoded], lossy: bool) {
    if !lossy {
        let pixels = |png: &Path| image::open(png).unwrap().into_rgb8();
        for made in files {
            let same = pixels(&made.file) == pixels(picture);
            assert!(same, "{}: not without loss", made.file.display());
        }
        return;
    }
    run(sharp()
        .arg("decode")
        .args(files.iter().map(|made| &made.file)));
    let source = pixels(picture);
    for made in files {
        let seen = pixels(Path::new(&format!("{}.png", made.file.display())));
        made.likeness = compute_frame_ssimulacra2(source.clone(), seen).unwrap();
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

/// What a file of this likeness would take, between the two nearest; `None` outside of what there is.
fn at(ladder: &[Encoded], likeness: f64) -> Option<Encoded> {
    if let [only] = ladder {
        return Some(only.clone());
    }
    let step = ladder
        .windows(2)
        .find(|pair| (pair[0].likeness..=pair[1].likeness).contains(&likeness))?;
    let [low, high] = step else { return None };
    let share = (likeness - low.likeness) / (high.likeness - low.likeness);
    let between = |low: f64, high: f64| low * (high / low).powf(share);
    Some(Encoded {
        file: low.file.clone(),
        bytes: between(low.bytes, high.bytes),
        seconds: between(low.seconds, high.seconds),
        likeness,
    })
}
