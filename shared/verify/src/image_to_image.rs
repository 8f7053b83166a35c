//! Checks images made from images: they decode with a different library than encoded them (GIF and TIFF with the same, the only
//! one), have the planned dimensions, and are similar to the source.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

use domain::format::Format;
use domain::operation::{CleanupOptions, Operation};
use imaging::animation::{self, AnimationInfo};
use imaging::frames::{FrameSelection, select_frames};
use imaging::geometry::geometry;
use imaging::metadata::Metadata;
use imaging::strip_metadata::has_only_orientation;
use imaging::{UprightImage, adapt, color, tiff, transparency};
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::blank::{is_blank, may_be_blank};
use super::decoded::decode_upright;
use super::resampled::ExpectedSamples;
use super::similarity::{Grid, GridSpec, Transparency};

/// Maximum deviation of the display time of a GIF frame in milliseconds, as GIF counts in units of 10 ms.
const ROUNDING: u64 = 5;

/// Checks an image made from an image, with all pages or frames.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn image_to_image(task: &Task, product: &Product) -> TaskResult<Verified> {
    let (source, output) = (task.source.as_path(), task.output());
    let pages = pages(source, task.from)?;
    match select_frames(task, pages)? {
        FrameSelection::Pages(directories) => {
            let found = tiff::pages(&mut open(&output)?, directories.len() + 1)?;
            if found.len() != directories.len() || found.len() != product.sides.len() {
                return Err(TaskError::output_invalid("pages are missing"));
            }
            let sources = directories.into_iter().zip(found).zip(&product.sides);
            for ((from, to), sides) in sources {
                let from = || Ok(tiff::Page::new(open(source)?, from.clone()));
                let to = || Ok(tiff::Page::new(open(&output)?, to.clone()));
                check(task, from, to, *sides)?;
            }
            let pages = u32::try_from(product.sides.len()).unwrap_or(u32::MAX);
            Ok(Verified::complete(pages))
        }
        selection => {
            let [sides] = product.sides.as_slice() else {
                return Err(TaskError::output_invalid(
                    "its dimensions were not reported",
                ));
            };
            check(task, || open(source), || open(&output), *sides)?;
            if let FrameSelection::Animated(animation) = selection {
                check_frames(task, animation)?;
            }
            Ok(Verified::complete(1))
        }
    }
}

fn open(path: &Path) -> TaskResult<BufReader<File>> {
    Ok(BufReader::new(File::open(path)?))
}

fn pages(source: &Path, format: Format) -> TaskResult<u32> {
    const MOST: usize = 100_000;
    match format {
        Format::Tiff => {
            let pages = tiff::pages(&mut open(source)?, MOST)?.len();
            Ok(u32::try_from(pages).unwrap_or(u32::MAX))
        }
        _ => Ok(1),
    }
}

/// Checks one image of the result against its source image.
fn check<S: BufRead + Seek, R: BufRead + Seek>(
    task: &Task,
    source: impl Fn() -> TaskResult<S>,
    result: impl Fn() -> TaskResult<R>,
    sides: (u32, u32),
) -> TaskResult<()> {
    let undecodable = |_| TaskError::output_invalid("it cannot be decoded");
    if imaging::dimensions(result()?, task.to).map_err(undecodable)? != sides {
        return Err(TaskError::output_invalid("it has unexpected dimensions"));
    }
    check_metadata(task, result()?)?;
    let cleanup = match &task.operation {
        Operation::Cleanup(options) => Some(options),
        _ => None,
    };
    let is_cleanup = cleanup.is_some();
    let mut image = UprightImage::read(&source, task.from)?;
    let upright = (image.pixels.width(), image.pixels.height());
    let geometry = geometry(task, upright)?;
    if !is_cleanup && geometry.result_dimensions() != sides {
        return Err(TaskError::output_invalid(
            "it does not have the requested dimensions",
        ));
    }
    if geometry.canvas.is_some() {
        image = image.in_srgb();
    }
    let profile = image.profile.take();
    let profile = match profile {
        Some(profile) if !adapt::supports_profile(task.to, &image.pixels) => {
            if let Some(converted) = color::to_srgb(&image.pixels, &profile) {
                image.pixels = converted;
            }
            None
        }
        profile => profile,
    };
    // It is about colors, of which a binarized image has none.
    let is_binarized = cleanup.is_some_and(|options| options.binarize == Some(true));
    let profile = profile.filter(|_| !is_binarized);
    let spec = GridSpec {
        sides: Grid::sides(&geometry),
        transparency: match task.to {
            _ if is_cleanup => Transparency::OnWhite,
            Format::Gif => Transparency::Threshold,
            to if adapt::supports_transparency(to) => Transparency::Keep,
            _ => Transparency::OnWhite,
        },
    };
    let expectation = match cleanup {
        Some(options) => Expectation::Cleaned(options),
        None => {
            match ExpectedSamples::of(&image.pixels, &geometry, (spec.sides, spec.transparency)) {
                Some(scaled) => Expectation::Samples(scaled),
                None => Expectation::Means(Grid::of(&image.pixels, &geometry, spec)),
            }
        }
    };
    drop(image);
    let found = decode_upright(result, task.to).map_err(undecodable)?;
    // PNG may express an sRGB profile without an ICC profile.
    if found.profile != profile && !(task.to == Format::Png && found.profile.is_none()) {
        return Err(TaskError::output_invalid("its color profile differs"));
    }
    let pixels = transparency::normalize(found.pixels);
    let is_right = match expectation {
        Expectation::Samples(scaled) => scaled.is_similar(&pixels, geometry.image_offset()),
        Expectation::Cleaned(options) if is_blank(&pixels) => {
            let source = UprightImage::read(&source, task.from)?.pixels;
            may_be_blank(source, &pixels, options)
        }
        Expectation::Cleaned(_) => true,
        Expectation::Means(expected) => {
            let spec = spec.rotated(geometry.rotation);
            let expected = geometry
                .rotation
                .map_or(expected.clone(), |angle| expected.rotated(angle));
            expected.is_similar(&Grid::of(&pixels, &geometry.image_within_result(), spec))
        }
    };
    match (is_right, is_cleanup) {
        (true, _) => Ok(()),
        (false, true) => Err(TaskError::output_invalid("it is empty")),
        (false, false) => Err(TaskError::output_invalid("it differs from the source")),
    }
}

/// The expected content of a result.
enum Expectation<'a> {
    /// The cleaned source: must not be blank.
    Cleaned(&'a CleanupOptions),
    /// Expected pixels, for resampled images.
    Samples(ExpectedSamples),
    /// Mean colors of cells before rotation.
    Means(Grid),
}

/// Checks that the result has metadata only if requested.
pub(super) fn check_metadata(task: &Task, result: impl BufRead + Seek) -> TaskResult<()> {
    let has_metadata = matches!(task.to, Format::Jpeg | Format::Png | Format::Webp);
    if task.operation.keeps_metadata() || !has_metadata {
        return Ok(());
    }
    match has_only_orientation(&Metadata::read(result, task.to)?) {
        true => Ok(()),
        false => Err(TaskError::output_invalid(
            "it has metadata that was not requested",
        )),
    }
}

/// Checks that there are as many frames as in the source, with the same total display time.
pub(super) fn check_frames(task: &Task, expected: AnimationInfo) -> TaskResult<()> {
    let length = |path: &Path, format: Format| -> TaskResult<(u64, u64)> {
        let frames = animation::frames(open(path)?, format)?;
        frames
            .into_iter()
            .try_fold((0, 0), |(count, length), frame| {
                Ok((count + 1, length + u64::from(frame?.milliseconds)))
            })
    };
    let found = animation::animation_info(open(&task.output())?, task.to)?;
    let (count, expected_length) = length(&task.source, task.from)?;
    let (found_count, found_length) = length(&task.output(), task.to)?;
    let is_complete = found.is_some_and(|found| found.loops == expected.loops)
        && count == found_count
        && expected_length.abs_diff(found_length) <= count * ROUNDING;
    match is_complete {
        true => Ok(()),
        false => Err(TaskError::output_invalid("frames are missing")),
    }
}
