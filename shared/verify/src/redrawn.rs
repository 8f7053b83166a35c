//! Checks images that were made of images: they decode with another library than encoded them (GIF and TIFF with the same:
//! each has one only), have the sides that follow from the source, and show what the source shows there.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

use domain::format::Format;
use domain::operation::{CleanupOptions, Operation};
use imaging::bare::is_silent;
use imaging::frames::{Layout, layout};
use imaging::framing::framing;
use imaging::metadata::Metadata;
use imaging::motion::{self, Motion};
use imaging::{Upright, colour, flat, suit, tiff};
use task::{Fault, Outcome, Product, Task, Verified};

use super::blank::{is_blank, may_be_blank};
use super::decoded::shown;
use super::likeness::{Grid, Mesh, Transparency};
use super::scaled::Scaled;

/// Most a frame of a GIF is shown longer or shorter than asked, in milliseconds: it counts in hundredths of a second.
const ROUNDING: u64 = 5;

/// An image that was made of an image, all its pages or frames included.
pub fn redrawn(task: &Task, product: &Product) -> Outcome<Verified> {
    let (source, output) = (task.source.as_path(), task.output());
    let pages = pages(source, task.from)?;
    match layout(task, pages)? {
        Layout::Pages(directories) => {
            let found = tiff::pages(&mut open(&output)?, directories.len() + 1)?;
            if found.len() != directories.len() || found.len() != product.sides.len() {
                return Err(Fault::output_invalid("pages are missing"));
            }
            let sources = directories.into_iter().zip(found).zip(&product.sides);
            for ((from, to), sides) in sources {
                let from = || Ok(tiff::Page::new(open(source)?, from.clone()));
                let to = || Ok(tiff::Page::new(open(&output)?, to.clone()));
                check(task, from, to, *sides)?;
            }
            let pages = u32::try_from(product.sides.len()).unwrap_or(u32::MAX);
            Ok(Verified { pages })
        }
        layout => {
            let [sides] = product.sides.as_slice() else {
                return Err(Fault::output_invalid("it has no sides"));
            };
            check(task, || open(source), || open(&output), *sides)?;
            if let Layout::Moving(motion) = layout {
                check_frames(task, motion)?;
            }
            Ok(Verified { pages: 1 })
        }
    }
}

fn open(path: &Path) -> Outcome<BufReader<File>> {
    Ok(BufReader::new(File::open(path)?))
}

fn pages(source: &Path, format: Format) -> Outcome<u32> {
    const MOST: usize = 100_000;
    match format {
        Format::Tiff => {
            let pages = tiff::pages(&mut open(source)?, MOST)?.len();
            Ok(u32::try_from(pages).unwrap_or(u32::MAX))
        }
        _ => Ok(1),
    }
}

/// One image of the result against the image of the source that it was made of.
fn check<S: BufRead + Seek, R: BufRead + Seek>(
    task: &Task,
    source: impl Fn() -> Outcome<S>,
    result: impl Fn() -> Outcome<R>,
    sides: (u32, u32),
) -> Outcome<()> {
    let undecodable = |_| Fault::output_invalid("it cannot be decoded");
    if imaging::sides(result()?, task.to).map_err(undecodable)? != sides {
        return Err(Fault::output_invalid("it has other sides than expected"));
    }
    check_metadata(task, result()?)?;
    let cleanup = match &task.operation {
        Operation::Cleanup(options) => Some(options),
        _ => None,
    };
    let cleans = cleanup.is_some();
    let mut image = Upright::read(&source, task.from)?;
    let upright = (image.pixels.width(), image.pixels.height());
    let framing = framing(task, upright)?;
    if !cleans && framing.result() != sides {
        return Err(Fault::output_invalid("it has other sides than asked for"));
    }
    if framing.canvas.is_some() {
        image = image.in_srgb();
    }
    let profile = image.profile.take();
    let profile = match profile {
        Some(profile) if !suit::holds_profile(task.to, &image.pixels) => {
            if let Some(converted) = colour::to_srgb(&image.pixels, &profile) {
                image.pixels = converted;
            }
            None
        }
        profile => profile,
    };
    let mesh = Mesh {
        sides: Grid::sides(&framing),
        transparency: match task.to {
            _ if cleans => Transparency::OnWhite,
            Format::Gif => Transparency::Halved,
            to if suit::holds_transparency(to) => Transparency::Kept,
            _ => Transparency::OnWhite,
        },
    };
    let look = match cleanup {
        Some(options) => Look::Clean(options),
        None => match Scaled::of(&image.pixels, &framing, (mesh.sides, mesh.transparency)) {
            Some(scaled) => Look::Pixels(scaled),
            None => Look::Means(Grid::of(&image.pixels, &framing, mesh)),
        },
    };
    drop(image);
    let found = shown(result, task.to).map_err(undecodable)?;
    // That a profile is the usual one, PNG says without it.
    if found.profile != profile && !(task.to == Format::Png && found.profile.is_none()) {
        return Err(Fault::output_invalid("it has another colour profile"));
    }
    let pixels = flat::plain(found.pixels);
    let is_right = match look {
        Look::Pixels(scaled) => scaled.is_like(&pixels, framing.corner()),
        Look::Clean(options) if is_blank(&pixels) => {
            let source = Upright::read(&source, task.from)?.pixels;
            may_be_blank(source, &pixels, options)
        }
        Look::Clean(_) => true,
        Look::Means(expected) => {
            let mesh = mesh.turned(framing.turn);
            let expected = framing
                .turn
                .map_or(expected.clone(), |angle| expected.turned(angle));
            expected.is_like(&Grid::of(&pixels, &framing.of_result(), mesh))
        }
    };
    match (is_right, cleans) {
        (true, _) => Ok(()),
        (false, true) => Err(Fault::output_invalid("it is empty")),
        (false, false) => Err(Fault::output_invalid("it shows something else")),
    }
}

/// What a result has to look like.
enum Look<'a> {
    /// Like the source, but cleaned: not empty.
    Clean(&'a CleanupOptions),
    /// One pixel after the other.
    Pixels(Scaled),
    /// By the mean light of cells, before it is turned.
    Means(Grid),
}

/// What a source says beside its pixels is in a result only if that was asked for.
pub(super) fn check_metadata(task: &Task, result: impl BufRead + Seek) -> Outcome<()> {
    let tells = matches!(task.to, Format::Jpeg | Format::Png | Format::Webp);
    if task.operation.keeps_metadata() || !tells {
        return Ok(());
    }
    match is_silent(&Metadata::read(result, task.to)?) {
        true => Ok(()),
        false => Err(Fault::output_invalid("it says more than its pixels")),
    }
}

/// There are as many frames as in the source, and they take as long.
pub(super) fn check_frames(task: &Task, expected: Motion) -> Outcome<()> {
    let length = |path: &Path, format: Format| -> Outcome<(u64, u64)> {
        let frames = motion::frames(open(path)?, format)?;
        frames
            .into_iter()
            .try_fold((0, 0), |(count, length), frame| {
                Ok((count + 1, length + u64::from(frame?.milliseconds)))
            })
    };
    let found = motion::motion(open(&task.output())?, task.to)?;
    let (count, expected_length) = length(&task.source, task.from)?;
    let (found_count, found_length) = length(&task.output(), task.to)?;
    let is_whole = found.is_some_and(|found| found.loops == expected.loops)
        && count == found_count
        && expected_length.abs_diff(found_length) <= count * ROUNDING;
    match is_whole {
        true => Ok(()),
        false => Err(Fault::output_invalid("frames are missing")),
    }
}
