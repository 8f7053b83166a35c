//! Sections: page sizes, headers, footers and page breaks.

use std::collections::HashMap;

use layout::{Block, Size};

use super::Body;
use crate::docx::properties::{is_on, value};
use crate::error::Result;
use crate::flow;
use crate::link;
use crate::paper;
use crate::source::UnnumberedPage;
use crate::units;
use crate::xml::Element;

/// The content between two breaks.
pub(in crate::docx) struct Segment {
    blocks: Vec<Block>,
    /// Whether a section ends after it.
    ends_section: bool,
}

/// A section.
#[derive(Clone, Debug, Default)]
pub(in crate::docx) struct Section {
    size: Option<Size>,
    /// Whether it is continuous: starts on the page where the previous section ends.
    continuous: bool,
    /// Whether its first page has its own headers and footers.
    titled: bool,
    /// Relationship ids of its headers: of the first page, of other pages, of even pages.
    headers: [Option<String>; 3],
    footers: [Option<String>; 3],
}

const KINDS: [&str; 3] = ["first", "default", "even"];

impl Segment {
    pub(in crate::docx) fn new(blocks: Vec<Block>, ends_section: bool) -> Self {
        Self {
            blocks,
            ends_section,
        }
    }
}

impl Section {
    pub(in crate::docx) fn read(element: &Element) -> Self {
        let size = element.find("w:pgSz");
        let length = |name| units::twips(size?.get(name)?).filter(|length| *length > 1.0);
        let references = |name: &str| {
            KINDS.map(|kind| {
                let mut all = element.all(name);
                let found = all.find(|one| one.get("w:type").unwrap_or("default") == kind);
                found.and_then(|one| one.get("r:id")).map(str::to_owned)
            })
        };
        Self {
            size: length("w:w")
                .zip(length("w:h"))
                .map(|(width, height)| Size { width, height }),
            continuous: value(element, "w:type") == Some("continuous"),
            titled: is_on(element, "w:titlePg"),
            headers: references("w:headerReference"),
            footers: references("w:footerReference"),
        }
    }

    /// Inherits unset properties from the previous section.
    fn inherit(&mut self, before: &Self) {
        self.size = self.size.or(before.size);
        for (own, other) in self.headers.iter_mut().zip(&before.headers) {
            *own = own.take().or_else(|| other.clone());
        }
        for (own, other) in self.footers.iter_mut().zip(&before.footers) {
            *own = own.take().or_else(|| other.clone());
        }
    }
}

impl Body<'_> {
    /// Ends a section within a paragraph, after the blocks of `flow`.
    pub(in crate::docx) fn end_section_in(&mut self, section: Section, flow: &mut flow::Flow) {
        std::mem::swap(&mut self.flow, flow);
        self.end_section(section);
        std::mem::swap(&mut self.flow, flow);
    }
}

/// A page, and the index of the section that it begins in.
struct SectionPage {
    section: usize,
    blocks: Vec<Block>,
}

/// Assembles pages from segments.
pub(in crate::docx) fn assemble_pages(
    body: &mut Body<'_>,
    segments: Vec<Segment>,
    mut sections: Vec<Section>,
    even: bool,
) -> Result<Vec<UnnumberedPage>> {
    for index in 1..sections.len() {
        if let (before, [section, ..]) = sections.split_at_mut(index) {
            before
                .last()
                .into_iter()
                .for_each(|before| section.inherit(before));
        }
    }
    let (mut sheets, places) = sheets(body, segments, &sections);
    let pages = |segment: usize| places.get(segment).copied().unwrap_or(1);
    body.package
        .losses
        .renumber(|page| pages(page as usize) as u32);
    let bookmarks = std::mem::take(&mut body.bookmarks);
    let page = |name: &str| bookmarks.get(name).map(|segment| pages(*segment));
    for (sheet, number) in sheets.iter_mut().zip(1..) {
        body.package.losses.page = number;
        link::resolve_anchors(&mut sheet.blocks, page, &mut body.package.losses);
    }
    leaves(body, sheets, &sections, even, &page)
}

/// Returns the pages, and the page number of each segment.
fn sheets(
    body: &mut Body<'_>,
    segments: Vec<Segment>,
    sections: &[Section],
) -> (Vec<SectionPage>, Vec<usize>) {
    let (mut sheets, mut places) = (Vec::<SectionPage>::new(), Vec::new());
    let (mut section, mut begins) = (0, true);
    for mut segment in segments {
        if !segment.blocks.is_empty() {
            if std::mem::take(&mut begins) || sheets.is_empty() {
                sheets.push(SectionPage {
                    section,
                    blocks: Vec::new(),
                });
            }
            if let Some(sheet) = sheets.last_mut() {
                sheet.blocks.append(&mut segment.blocks);
            }
        }
        places.push(sheets.len().max(1));
        begins |= !segment.ends_section;
        if segment.ends_section {
            section += 1;
            begins |= sections.get(section).is_none_or(|next| !next.continuous);
        }
    }
    if sheets.is_empty() {
        sheets.push(SectionPage {
            section: 0,
            blocks: Vec::new(),
        });
    }
    add_notes(body, &mut sheets, &places);
    (sheets, places)
}

/// Appends footnotes to their pages and endnotes to the last page.
fn add_notes(body: &mut Body<'_>, sheets: &mut [SectionPage], places: &[usize]) {
    for (segment, note) in std::mem::take(&mut body.notes.at_foot) {
        let place = places.get(segment).map_or(0, |page| page - 1);
        if let Some(sheet) = sheets.get_mut(place) {
            sheet.blocks.push(note);
        }
    }
    if let Some(last) = sheets.last_mut() {
        last.blocks.append(&mut body.notes.at_end);
    }
}

fn leaves(
    body: &mut Body<'_>,
    sheets: Vec<SectionPage>,
    sections: &[Section],
    even: bool,
    page_of: &dyn Fn(&str) -> Option<usize>,
) -> Result<Vec<UnnumberedPage>> {
    let mut margins = HeadersFooters {
        parts: HashMap::new(),
        page_of,
    };
    let mut leaves = Vec::new();
    let counts = sheets
        .iter()
        .fold(HashMap::<usize, usize>::new(), |mut counts, sheet| {
            *counts.entry(sheet.section).or_default() += 1;
            counts
        });
    let mut before = None;
    for (index, sheet) in sheets.into_iter().enumerate() {
        let section = sections.get(sheet.section).cloned().unwrap_or_default();
        let place = SectionPosition {
            first: before != Some(sheet.section),
            only: counts.get(&sheet.section) == Some(&1),
            even: even && index % 2 == 1,
            odd_only: even,
        };
        before = Some(sheet.section);
        body.package.losses.page = index as u32 + 1;
        leaves.push(UnnumberedPage {
            size: section.size.unwrap_or(paper::A4),
            header: margins.of(body, &section, &section.headers, &place)?,
            blocks: sheet.blocks,
            footer: margins.of(body, &section, &section.footers, &place)?,
            ..UnnumberedPage::default()
        });
    }
    Ok(leaves)
}

/// The position of a page in its section.
struct SectionPosition {
    first: bool,
    /// Whether it is the only known page of its section; it then shows all headers of the section.
    only: bool,
    even: bool,
    /// Whether even pages have their own headers and footers.
    odd_only: bool,
}

/// Headers and footers by relationship id, each read once.
struct HeadersFooters<'a> {
    parts: HashMap<String, Vec<Block>>,
    /// The page of a bookmark.
    page_of: &'a dyn Fn(&str) -> Option<usize>,
}

impl HeadersFooters<'_> {
    fn of(
        &mut self,
        body: &mut Body<'_>,
        section: &Section,
        ids: &[Option<String>; 3],
        place: &SectionPosition,
    ) -> Result<Vec<Block>> {
        let [first, default, even] = ids;
        let first = first.as_ref().filter(|_| section.titled);
        let even = even.as_ref().filter(|_| place.odd_only);
        let shown: Vec<&String> = match place {
            place if place.only => [first, default.as_ref(), even]
                .into_iter()
                .flatten()
                .collect(),
            place if place.first && section.titled => first.into_iter().collect(),
            place if place.even => even.into_iter().collect(),
            _ => default.iter().collect(),
        };
        let mut blocks = Vec::new();
        for id in shown {
            let read = self.read(body, id)?;
            body.package.budget.spend(flow::weight(read))?;
            blocks.extend_from_slice(read);
        }
        Ok(blocks)
    }

    fn read(&mut self, body: &mut Body<'_>, id: &str) -> Result<&[Block]> {
        if !self.parts.contains_key(id) {
            let mut blocks = body.margin(id)?;
            link::resolve_anchors(&mut blocks, self.page_of, &mut body.package.losses);
            self.parts.insert(id.to_owned(), blocks);
        }
        Ok(self.parts.get(id).map_or(&[], Vec::as_slice))
    }
}

impl Body<'_> {
    /// Reads the blocks of a header or footer.
    fn margin(&mut self, id: &str) -> Result<Vec<Block>> {
        let target = self.relations.internal(id);
        let Some(target) = target.map(|relation| relation.target.clone()) else {
            return Ok(Vec::new());
        };
        let Some(root) = self.package.optional_tree(&target)? else {
            return Ok(Vec::new());
        };
        let own = self.package.relations(&target)?;
        let before = std::mem::replace(&mut self.relations, own);
        self.fields = crate::docx::fields::Fields::default();
        let blocks = self.nested(&root);
        self.relations = before;
        blocks
    }
}
