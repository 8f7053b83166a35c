//! Pages of a text document: page breaks, sizes, headers and footers from the master pages.

use std::collections::HashMap;

use layout::{Block, Size};

use super::body::{Body, PageBlocks};
use super::lists::Lists;
use super::number_styles;
use super::styles::Styles;
use crate::error::{MarkupError, Result};
use crate::flow::{self, Flow};
use crate::limits::Budget;
use crate::link;
use crate::number_format::conventions::Conventions;
use crate::package::Package;
use crate::paper;
use crate::source::{LoadedDocument, Metadata, UnnumberedPage};
use crate::units;
use crate::xml::{self, Cursor, Element, Step};

/// Reads a text document.
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
    let mut body = body_at(&mut cursor, package, styles, "office:text")?;
    body.pages = Some(Vec::new());
    body.is_text = true;
    body.package.losses.page = 1;
    let mut flow = Flow::default();
    loop {
        match cursor.step()? {
            Step::Open(element)
                if element.is("text:section") && element.get("text:display") != Some("none") => {}
            Step::Open(element) => body.block(&cursor.fill(element)?, &mut flow)?,
            Step::Close | Step::Text(_) => {}
            Step::End => break,
        }
    }
    body.break_page(None, &mut flow);
    assemble_pages(body, styles, metadata)
}

/// Whether an element contains the automatic styles of the content part.
pub(super) fn own_styles(element: &Element) -> bool {
    [
        "office:automatic-styles",
        "office:font-face-decls",
        "office:styles",
    ]
    .contains(&element.name())
}

/// Advances to the element with this name, which holds the content, and reads the styles before it.
pub(super) fn body_at(
    cursor: &mut Cursor<'_>,
    package: Package,
    styles: &Element,
    name: &str,
) -> Result<Body> {
    let mut own = Vec::new();
    loop {
        match cursor.step()? {
            Step::Open(element) if own_styles(&element) => own.push(cursor.fill(element)?),
            Step::Open(element) if element.is(name) => {
                return Ok(body_with_styles(package, &own, styles));
            }
            Step::End => return Err(MarkupError::Mismatch),
            _ => {}
        }
    }
}

/// Creates the reader of a document with its styles.
pub(super) fn body_with_styles(package: Package, own: &[Element], styles: &Element) -> Body {
    let named = ["office:font-face-decls", "office:styles"];
    let groups = || named.iter().filter_map(|name| styles.find(name)).chain(own);
    let conventions = Conventions::of(package.locale);
    let mut body = Body::new(package, Styles::read(groups()), Lists::read(groups()));
    body.number_formats = number_styles::read(groups(), conventions);
    body
}

/// A master page.
#[derive(Default)]
struct Master<'a> {
    size: Option<Size>,
    /// Master page of the next page.
    next: Option<String>,
    element: Option<&'a Element>,
}

fn assemble_pages(mut body: Body, styles: &Element, metadata: Metadata) -> Result<LoadedDocument> {
    let mut pages = body.pages.take().unwrap_or_default();
    if let Some(last) = pages.last_mut() {
        last.notes.append(&mut body.endnotes);
    }
    let masters = masters(styles);
    // Headers use the automatic styles of the styles part.
    let groups = [
        "office:font-face-decls",
        "office:styles",
        "office:automatic-styles",
    ];
    let groups = || groups.iter().filter_map(|name| styles.find(name));
    (body.styles, body.lists) = (Styles::read(groups()), Lists::read(groups()));
    let mut kind = "Standard".to_owned();
    let mut leaves: Vec<UnnumberedPage> = Vec::new();
    let (mut numbers, mut waiting) = (Vec::new(), Vec::new());
    let count = pages.len();
    for (index, page) in pages.into_iter().enumerate() {
        let PageBlocks {
            blocks,
            notes,
            next,
        } = page;
        numbers.push(leaves.len() + 1);
        waiting.extend(notes);
        if !blocks.is_empty() || (index + 1 == count && leaves.is_empty()) {
            let mut leaf = leaf(
                &mut body,
                &masters,
                &kind,
                next.is_none() && index + 1 < count,
            )?;
            leaf.blocks = blocks;
            leaf.blocks.append(&mut waiting);
            leaves.push(leaf);
        }
        let by_itself = masters.get(&kind).and_then(|master| master.next.clone());
        kind = next.or(by_itself).unwrap_or(kind);
    }
    if let Some(last) = leaves.last_mut() {
        last.blocks.append(&mut waiting);
    }
    let pages = leaves.len().max(1);
    body.package
        .losses
        .renumber(|page| (page as usize).min(pages) as u32);
    for (index, leaf) in leaves.iter_mut().enumerate() {
        body.package.losses.page = index as u32 + 1;
        let page = |name: &str| numbers.get(*body.bookmarks.get(name)?).copied();
        link::resolve_anchors(&mut leaf.blocks, page, &mut body.package.losses);
    }
    Ok(LoadedDocument {
        leaves: leaves.into(),
        pictures: body.package.pictures.clone(),
        metadata,
        warnings: body.package.losses.all(),
    })
}

/// Returns a page of a master page. If no page of the same master follows, it gets all of its headers and footers.
fn leaf(
    body: &mut Body,
    masters: &HashMap<String, Master<'_>>,
    kind: &str,
    continues: bool,
) -> Result<UnnumberedPage> {
    let master = masters.get(kind);
    let size = master.and_then(|master| master.size).unwrap_or(paper::A4);
    let next = master
        .and_then(|master| master.next.as_deref())
        .filter(|next| *next != kind && !continues);
    let next = next
        .and_then(|next| masters.get(next))
        .and_then(|next| next.element);
    let element = master.and_then(|master| master.element);
    let mut margin = |names: &[&str]| {
        let mut blocks: Vec<Block> = Vec::new();
        for (element, name) in [element, next]
            .into_iter()
            .flatten()
            .flat_map(|one| names.iter().map(move |name| (one, name)))
        {
            if let Some(found) = element
                .find(name)
                .filter(|found| found.get("style:display") != Some("false"))
            {
                blocks.extend(body.nested(found)?);
            }
        }
        body.package.budget.spend(flow::weight(&blocks))?;
        Ok::<_, MarkupError>(blocks)
    };
    Ok(UnnumberedPage {
        size,
        header: margin(&["style:header-first", "style:header", "style:header-left"])?,
        footer: margin(&["style:footer-first", "style:footer", "style:footer-left"])?,
        ..UnnumberedPage::default()
    })
}

fn masters(styles: &Element) -> HashMap<String, Master<'_>> {
    let automatic = styles.find("office:automatic-styles");
    let layouts = automatic
        .into_iter()
        .flat_map(|styles| styles.all("style:page-layout"));
    let sizes: HashMap<&str, Size> = layouts
        .filter_map(|layout| Some((layout.get("style:name")?, size(layout)?)))
        .collect();
    let all = styles
        .find("office:master-styles")
        .into_iter()
        .flat_map(|styles| styles.all("style:master-page"));
    let master = |element| {
        let element: &Element = element;
        let size = element
            .get("style:page-layout-name")
            .and_then(|name| sizes.get(name))
            .copied();
        let master = Master {
            size,
            next: element.get("style:next-style-name").map(str::to_owned),
            element: Some(element),
        };
        Some((element.get("style:name")?.to_owned(), master))
    };
    all.filter_map(master).collect()
}

/// Returns the page size of a page layout.
pub(super) fn size(layout: &Element) -> Option<Size> {
    let properties = layout.find("style:page-layout-properties")?;
    let length = |name| units::length(properties.get(name)?).filter(|length| *length > 1.0);
    Some(Size {
        width: length("fo:page-width")?,
        height: length("fo:page-height")?,
    })
}
