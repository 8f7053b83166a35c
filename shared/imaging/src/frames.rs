//! How much of a source of several images a result holds.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::limits::{ANIMATED_PIXELS, FRAMES};
use domain::operation::{Operation, PageRanges};
use task::arrangement::named;
use task::{Outcome, Remark, Task};

use crate::motion::{Motion, motion};
use crate::tiff;

/// What a result holds.
pub enum Layout {
    /// One image, and what is told if there were more.
    Still(Option<Remark>),
    /// Every page.
    Pages(Vec<tiff::Directory>),
    /// Every frame.
    Moving(Motion),
}

/// The pages that are taken out, in the order in which they are named.
fn chosen(all: &[tiff::Directory], ranges: &PageRanges) -> Outcome<Vec<tiff::Directory>> {
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    let numbers = named(ranges, count)?.into_iter();
    let pages = numbers.filter_map(|number| all.get(number as usize - 1));
    Ok(pages.cloned().collect())
}

/// What the result of a source of so many pages holds.
pub fn layout(task: &Task, pages: u32) -> Outcome<Layout> {
    let open = || Ok::<_, task::Fault>(BufReader::new(File::open(&task.source)?));
    if let Operation::ExtractPages(options) = &task.operation {
        let all = tiff::pages(&mut open()?, pages as usize)?;
        return Ok(Layout::Pages(chosen(&all, &options.pages)?));
    }
    if task.from == Format::Tiff && pages > 1 {
        return Ok(match task.to {
            Format::Tiff => Layout::Pages(tiff::pages(&mut open()?, pages as usize)?),
            _ => Layout::Still(Some(Remark::PagesDropped(pages))),
        });
    }
    let Some(motion) = motion(open()?, task.from)? else {
        return Ok(Layout::Still(None));
    };
    let (width, height) = crate::sides(open()?, task.from)?;
    let pixels = u64::from(width) * u64::from(height) * u64::from(motion.frames);
    let moves = [task.from, task.to]
        .iter()
        .all(|format| matches!(format, Format::Gif | Format::Webp));
    // Pages are cleaned up, and pages do not move.
    let cleans = matches!(task.operation, Operation::Cleanup(_));
    Ok(
        match moves && !cleans && motion.frames <= FRAMES && pixels <= ANIMATED_PIXELS {
            true => Layout::Moving(motion),
            false => Layout::Still(Some(Remark::AnimationDropped)),
        },
    )
}
