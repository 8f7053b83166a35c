//! Checks an image by its header, before decoding.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::limits::{IMAGE_SIDE, PIXELS};
use imaging::heif::Container;
use imaging::{jpeg, svg, tiff};
use task::{Inspection, Task, TaskError, TaskResult, Warning, magic};

/// Checks a source that is declared as an image.
pub(super) fn check(task: &Task, found: magic::Container) -> TaskResult<Inspection> {
    match found {
        magic::Container::Image(format) if format == task.from => {}
        magic::Container::Unknown if task.from == Format::Svg => return svg(task),
        magic::Container::Unknown => return Err(TaskError::input_corrupt()),
        _ => return Err(TaskError::content_mismatch()),
    }
    if task.from == Format::Heic {
        return heif(task);
    }
    let pages = match task.from {
        Format::Tiff => tiff_pages(task)?,
        format => {
            let reader = BufReader::new(File::open(&task.source)?);
            within_limits(imaging::dimensions(reader, format)?, format)?;
            if format == Format::Jpeg {
                jpeg::check_end(BufReader::new(File::open(&task.source)?))?;
            }
            1
        }
    };
    if pages > task.limits.pages {
        return Err(TaskError::too_many_pages());
    }
    Ok(Inspection {
        pages: Some(pages),
        ..Inspection::default()
    })
}

/// Checks an SVG by parsing it as XML.
fn svg(task: &Task) -> TaskResult<Inspection> {
    let svg = svg::inspect(File::open(&task.source)?)?;
    within_limits(svg.sides, Format::Svg)?;
    let outside = svg
        .has_external_references
        .then_some(Warning::ExternalResourcesBlocked);
    let foreign = svg
        .has_foreign_content
        .then_some(Warning::ForeignObjectNotRendered);
    Ok(Inspection {
        pages: Some(1),
        warnings: [outside, foreign, svg.characters.warning()]
            .into_iter()
            .flatten()
            .collect(),
        ..Inspection::default()
    })
}

/// Checks all images of a HEIF container, because the decoder decodes all of them, although only the primary one is used.
fn heif(task: &Task) -> TaskResult<Inspection> {
    let container = Container::read(&mut File::open(&task.source)?)?;
    let images = container.independent_images();
    for image in &images {
        within_limits(container.coded_sides(*image)?, Format::Heic)?;
        within_limits(container.sides(*image)?, Format::Heic)?;
    }
    let count = u32::try_from(images.len()).unwrap_or(u32::MAX);
    if count > task.limits.pages {
        return Err(TaskError::too_many_pages());
    }
    let warning = (count > 1).then_some(Warning::PagesDropped(count));
    Ok(Inspection {
        pages: Some(1),
        warnings: Vec::from_iter(warning),
        ..Inspection::default()
    })
}

fn tiff_pages(task: &Task) -> TaskResult<u32> {
    let most = task.limits.pages as usize + 1;
    let pages = tiff::pages(&mut BufReader::new(File::open(&task.source)?), most)?;
    for page in &pages {
        let reader = tiff::Page::new(BufReader::new(File::open(&task.source)?), page.clone());
        within_limits(imaging::dimensions(reader, Format::Tiff)?, Format::Tiff)?;
    }
    Ok(u32::try_from(pages.len()).unwrap_or(u32::MAX))
}

fn within_limits((width, height): (u32, u32), format: Format) -> TaskResult<()> {
    // The decoder reports a WebP side of 16,384 pixels as 0; a real side of 0 is impossible.
    if format == Format::Webp && (width == 0 || height == 0) {
        return Err(TaskError::input_corrupt());
    }
    if width == 0 || height == 0 {
        return Err(TaskError::document(
            JobErrorCode::InputEmpty,
            "The image has no pixels.",
        ));
    }
    if width > IMAGE_SIDE
        || height > IMAGE_SIDE
        || u64::from(width) * u64::from(height) > u64::from(PIXELS)
    {
        return Err(TaskError::too_large(
            "The image has more than 100 megapixels or more than 20,000 pixels per side.",
        ));
    }
    Ok(())
}
