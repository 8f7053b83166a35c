//! Web pages, HTML and Markdown to PNG: the whole page, or the viewport.

use domain::format::{Category, Format};
use domain::operation::Viewport;
use task::options::conversion;
use task::{Inspection, Outcome, Printed, Product, Task};

use super::web_document::{self, with_page};
use super::{Module, Run, converts};
use browser::{Area, Page, capture};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| converts(operation, from, &[Category::Web], &[Format::Png]),
    inspect: inspect::document,
    run: Run::Browser(run),
    verify: verify::captured,
    fingerprint: web_document::fingerprint,
};

fn run(task: &Task, inspection: &Inspection, prewarmed: Option<Page>) -> Outcome<Printed<Product>> {
    let asked = conversion(&task.operation)?;
    let viewport = Viewport::of(asked);
    let show = |page: &mut Page, until| Ok(page.set_viewport(&viewport, until)?);
    with_page(task, inspection, prewarmed, &show, &|page, until| {
        let area = match asked.full_page.unwrap_or(true) {
            true => Area::of_page(page, &viewport, until)?,
            false => Area::of_viewport(&viewport),
        };
        let sides = capture(page, &viewport, area, &task.output(), until)?;
        Ok(Product {
            pages: Some(1),
            sides: vec![sides],
            shows_text: page.shows_text((area.width, area.height), until)?,
            ..Product::default()
        })
    })
}
