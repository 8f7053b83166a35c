//! Lays a watermark or page numbers over the pages of a PDF. Every page gets a page of its own, as large as it is shown,
//! that is drawn after it as a form: what was there stays untouched.

mod lay;
mod mark;
mod sheet;
mod sheets;
mod stamp;

use domain::operation::{Operation, PageNumbersOptions, WatermarkOptions};
use lopdf::Document;
use task::arrangement::selected;
use task::{Fault, Inspection, Outcome, Product, Task};

use self::mark::Mark;
use self::sheet::Sheet;
use self::sheets::Sheets;
use self::stamp::Stamp;
use crate::lettering::Line;
use crate::patch;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let (plain, overlay) = (task.directory.join("plain"), task.directory.join("overlay"));
    patch::plain(&task.readable(), &plain)?;
    let source = patch::skeleton(&plain)?;
    let (pages, mut document) = match &task.operation {
        Operation::Watermark(options) => watermark(task, &source, options)?,
        Operation::PageNumbers(options) => page_numbers(&source, options)?,
        _ => return Err(Fault::Installation("not an overlay".to_owned())),
    };
    document.save(&overlay)?;
    lay::over(task, (&plain, &overlay), &pages)?;
    Ok(Product {
        pages: inspection.pages,
        ..Product::default()
    })
}

/// The pages that get a mark, and the overlay with a page for each of them.
type Overlay = (Vec<u32>, Document);

fn watermark(task: &Task, source: &Document, options: &WatermarkOptions) -> Outcome<Overlay> {
    /// How much a watermark covers when nothing is said, in percent.
    const COVERS: u8 = 30;
    let all = Sheet::all(source);
    let pages = selected(options.pages.as_ref(), count(&all))?;
    let opacity = f32::from(options.opacity.map_or(COVERS, |percent| percent.value())) / 100.0;
    let mut sheets = Sheets::new(match options.text {
        Some(_) => Document::with_version("1.7"),
        None => stamp::document(task)?,
    });
    let subject = subject(task, options, &mut sheets)?;
    for sheet in chosen(&all, &pages)? {
        let mark = match &subject {
            Subject::Text(line) => Mark::across(line, sheet),
            Subject::Stamp(stamp) => Mark::stamped(stamp, sheet),
        };
        sheets.add(sheet, &mark, opacity);
    }
    Ok((pages, sheets.finish()?))
}

/// What a watermark shows.
enum Subject {
    Text(Line),
    Stamp(Stamp),
}

fn subject(task: &Task, options: &WatermarkOptions, sheets: &mut Sheets) -> Outcome<Subject> {
    if let Some(text) = &options.text {
        return Ok(Subject::Text(sheets.line(text.as_str())?));
    }
    let stamp = stamp::form(sheets.document_mut(), stamp::is_picture(task))?;
    sheets.use_stamp(stamp.form);
    Ok(Subject::Stamp(stamp))
}

fn page_numbers(source: &Document, options: &PageNumbersOptions) -> Outcome<Overlay> {
    let all = Sheet::all(source);
    let pages = selected(options.pages.as_ref(), count(&all))?;
    let first = options.start.map_or(1, |start| start.value());
    let position = options.position.unwrap_or_default();
    let mut sheets = Sheets::new(Document::with_version("1.7"));
    for (number, sheet) in (first..).zip(chosen(&all, &pages)?) {
        let line = sheets.line(&number.to_string())?;
        let mark = Mark::in_corner(&line, sheet, position);
        sheets.add(sheet, &mark, 1.0);
    }
    Ok((pages, sheets.finish()?))
}

fn count(sheets: &[Sheet]) -> u32 {
    u32::try_from(sheets.len()).unwrap_or(u32::MAX)
}

fn chosen<'a>(all: &'a [Sheet], pages: &[u32]) -> Outcome<Vec<&'a Sheet>> {
    let missing = || Fault::Installation("a page that is not there".to_owned());
    let pages = pages
        .iter()
        .map(|page| all.get(*page as usize - 1).ok_or_else(missing));
    pages.collect()
}
