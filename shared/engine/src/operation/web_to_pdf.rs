//! Web pages, HTML and Markdown to PDF, printed by a browser.

mod dates;
mod layout;

use std::time::Instant;

use domain::format::{Category, Format};
use domain::operation::PageRanges;
use pdf::qpdf::{self, Access, Shape};
use task::options::conversion;
use task::{Fault, Inspection, Outcome, Printed, Product, Task};

use super::kept_pages::{kept, written};
use super::web_document::{self, with_page};
use super::{Module, Run, converts};
use browser::{Layout, Page, print};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| converts(operation, from, &[Category::Web], &[Format::Pdf]),
    inspect: inspect::document,
    run: Run::Browser(run),
    verify: verify::pdf,
    fingerprint: web_document::fingerprint,
};

fn run(task: &Task, inspection: &Inspection, prewarmed: Option<Page>) -> Outcome<Printed<Product>> {
    let asked = conversion(&task.operation)?;
    let nothing = |_: &mut Page, _| Ok(());
    with_page(task, inspection, prewarmed, &nothing, &|page, until| {
        let layout = layout::of(asked, task.page.is_some(), page, until)?;
        let pages = print_pages(task, page, &layout, asked.pages.as_ref(), until)?;
        dates::fix(&task.output())?;
        Ok(Product {
            pages,
            ..Product::default()
        })
    })
}

/// Prints a page and returns the number of sheets. A selection of sheets is printed in a second run, as only the first one,
/// of all sheets, shows how many there are.
fn print_pages(
    task: &Task,
    page: &mut Page,
    layout: &Layout,
    ranges: Option<&PageRanges>,
    until: Instant,
) -> Outcome<Option<u32>> {
    let most = task.limits.pages;
    // One more, to detect that there are too many.
    let all = format!("1-{}", most.saturating_add(1));
    print(page, layout, &all, &task.output(), until)?;
    let Some(ranges) = ranges else {
        return Ok(None);
    };
    let count = count(task)?;
    if count > most {
        return Err(Fault::too_many_pages());
    }
    let pages = kept(ranges, count)?;
    if pages.len() < count as usize {
        print(page, layout, &written(&pages), &task.output(), until)?;
    }
    Ok(u32::try_from(pages.len()).ok())
}

fn count(task: &Task) -> Outcome<u32> {
    match qpdf::access(&task.output(), "")? {
        Access::Open(Shape { pages, .. }) => Ok(pages),
        _ => Err(Fault::output_invalid("it does not open")),
    }
}
