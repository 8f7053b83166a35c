//! Selects the pages or frames of a source that the result contains.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::limits::{ANIMATED_PIXELS, FRAMES};
use domain::operation::{Operation, PageRanges};
use task::page_selection::resolve_ranges;
use task::{Task, TaskResult, Warning};

use crate::animation::{AnimationInfo, animation_info};
use crate::tiff;

/// The pages or frames of the source that the result contains.
pub enum FrameSelection {
    /// One image, with a warning if the source has more.
    Still(Option<Warning>),
    /// These TIFF pages.
    Pages(Vec<tiff::Directory>),
    /// All frames of an animation.
    Animated(AnimationInfo),
}

/// Returns the requested pages in the order of the request.
fn requested_pages(
    all: &[tiff::Directory],
    ranges: &PageRanges,
) -> TaskResult<Vec<tiff::Directory>> {
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    let numbers = resolve_ranges(ranges, count)?.into_iter();
    let pages = numbers.filter_map(|number| all.get(number as usize - 1));
    Ok(pages.cloned().collect())
}

/// Selects the pages or frames for a task whose source has `pages` pages.
///
/// # Errors
/// [`TaskError::Document`] if the source cannot be parsed, or a requested page does not exist.
pub fn select_frames(task: &Task, pages: u32) -> TaskResult<FrameSelection> {
    let open = || Ok::<_, task::TaskError>(BufReader::new(File::open(&task.source)?));
    if let Operation::ExtractPages(options) = &task.operation {
        let all = tiff::pages(&mut open()?, pages as usize)?;
        return Ok(FrameSelection::Pages(requested_pages(
            &all,
            &options.pages,
        )?));
    }
    if task.from == Format::Tiff && pages > 1 {
        return Ok(match task.to {
            Format::Tiff => FrameSelection::Pages(tiff::pages(&mut open()?, pages as usize)?),
            _ => FrameSelection::Still(Some(Warning::PagesDropped(pages))),
        });
    }
    let Some(animation) = animation_info(open()?, task.from)? else {
        return Ok(FrameSelection::Still(None));
    };
    let (width, height) = crate::dimensions(open()?, task.from)?;
    let pixels = u64::from(width) * u64::from(height) * u64::from(animation.frames);
    let keeps_animation = [task.from, task.to]
        .iter()
        .all(|format| matches!(format, Format::Gif | Format::Webp));
    // Cleanup applies to scanned pages, which are never animated.
    let cleans = matches!(task.operation, Operation::Cleanup(_));
    Ok(
        match keeps_animation && !cleans && animation.frames <= FRAMES && pixels <= ANIMATED_PIXELS
        {
            true => FrameSelection::Animated(animation),
            false => FrameSelection::Still(Some(Warning::AnimationDropped)),
        },
    )
}
