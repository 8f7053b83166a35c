//! Pages of a text document: page breaks, sizes, headers and footers from the master pages.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use layout::{Block, Size};
use percent_encoding::percent_decode_str;

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
    let numbers = numbers(&pages);
    let number = |index: usize| numbers.get(index).copied().unwrap_or(1);
    body.package
        .losses
        .renumber(|page| number((page as usize).saturating_sub(1)) as u32);
    let bookmarks = std::mem::take(&mut body.bookmarks);
    let page_of = |name: &str| {
        let name = &*percent_decode_str(name).decode_utf8_lossy();
        // LibreOffice writes the number of a heading before its text.
        let mut heading = Some(name);
        while let Some(known) = heading {
            if let Some(index) = bookmarks.get(known) {
                return Some(number(*index));
            }
            let text = known.trim_start_matches(|c: char| c.is_ascii_digit());
            heading = text
                .strip_prefix('.')
                .filter(|text| text.ends_with("|outline"));
        }
        None
    };
    let mut margins = Margins {
        parts: HashMap::new(),
        page_of: &page_of,
    };
    let mut kind = "Standard".to_owned();
    let mut leaves: Vec<UnnumberedPage> = Vec::new();
    let mut waiting = Vec::new();
    let count = pages.len();
    for (index, page) in pages.into_iter().enumerate() {
        let PageBlocks {
            blocks,
            notes,
            next,
        } = page;
        waiting.extend(notes);
        if !blocks.is_empty() || (index + 1 == count && leaves.is_empty()) {
            body.package.losses.page = leaves.len() as u32 + 1;
            let mut leaf = leaf(
                &mut body,
                &mut margins,
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
    for (leaf, number) in leaves.iter_mut().zip(1..) {
        body.package.losses.page = number;
        link::resolve_anchors(&mut leaf.blocks, page_of, &mut body.package.losses);
    }
    Ok(LoadedDocument {
        leaves: leaves.into(),
        pictures: body.package.pictures.clone(),
        metadata,
        warnings: body.package.losses.all(),
    })
}

/// The page number of each part of the text between breaks. One without blocks is no page.
fn numbers(pages: &[PageBlocks]) -> Vec<usize> {
    let last = pages.iter().filter(|page| !page.blocks.is_empty()).count();
    let mut before = 0;
    let numbers = pages.iter().map(|page| {
        let number = (before + 1).min(last.max(1));
        before += usize::from(!page.blocks.is_empty());
        number
    });
    numbers.collect()
}

/// Headers and footers by the names of their master pages and elements, each read once.
struct Margins<'a> {
    parts: HashMap<(String, String), Vec<Block>>,
    page_of: &'a dyn Fn(&str) -> Option<usize>,
}

impl Margins<'_> {
    fn of(&mut self, body: &mut Body, master: &Element, name: &str) -> Result<&[Block]> {
        let page = master.get("style:name").unwrap_or_default();
        let part = (page.to_owned(), name.to_owned());
        match self.parts.entry(part) {
            Entry::Occupied(read) => Ok(read.into_mut()),
            Entry::Vacant(unread) => {
                let found = master.find(name);
                let found = found.filter(|found| found.get("style:display") != Some("false"));
                let mut blocks = match found {
                    Some(found) => body.nested(found)?,
                    None => Vec::new(),
                };
                link::resolve_anchors(&mut blocks, self.page_of, &mut body.package.losses);
                Ok(unread.insert(blocks))
            }
        }
    }
}

/// Returns a page of a master page. If no page of the same master follows, it gets all of its headers and footers.
fn leaf(
    body: &mut Body,
    margins: &mut Margins<'_>,
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
            blocks.extend_from_slice(margins.of(body, element, name)?);
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
