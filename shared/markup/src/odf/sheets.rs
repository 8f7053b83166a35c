//! Sheets of a spreadsheet.

use std::collections::HashMap;

use super::body::{Body, frame};
use super::pages;
use super::sheet::Sheet;
use crate::error::Result;
use crate::limits::Budget;
use crate::link;
use crate::package::Package;
use crate::paper;
use crate::sheet_headers;
use crate::source::{LoadedDocument, Metadata, UnnumberedPage};
use crate::warning::Loss;
use crate::worksheet;
use crate::xml::{self, Cursor, Element, Node, Step};

/// Reads a spreadsheet.
pub(super) fn read(
    package: Package,
    content: &[u8],
    styles: &Element,
    metadata: Metadata,
) -> Result<LoadedDocument> {
    let text = xml::decode(content);
    // The cursor has a budget of its own because `body` is borrowed mutably while it advances.
    let budget = Budget::new(package.budget.limits);
    let mut cursor = Cursor::new(&text, &budget);
    let mut body = pages::body_at(&mut cursor, package, styles, "office:spreadsheet")?;
    let size = paper_size(styles);
    let headers = headers(styles);
    let mut names = HashMap::new();
    let mut bound = LoadedDocument {
        metadata,
        ..LoadedDocument::default()
    };
    loop {
        match cursor.step()? {
            Step::Open(element) if element.is("table:table") => {
                let name = element.get("table:name").unwrap_or_default().to_owned();
                let leaf = sheet(&mut body, &mut cursor, &element, bound.leaves.len() + 1)?;
                if leaf.is_some() {
                    let style = body.styles.get("table", element.get("table:style-name"));
                    let master = style.master.as_deref().unwrap_or("Default");
                    let count = headers.get(master).copied().unwrap_or(0);
                    body.package.losses.add_many(Loss::SheetHeader, count);
                }
                leaf.iter().for_each(|_| {
                    names.insert(name.clone(), bound.leaves.len() + 1);
                });
                bound
                    .leaves
                    .extend(leaf.map(|leaf| UnnumberedPage { size, ..leaf }));
            }
            Step::Open(element) => drop(cursor.fill(element)?),
            Step::Close | Step::Text(_) => {}
            Step::End => break,
        }
    }
    for (index, leaf) in bound.leaves.iter_mut().enumerate() {
        body.package.losses.page = index as u32 + 1;
        let page = |place: &str| names.get(sheet_of(place)).copied();
        link::resolve_anchors(&mut leaf.blocks, page, &mut body.package.losses);
    }
    bound.pictures = body.package.pictures.clone();
    bound.warnings = body.package.losses.all();
    Ok(bound)
}

fn sheet(
    body: &mut Body,
    cursor: &mut Cursor<'_>,
    element: &Element,
    number: usize,
) -> Result<Option<UnnumberedPage>> {
    let style = body.styles.get("table", element.get("table:style-name"));
    body.package.losses.page = number as u32;
    let (mut sheet, mut drawn) = (Sheet::default(), Vec::new());
    let mut depth = 1_usize;
    while depth > 0 {
        match cursor.step()? {
            Step::Open(element) if element.is("table:table-row") => {
                let row = cursor.fill(element)?;
                if !style.hidden {
                    sheet.row(body, &row, &mut drawn)?;
                }
            }
            Step::Open(element) if element.is("table:table-column") => {
                sheet.column(body, &cursor.fill(element)?);
            }
            Step::Open(element) if element.is("table:shapes") => {
                let shapes = cursor.fill(element)?;
                for shape in shapes.elements().filter(|_| !style.hidden) {
                    drawn.extend(frame::read(body, shape)?);
                }
            }
            Step::Open(element) if groups(&element) => {
                sheet.enter(&element);
                depth += 1;
            }
            Step::Open(element) => drop(cursor.fill(element)?),
            Step::Close => {
                depth -= 1;
                sheet.leave();
            }
            Step::Text(_) => {}
            Step::End => break,
        }
    }
    if style.hidden {
        body.package.losses.page = 0;
        body.package.losses.add(Loss::Hidden);
        return Ok(None);
    }
    let name = element.get("table:name").unwrap_or_default();
    let (budget, losses) = (&body.package.budget, &mut body.package.losses);
    let mut flow = worksheet::flow(name, sheet.cells, sheet.header_rows, budget, losses)?;
    flow.extend(drawn);
    Ok(Some(UnnumberedPage {
        sheet: std::mem::take(&mut flow.sheet),
        blocks: flow.into_blocks(),
        ..UnnumberedPage::default()
    }))
}

/// The number of headers and footers with text of each master page.
fn headers(styles: &Element) -> HashMap<&str, u32> {
    const NAMES: [&str; 6] = [
        "style:header",
        "style:footer",
        "style:header-left",
        "style:footer-left",
        "style:header-first",
        "style:footer-first",
    ];
    let masters = styles.find("office:master-styles");
    let masters = masters
        .into_iter()
        .flat_map(|styles| styles.all("style:master-page"));
    let count = |master: &Element| {
        let shown = NAMES.iter().filter_map(|name| master.find(name));
        let shown = shown.filter(|header| header.get("style:display") != Some("false"));
        shown.filter(|header| has_text(header)).map(|_| 1).sum()
    };
    masters
        .filter_map(|master| Some((master.get("style:name")?, count(master))))
        .collect()
}

/// Whether a header or footer has a paragraph with text of its own. Fields and labels of page numbers are not.
fn has_text(element: &Element) -> bool {
    if !element.is("text:p") {
        return element.elements().any(has_text);
    }
    let numbers = ["text:page-number", "text:page-count"];
    let is_numbered = numbers
        .iter()
        .any(|name| element.descendant(name).is_some());
    sheet_headers::is_text(&own_text(element), is_numbered)
}

/// The text of a paragraph without that of its fields.
fn own_text(element: &Element) -> String {
    let texts = element.children().iter().map(|node| match node {
        Node::Text(text) => text.to_string(),
        Node::Element(inner) if matches!(inner.name(), "text:span" | "text:a") => own_text(inner),
        // A field is apart from the words around it.
        Node::Element(_) => " ".to_owned(),
    });
    texts.collect()
}

/// Returns the sheet name of a reference such as `$Sheet1.A1`.
fn sheet_of(place: &str) -> &str {
    let sheet = place.rsplit_once('.').map_or(place, |(sheet, _)| sheet);
    sheet.trim_matches(['$', '\''])
}

fn groups(element: &Element) -> bool {
    [
        "table:table-header-rows",
        "table:table-rows",
        "table:table-row-group",
        "table:table-columns",
        "table:table-column-group",
        "table:table-header-columns",
    ]
    .contains(&element.name())
}

fn paper_size(styles: &Element) -> layout::Size {
    let automatic = styles.find("office:automatic-styles");
    let layouts = automatic
        .into_iter()
        .flat_map(|styles| styles.all("style:page-layout"));
    layouts
        .into_iter()
        .find_map(pages::size)
        .unwrap_or(paper::A4)
}
