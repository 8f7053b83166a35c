//! Operation `compress`: makes JPEG, PNG, WebP and AVIF images smaller, optionally scaled down or in another of these
//! formats.
//!
//! Encoders: mozjpeg; oxipng (lossless); libwebp (lossless if the source is); rav1e. The image is rotated upright first.
//! Its color profile is kept or converted to sRGB; other metadata is removed unless `keepMetadata` is set. An animation
//! keeps its frames if it keeps its format: unchanged, or each frame scaled. Otherwise only its first frame is kept, with a
//! warning.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::operation::{CompressOptions, Operation};
use imaging::animation::{self, AnimationInfo};
use imaging::encode::{self, Attributes, Effort};
use imaging::frames::{FrameSelection, select_frames};
use imaging::geometry::TargetSize;
use imaging::metadata::Metadata;
use imaging::{adapt, fit_metadata, posterize, strip_metadata, transparency};
use task::{Inspection, Product, Task, TaskError, TaskResult, Warning, engine_versions};

use super::{Module, Run, reencode};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Compress(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(run),
    verify: verify::compressed,
    fingerprint: |_, to| match to {
        Format::Jpeg => engine_versions::MOZJPEG.to_owned(),
        Format::Webp => engine_versions::WEBP.to_owned(),
        Format::Avif => engine_versions::RAV1E.to_owned(),
        _ => engine_versions::OXIPNG.to_owned(),
    },
};

/// Qualities to try when a scaled result is larger than its source.
const QUALITIES: [u8; 4] = [65, 50, 35, 20];

fn run(task: &Task, _: &Inspection) -> TaskResult<Product> {
    let options = options(&task.operation)?;
    let (sides, upright) = imaging::upright_dimensions(open(task)?, task.from)?;
    let target = TargetSize::of(sides, options, task.limits.image_side);
    encode::check_dimensions(task.to, target.sides)?;
    let untouched = target.is_same_size && task.from == task.to;
    if untouched && is_animated(task)? {
        return keep_pixels(task, target);
    }
    if task.to == Format::Webp
        && let FrameSelection::Animated(info) = select_frames(task, 1)?
    {
        return scale_animation(task, info);
    }
    // Recompresses the file itself, which keeps what decoding loses (palette, depth, frames). The decoder tolerates more
    // damage, so it is the fallback.
    let rewritten = match untouched && upright && task.to == Format::Png {
        true => {
            let kept = task.operation.keeps_metadata();
            encode::recompress_png(&std::fs::read(&task.source)?, sides, kept)
        }
        false => None,
    };
    let (encoded, warnings) = match rewritten {
        Some(rewritten) => (rewritten, Vec::new()),
        None => encode_scaled(task, target, options)?,
    };
    if untouched && encoded.len() as u64 >= source_size(task)? {
        let mut product = keep_pixels(task, target)?;
        let repaired = warnings.into_iter();
        let repaired = repaired.filter(|warning| *warning == Warning::DamageRepaired);
        product.warnings.extend(repaired);
        return Ok(product);
    }
    std::fs::write(task.output(), encoded)?;
    let mut product = unchanged(target);
    product.unchanged = false;
    product.warnings.extend(warnings);
    Ok(product)
}

/// Scales all frames of an animation.
fn scale_animation(task: &Task, info: AnimationInfo) -> TaskResult<Product> {
    let mut product = reencode::all_frames(task, info)?;
    let is_larger = std::fs::metadata(task.output())?.len() > source_size(task)?;
    let warning = is_larger.then_some(Warning::LargerThanSource);
    product.warnings.extend(warning);
    Ok(product)
}

/// Keeps the source's pixels; removes its metadata where that is possible without re-encoding.
fn keep_pixels(task: &Task, target: TargetSize) -> TaskResult<Product> {
    let mut product = unchanged(target);
    if task.operation.keeps_metadata() {
        return Ok(product);
    }
    let orientation = imaging::orientation(open(task)?, task.from)?;
    let source = std::fs::read(&task.source)?;
    if let Some(stripped) = strip_metadata::strip_metadata(&source, task.from, orientation)
        && stripped.len() < source.len()
    {
        std::fs::write(task.output(), stripped)?;
        product.unchanged = false;
    }
    Ok(product)
}

fn unchanged(target: TargetSize) -> Product {
    Product {
        pages: Some(1),
        sides: vec![target.sides],
        unchanged: true,
        warnings: Vec::from_iter(target.is_limited.then_some(Warning::LimitedByPlan)),
        ..Product::default()
    }
}

fn options(operation: &Operation) -> TaskResult<&CompressOptions> {
    match operation {
        Operation::Compress(options) => Ok(options),
        _ => Err(TaskError::Installation(
            "the operation is not a compression".to_owned(),
        )),
    }
}

fn open(task: &Task) -> TaskResult<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}

fn source_size(task: &Task) -> std::io::Result<u64> {
    Ok(std::fs::metadata(&task.source)?.len())
}

/// Decodes, scales and encodes the source. If a scaled result is larger than its source, it is encoded again with lower
/// quality, or as PNG with fewer shades; returning the source is not possible because its size differs from the requested
/// size. A result in another format, or one that is still larger, gets a warning.
fn encode_scaled(
    task: &Task,
    target: TargetSize,
    options: &CompressOptions,
) -> TaskResult<(Vec<u8>, Vec<Warning>)> {
    let mut picture = imaging::decode(open(task)?, task.from)?;
    picture.pixels.apply_orientation(picture.orientation);
    let mut pixels = target.apply(picture.pixels)?;
    if !adapt::supports_transparency(task.to) {
        pixels = transparency::normalize(pixels);
    }
    let (pixels, profile, warning) = adapt::adapt_profile(pixels, picture.profile, task.to);
    let mut warnings = Vec::from_iter(warning);
    warnings.extend(picture.is_damaged.then_some(Warning::DamageRepaired));
    if adapt::loses_transparency(task.to, &pixels) {
        warnings.push(Warning::TransparencyRemoved);
    }
    if animation::animation_info(open(task)?, task.from)?.is_some() {
        warnings.push(Warning::AnimationDropped);
    }
    let metadata = match options.keep_metadata {
        Some(true) => Metadata::read(open(task)?, task.from)?,
        _ => Metadata::default(),
    };
    let (metadata, dropped) = fit_metadata(metadata, target.sides, task.to);
    warnings.extend(dropped);
    let attributes = Attributes {
        profile: profile.as_deref(),
        density: None,
        metadata: Some(&metadata),
    };
    let most = source_size(task)?;
    let larger = |encoded: &[u8]| encoded.len() as u64 > most;
    let with_size_warning = |encoded: Vec<u8>, mut warnings: Vec<Warning>| {
        warnings.extend(larger(&encoded).then_some(Warning::LargerThanSource));
        Ok((encoded, warnings))
    };
    let lossy = |quality: u8, lossless: bool| match task.to {
        Format::Jpeg => encode::jpeg(&pixels, quality, attributes),
        Format::Avif => encode::avif(&pixels, quality),
        _ => encode::webp(&pixels, quality, lossless, attributes),
    };
    let grows_when_scaled =
        |encoded: &[u8]| task.from == task.to && !target.is_same_size && larger(encoded);
    if task.to == Format::Png {
        let lossless = |pixels| encode::png(pixels, Effort::Small, attributes);
        let encoded = lossless(pixels.clone())?;
        if grows_when_scaled(&encoded) && allows_several_attempts(target) {
            for count in posterize::levels_to_try(&pixels) {
                let smaller = lossless(posterize::posterize(&pixels, count))?;
                if !larger(&smaller) {
                    warnings.push(Warning::ShadesReduced(count));
                    return Ok((smaller, warnings));
                }
            }
        }
        return with_size_warning(encoded, warnings);
    }
    let quality = options.quality.unwrap_or_default().value();
    let lossless = task.from == task.to && is_lossless(task)?;
    let encoded = lossy(quality, lossless)?;
    if grows_when_scaled(&encoded) {
        for quality in lower_qualities(quality, lossless) {
            let smaller = lossy(quality, false)?;
            if !larger(&smaller) {
                warnings.push(Warning::QualityLowered(quality));
                return Ok((smaller, warnings));
            }
        }
    }
    with_size_warning(encoded, warnings)
}

/// Whether the image is small enough to encode a PNG several times.
fn allows_several_attempts(target: TargetSize) -> bool {
    const PIXELS: u64 = 8_000_000;
    u64::from(target.sides.0) * u64::from(target.sides.1) <= PIXELS
}

/// The qualities to try after `quality`, or after a lossless attempt.
fn lower_qualities(quality: u8, lossless: bool) -> impl Iterator<Item = u8> {
    let same = lossless.then_some(quality);
    let lower = QUALITIES.into_iter().filter(move |lower| *lower < quality);
    same.into_iter().chain(lower)
}

/// Whether the source is a lossless WebP.
fn is_lossless(task: &Task) -> TaskResult<bool> {
    if task.from != Format::Webp {
        return Ok(false);
    }
    Ok(animation::webp(open(task)?)?.is_lossless)
}

/// Whether a WebP or AVIF is animated. (An animated PNG is recompressed with all its frames.)
fn is_animated(task: &Task) -> TaskResult<bool> {
    Ok(task.from != Format::Png && animation::animation_info(open(task)?, task.from)?.is_some())
}
