//! Checks an image by its header, before anything is decoded.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::limits::{IMAGE_SIDE, PIXELS};
use imaging::heif::Container;
use imaging::{jpeg, svg, tiff};
use task::{Fault, Inspection, Outcome, Remark, Task, magic};

/// Checks a source that claims to be an image.
pub(super) fn check(task: &Task, found: magic::Container) -> Outcome<Inspection> {
    match found {
        magic::Container::Image(format) if format == task.from => {}
        magic::Container::Unknown if task.from == Format::Svg => return drawing(task),
        magic::Container::Unknown => return Err(Fault::corrupt()),
        _ => return Err(Fault::mismatch()),
    }
    if task.from == Format::Heic {
        return container(task);
    }
    let pages = match task.from {
        Format::Tiff => tiff_pages(task)?,
        format => {
            let reader = BufReader::new(File::open(&task.source)?);
            within_limits(imaging::sides(reader, format)?, format)?;
            if format == Format::Jpeg {
                jpeg::check_end(BufReader::new(File::open(&task.source)?))?;
            }
            1
        }
    };
    if pages > task.limits.pages {
        return Err(Fault::too_many_pages());
    }
    Ok(Inspection {
        pages: Some(pages),
        ..Inspection::default()
    })
}

/// What an SVG is shows when it is read: it is a text.
fn drawing(task: &Task) -> Outcome<Inspection> {
    let facts = svg::facts(File::open(&task.source)?)?;
    within_limits(facts.sides, Format::Svg)?;
    let outside = facts.asks_outside.then_some(Remark::ExternalLinkBlocked);
    let foreign = facts.holds_foreign.then_some(Remark::ForeignNotDrawn);
    Ok(Inspection {
        pages: Some(1),
        remarks: outside.into_iter().chain(foreign).collect(),
        ..Inspection::default()
    })
}

/// Every image of the file is decoded by the program, though the shown one is taken.
fn container(task: &Task) -> Outcome<Inspection> {
    let container = Container::read(&mut File::open(&task.source)?)?;
    let images = container.images();
    for image in &images {
        within_limits(container.sides(*image)?, Format::Heic)?;
    }
    let count = u32::try_from(images.len()).unwrap_or(u32::MAX);
    if count > task.limits.pages {
        return Err(Fault::too_many_pages());
    }
    let remark = (count > 1).then_some(Remark::PagesDropped(count));
    Ok(Inspection {
        pages: Some(1),
        remarks: Vec::from_iter(remark),
        ..Inspection::default()
    })
}

fn tiff_pages(task: &Task) -> Outcome<u32> {
    let most = task.limits.pages as usize + 1;
    let pages = tiff::pages(&mut BufReader::new(File::open(&task.source)?), most)?;
    for page in &pages {
        let reader = tiff::Page::new(BufReader::new(File::open(&task.source)?), page.clone());
        within_limits(imaging::sides(reader, Format::Tiff)?, Format::Tiff)?;
    }
    Ok(u32::try_from(pages.len()).unwrap_or(u32::MAX))
}

fn within_limits((width, height): (u32, u32), format: Format) -> Outcome<()> {
    // A side of 16,384 pixels, which the decoder takes for none; no other WebP has none.
    if format == Format::Webp && (width == 0 || height == 0) {
        return Err(Fault::corrupt());
    }
    if width == 0 || height == 0 {
        return Err(Fault::document(
            JobErrorCode::InputEmpty,
            "The image has no pixels.",
        ));
    }
    if width > IMAGE_SIDE
        || height > IMAGE_SIDE
        || u64::from(width) * u64::from(height) > u64::from(PIXELS)
    {
        return Err(Fault::too_large(
            "The image has more than 100 megapixels or 20,000 pixels a side.",
        ));
    }
    Ok(())
}
