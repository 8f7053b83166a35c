//! Makes images smaller: JPEG, PNG, WebP and AVIF, optionally scaled down or in another of these formats.
//!
//! JPEG by mozjpeg, PNG without loss by oxipng, WebP by libwebp (without loss if the source is), AVIF by rav1e. The image
//! is turned upright first; its colour profile stays or is made sRGB, other metadata goes. An animation
//! stays whole when its format does: as it is, or each frame scaled. Else it becomes its first frame, with a warning.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::operation::{CompressOptions, Operation};
use imaging::encode::{self, Attributes, Effort};
use imaging::frames::{Layout, layout};
use imaging::framing::Target;
use imaging::metadata::Metadata;
use imaging::motion::{self, Motion};
use imaging::{bare, flat, settled, shades, suit};
use task::{Fault, Inspection, Outcome, Product, Remark, Task, linked};

use super::{Module, Run, redraw};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Compress(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(run),
    verify: verify::compressed,
    fingerprint: |_, to| match to {
        Format::Jpeg => linked::MOZJPEG.to_owned(),
        Format::Webp => linked::WEBP.to_owned(),
        Format::Avif => linked::RAV1E.to_owned(),
        _ => linked::OXIPNG.to_owned(),
    },
};

/// Qualities that are tried when a scaled result is larger than its source.
const QUALITIES: [u8; 4] = [65, 50, 35, 20];

fn run(task: &Task, _: &Inspection) -> Outcome<Product> {
    let options = options(&task.operation)?;
    let (sides, upright) = imaging::upright_sides(open(task)?, task.from)?;
    let target = Target::of(sides, options, task.limits.image_side);
    encode::check_sides(task.to, target.sides)?;
    let untouched = target.is_same_size && task.from == task.to;
    if untouched && is_animated(task)? {
        return left(task, target);
    }
    if task.to == Format::Webp
        && let Layout::Moving(motion) = layout(task, 1)?
    {
        return moving(task, motion);
    }
    // Straight from the file: what the decoder would lose (palette, depth, frames) is kept. It forgives more, though.
    let rewritten = match untouched && upright && task.to == Format::Png {
        true => {
            let kept = task.operation.keeps_metadata();
            encode::smaller_png(&std::fs::read(&task.source)?, sides, kept)
        }
        false => None,
    };
    let (encoded, remarks) = match rewritten {
        Some(rewritten) => (rewritten, Vec::new()),
        None => encode_scaled(task, target, options)?,
    };
    if untouched && encoded.len() as u64 >= source_size(task)? {
        let mut product = left(task, target)?;
        let told = remarks.into_iter();
        let told = told.filter(|remark| *remark == Remark::DamageRepaired);
        product.remarks.extend(told);
        return Ok(product);
    }
    std::fs::write(task.output(), encoded)?;
    let mut product = unchanged(target);
    product.unchanged = false;
    product.remarks.extend(remarks);
    Ok(product)
}

/// Scales an animation, which keeps its frames.
fn moving(task: &Task, motion: Motion) -> Outcome<Product> {
    let mut product = redraw::all_frames(task, motion)?;
    let is_larger = std::fs::metadata(task.output())?.len() > source_size(task)?;
    let told = is_larger.then_some(Remark::LargerThanSource);
    product.remarks.extend(told);
    Ok(product)
}

/// The pixels of the source are left as they are. What it says beside goes where it can be taken out.
fn left(task: &Task, target: Target) -> Outcome<Product> {
    let mut product = unchanged(target);
    if task.operation.keeps_metadata() {
        return Ok(product);
    }
    let orientation = imaging::orientation(open(task)?, task.from)?;
    let source = std::fs::read(&task.source)?;
    if let Some(bare) = bare::bare(&source, task.from, orientation)
        && bare.len() < source.len()
    {
        std::fs::write(task.output(), bare)?;
        product.unchanged = false;
    }
    Ok(product)
}

fn unchanged(target: Target) -> Product {
    Product {
        pages: Some(1),
        sides: vec![target.sides],
        unchanged: true,
        remarks: Vec::from_iter(target.is_limited.then_some(Remark::LimitedByPlan)),
        ..Product::default()
    }
}

fn options(operation: &Operation) -> Outcome<&CompressOptions> {
    match operation {
        Operation::Compress(options) => Ok(options),
        _ => Err(Fault::Installation("not a compression".to_owned())),
    }
}

fn open(task: &Task) -> Outcome<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}

fn source_size(task: &Task) -> std::io::Result<u64> {
    Ok(std::fs::metadata(&task.source)?.len())
}

/// Encodes what was decoded and scaled. A scaled result that would be larger than its source gets less quality, or a PNG
/// fewer shades: the source has other sides than were asked for, so it cannot be the result. What is asked to have another
/// format, or is larger all the same, says so.
fn encode_scaled(
    task: &Task,
    target: Target,
    options: &CompressOptions,
) -> Outcome<(Vec<u8>, Vec<Remark>)> {
    let mut picture = imaging::decode(open(task)?, task.from)?;
    picture.pixels.apply_orientation(picture.orientation);
    let mut pixels = target.apply(picture.pixels)?;
    if !suit::holds_transparency(task.to) {
        pixels = flat::plain(pixels);
    }
    let (pixels, profile, remark) = suit::profiled(pixels, picture.profile, task.to);
    let mut remarks = Vec::from_iter(remark);
    remarks.extend(picture.is_damaged.then_some(Remark::DamageRepaired));
    if suit::loses_transparency(task.to, &pixels) {
        remarks.push(Remark::TransparencyRemoved);
    }
    if motion::motion(open(task)?, task.from)?.is_some() {
        remarks.push(Remark::AnimationDropped);
    }
    let metadata = match options.keep_metadata {
        Some(true) => Metadata::read(open(task)?, task.from)?,
        _ => Metadata::default(),
    };
    let (metadata, dropped) = settled(metadata, target.sides, task.to);
    remarks.extend(dropped);
    let attributes = Attributes {
        profile: profile.as_deref(),
        density: None,
        metadata: Some(&metadata),
    };
    let most = source_size(task)?;
    let larger = |encoded: &[u8]| encoded.len() as u64 > most;
    let told = |encoded: Vec<u8>, mut remarks: Vec<Remark>| {
        remarks.extend(larger(&encoded).then_some(Remark::LargerThanSource));
        Ok((encoded, remarks))
    };
    let lossy = |quality: u8, lossless: bool| match task.to {
        Format::Jpeg => encode::jpeg(&pixels, quality, attributes),
        Format::Avif => encode::avif(&pixels, quality),
        _ => encode::webp(&pixels, quality, lossless, attributes),
    };
    let outgrows = |encoded: &[u8]| task.from == task.to && !target.is_same_size && larger(encoded);
    if task.to == Format::Png {
        let lossless = |pixels| encode::png(pixels, Effort::Small, attributes);
        let encoded = lossless(pixels.clone())?;
        if outgrows(&encoded) && is_soon_done(target) {
            for count in shades::steps(&pixels) {
                let smaller = lossless(shades::reduced(&pixels, count))?;
                if !larger(&smaller) {
                    remarks.push(Remark::ShadesReduced(count));
                    return Ok((smaller, remarks));
                }
            }
        }
        return told(encoded, remarks);
    }
    let quality = options.quality.unwrap_or_default().value();
    let lossless = task.from == task.to && is_lossless(task)?;
    let encoded = lossy(quality, lossless)?;
    if outgrows(&encoded) {
        for quality in lower_qualities(quality, lossless) {
            let smaller = lossy(quality, false)?;
            if !larger(&smaller) {
                remarks.push(Remark::QualityLowered(quality));
                return Ok((smaller, remarks));
            }
        }
    }
    told(encoded, remarks)
}

/// Whether there is time to encode a PNG several times.
fn is_soon_done(target: Target) -> bool {
    const PIXELS: u64 = 8_000_000;
    u64::from(target.sides.0) * u64::from(target.sides.1) <= PIXELS
}

/// What is tried after a quality, or after no loss at all.
fn lower_qualities(asked: u8, lossless: bool) -> impl Iterator<Item = u8> {
    let same = lossless.then_some(asked);
    let lower = QUALITIES.into_iter().filter(move |lower| *lower < asked);
    same.into_iter().chain(lower)
}

/// Whether a WebP was made without loss.
fn is_lossless(task: &Task) -> Outcome<bool> {
    if task.from != Format::Webp {
        return Ok(false);
    }
    Ok(motion::webp(open(task)?)?.is_lossless)
}

/// Whether a WebP or AVIF is animated. (An animated PNG keeps its frames: they are rewritten as they are.)
fn is_animated(task: &Task) -> Outcome<bool> {
    Ok(task.from != Format::Png && motion::motion(open(task)?, task.from)?.is_some())
}
