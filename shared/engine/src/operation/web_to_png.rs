//! Captures web pages, HTML and Markdown as PNG: the whole page or the viewport.

use domain::format::{Category, Format};
use domain::operation::Viewport;
use task::options::conversion;
use task::{Inspection, PrintReport, Product, Task, TaskResult};

use super::web_document::{self, missing_glyphs, with_page};
use super::{Module, Run, is_conversion};
use browser::{Area, Page, capture};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(from, Format::Html | Format::Markdown)
            && is_conversion(operation, from, &[Category::Web], &[Format::Png])
    },
    inspect: inspect::document,
    run: Run::Browser(run),
    verify: verify::screenshot,
    fingerprint: web_document::fingerprint,
};

fn run(
    task: &Task,
    inspection: &Inspection,
    prewarmed: Option<Page>,
) -> TaskResult<PrintReport<Product>> {
    let options = conversion(&task.operation)?;
    let viewport = Viewport::of(options);
    let show = |page: &mut Page, until| Ok(page.set_viewport(&viewport, until)?);
    with_page(task, inspection, prewarmed, &show, &|page, until| {
        let area = match options.full_page.unwrap_or(true) {
            true => Area::of_page(page, &viewport, until)?,
            false => Area::of_viewport(&viewport),
        };
        // The text that a viewport shows is not known.
        let text = match options.full_page.unwrap_or(true) {
            true => page.text(until)?,
            false => String::new(),
        };
        let warnings = Vec::from_iter(missing_glyphs::warning(&text, page, until)?);
        let sides = capture(page, &viewport, area, &task.output(), until)?;
        Ok(Product {
            pages: Some(1),
            sides: vec![sides],
            shows_text: page.shows_text((area.width, area.height), until)?,
            warnings,
            ..Product::default()
        })
    })
}
