//! Adds a watermark or page numbers. Each page gets an overlay page of its displayed size, drawn on top as a form XObject; the
//! existing content stays unchanged.

mod apply;
mod mark;
mod overlay_pages;
mod page;
mod stamp;

use domain::operation::{Operation, PageNumbersOptions, WatermarkOptions};
use lopdf::Document;
use task::page_selection::selected_pages;
use task::{Inspection, Product, Task, TaskError, TaskResult};

use self::mark::Mark;
use self::overlay_pages::OverlayPages;
use self::page::DisplayedPage;
use self::stamp::Stamp;
use crate::patch;
use crate::text_drawing::Line;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let (plain, overlay) = (task.directory.join("plain"), task.directory.join("overlay"));
    patch::write_normalized(&task.readable(), &plain)?;
    let source = patch::skeleton(&plain)?;
    let (pages, mut document) = match &task.operation {
        Operation::Watermark(options) => watermark(task, &source, options)?,
        Operation::PageNumbers(options) => page_numbers(&source, options)?,
        _ => {
            return Err(TaskError::Installation(
                "operation is not an overlay".to_owned(),
            ));
        }
    };
    document.save(&overlay)?;
    apply::draw_over(task, (&plain, &overlay), &pages)?;
    Ok(Product {
        pages: inspection.pages,
        ..Product::default()
    })
}

/// The pages to mark, and a document with one overlay page for each.
type Overlay = (Vec<u32>, Document);

fn watermark(task: &Task, source: &Document, options: &WatermarkOptions) -> TaskResult<Overlay> {
    /// Default opacity of a watermark, in percent.
    const DEFAULT_OPACITY: u8 = 30;
    let all = DisplayedPage::all(source);
    let pages = selected_pages(options.pages.as_ref(), count(&all))?;
    let opacity = f32::from(
        options
            .opacity
            .map_or(DEFAULT_OPACITY, |percent| percent.value()),
    ) / 100.0;
    let mut overlay_pages = OverlayPages::new(match options.text {
        Some(_) => Document::with_version("1.7"),
        None => stamp::document(task)?,
    });
    let subject = subject(task, options, &mut overlay_pages)?;
    for page in select_pages(&all, &pages)? {
        let mark = match &subject {
            Subject::Text(line) => Mark::diagonal(line, page),
            Subject::Stamp(stamp) => Mark::stamped(stamp, page),
        };
        overlay_pages.add(page, &mark, opacity);
    }
    Ok((pages, overlay_pages.finish()?))
}

/// The content of a watermark.
enum Subject {
    Text(Line),
    Stamp(Stamp),
}

fn subject(
    task: &Task,
    options: &WatermarkOptions,
    overlay_pages: &mut OverlayPages,
) -> TaskResult<Subject> {
    if let Some(text) = &options.text {
        return Ok(Subject::Text(overlay_pages.line(text.as_str())?));
    }
    let stamp = stamp::form(overlay_pages.document_mut(), stamp::is_picture(task))?;
    overlay_pages.use_stamp(stamp.form);
    Ok(Subject::Stamp(stamp))
}

fn page_numbers(source: &Document, options: &PageNumbersOptions) -> TaskResult<Overlay> {
    let all = DisplayedPage::all(source);
    let pages = selected_pages(options.pages.as_ref(), count(&all))?;
    let first = options.start.map_or(1, |start| start.value());
    let position = options.position.unwrap_or_default();
    let mut overlay_pages = OverlayPages::new(Document::with_version("1.7"));
    for (number, page) in (first..).zip(select_pages(&all, &pages)?) {
        let line = overlay_pages.line(&number.to_string())?;
        let mark = Mark::page_number(&line, page, position);
        overlay_pages.add(page, &mark, 1.0);
    }
    Ok((pages, overlay_pages.finish()?))
}

fn count(pages: &[DisplayedPage]) -> u32 {
    u32::try_from(pages.len()).unwrap_or(u32::MAX)
}

fn select_pages<'a>(all: &'a [DisplayedPage], pages: &[u32]) -> TaskResult<Vec<&'a DisplayedPage>> {
    let missing = || TaskError::Installation("a page is missing".to_owned());
    let pages = pages
        .iter()
        .map(|page| all.get(*page as usize - 1).ok_or_else(missing));
    pages.collect()
}
