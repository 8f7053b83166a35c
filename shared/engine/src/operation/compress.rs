//! Makes images smaller: JPEG, PNG and WebP, optionally scaled down or in another of these formats.
//!
//! JPEG by mozjpeg, PNG without loss by oxipng, WebP by libwebp (without loss if the source is). The image is turned
//! upright first; its colour profile stays, other metadata goes. An animation that would have to be decoded becomes its
//! first frame; it stays whole when format and size do.

mod encode;
mod scale;

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::operation::{CompressOptions, Operation};

use self::scale::Target;
use super::{Module, Run, limits};
use crate::fault::{Fault, Outcome};
use crate::installed::linked;
use crate::picture;
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Compress(_)) && operation.resolve(from).is_some()
    },
    limits: limits(110, 512),
    run: Run::Child(run),
    verify: verify::compressed,
    fingerprint: |_, to| match to {
        Format::Jpeg => linked::MOZJPEG.to_owned(),
        Format::Webp => linked::WEBP.to_owned(),
        _ => linked::OXIPNG.to_owned(),
    },
};

fn run(task: &Task, _: &Inspection) -> Outcome<Product> {
    let options = options(&task.operation)?;
    let (sides, upright) = picture::upright_sides(open(task)?, task.from)?;
    let target = Target::of(sides, options, task.limits.image_side);
    let untouched = target.is_same_size && task.from == task.to;
    if untouched && is_animated(task)? {
        return Ok(unchanged(target));
    }
    let encoded = match untouched && upright && task.to == Format::Png {
        // Straight from the file: what the decoder would lose (palette, depth, frames) is kept.
        true => encode::smaller_png(&std::fs::read(&task.source)?, sides)?,
        false => encode_scaled(task, target, options)?,
    };
    if untouched && encoded.len() as u64 >= std::fs::metadata(&task.source)?.len() {
        return Ok(unchanged(target));
    }
    std::fs::write(task.output(), encoded)?;
    Ok(Product {
        unchanged: false,
        ..unchanged(target)
    })
}

fn unchanged(target: Target) -> Product {
    Product {
        pages: Some(1),
        sides: vec![target.sides],
        unchanged: true,
        limited: target.is_limited,
        ..Product::default()
    }
}

fn options(operation: &Operation) -> Outcome<&CompressOptions> {
    match operation {
        Operation::Compress(options) => Ok(options),
        Operation::Convert(_) => Err(Fault::Installation("not a compression".to_owned())),
    }
}

fn open(task: &Task) -> Outcome<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}

fn encode_scaled(task: &Task, target: Target, options: &CompressOptions) -> Outcome<Vec<u8>> {
    let mut picture = picture::decode(open(task)?, task.from)?;
    picture.pixels.apply_orientation(picture.orientation);
    let pixels = target.apply(picture.pixels)?;
    let quality = options.quality.unwrap_or_default().value();
    let profile = picture.profile.as_deref();
    match task.to {
        Format::Jpeg => encode::jpeg(&pixels, quality, profile),
        Format::Webp => {
            let lossless = task.from == Format::Webp && is_lossless(task)?;
            encode::webp(&pixels, quality, lossless, profile)
        }
        _ => encode::png(pixels, profile),
    }
}

fn is_lossless(task: &Task) -> Outcome<bool> {
    let bytes = std::fs::read(&task.source)?;
    let features = webp::BitstreamFeatures::new(&bytes);
    Ok(matches!(
        features.and_then(|features| features.format()),
        Some(webp::BitstreamFormat::Lossless)
    ))
}

/// Whether a WebP is animated. (An animated PNG keeps its frames: they are rewritten as they are.)
fn is_animated(task: &Task) -> Outcome<bool> {
    if task.from != Format::Webp {
        return Ok(false);
    }
    let bytes = std::fs::read(&task.source)?;
    Ok(webp::BitstreamFeatures::new(&bytes).is_some_and(|features| features.has_animation()))
}
