//! Prints web pages, HTML and Markdown to PDF with a browser.

mod layout;
mod scrub;

use std::time::Instant;

use domain::format::{Category, Format};
use domain::operation::PageRanges;
use pdf::qpdf::{self, Access, FileStructure};
use task::expected_text::write_source_text;
use task::options::conversion;
use task::{Inspection, PrintReport, Product, Task, TaskError, TaskResult};

use super::page_selection::{format_ranges, selected_pages};
use super::web_document::{self, missing_glyphs, with_page};
use super::{Module, Run, is_conversion};
use browser::{Page, PrintOptions, print};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| is_conversion(operation, from, &[Category::Web], &[Format::Pdf]),
    inspect: inspect::document,
    run: Run::Browser(run),
    verify: verify::pdf,
    fingerprint: web_document::fingerprint,
};

fn run(
    task: &Task,
    inspection: &Inspection,
    prewarmed: Option<Page>,
) -> TaskResult<PrintReport<Product>> {
    let options = conversion(&task.operation)?;
    let nothing = |_: &mut Page, _| Ok(());
    with_page(task, inspection, prewarmed, &nothing, &|page, until| {
        let mut layout = layout::of(options, task.page.is_some(), page, until)?;
        let (text, mut warnings) = layout::fit(options, &mut layout, page, until)?;
        warnings.extend(missing_glyphs::warning(&text, page, until)?);
        write_source_text(task, &text)?;
        let pages = print_pages(task, page, &layout, options.pages.as_ref(), until)?;
        scrub::scrub(&task.output())?;
        Ok(Product {
            pages,
            warnings,
            ..Product::default()
        })
    })
}

/// Prints a web page and returns the number of selected pages. A selection is printed in a second run, because only a full
/// print determines the page count.
fn print_pages(
    task: &Task,
    page: &mut Page,
    layout: &PrintOptions,
    ranges: Option<&PageRanges>,
    until: Instant,
) -> TaskResult<Option<u32>> {
    let most = task.limits.pages;
    // One page above the limit, to detect that the limit is exceeded.
    let all = format!("1-{}", most.saturating_add(1));
    print(page, layout, &all, &task.output(), until)?;
    let Some(ranges) = ranges else {
        return Ok(None);
    };
    let count = count(task)?;
    if count > most {
        return Err(TaskError::too_many_pages());
    }
    let pages = selected_pages(ranges, count)?;
    if pages.len() < count as usize {
        print(page, layout, &format_ranges(&pages), &task.output(), until)?;
    }
    Ok(u32::try_from(pages.len()).ok())
}

fn count(task: &Task) -> TaskResult<u32> {
    match qpdf::access(&task.output(), "")? {
        Access::Open(FileStructure { pages, .. }) => Ok(pages),
        _ => Err(TaskError::output_invalid("it does not open")),
    }
}
