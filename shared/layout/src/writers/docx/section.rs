//! Sections (page size, header and footer) and page breaks.

use super::header_footer::{HeaderFooter, HeaderFooterKind, numberings};
use super::page_numbering::{NumberingCounts, PageNumbering};
use super::section_header_footer::SectionHeaderFooter;
use super::spacing::Spacing;
use crate::writers::length;
use crate::writers::ooxml::package::Relations;
use crate::{Block, Content, Page, Rect, Size};

/// The sections of a document.
#[derive(Default)]
pub(super) struct Sections {
    open: Option<Section>,
    /// Sections that end after the open paragraph or table.
    ending: Vec<Section>,
    /// Headers and footers of the document, in order of first reference.
    headers_footers: Vec<HeaderFooter>,
    /// Number of pages so far.
    pages: u32,
    /// Numbering of the last written section.
    numbering: PageNumbering,
    /// Whether even and odd pages of a section have different headers or footers.
    alternates: bool,
    /// Whether the next block begins a page.
    is_break_due: bool,
    spacing: Spacing,
    /// Whether this page has a background, which is on no other page.
    has_background: bool,
    /// Lower edge of the text of the previous page; `None` if unknown.
    before: Option<f32>,
    /// Left edge of the text of this page; `None` if unknown, or if the text has columns, which become one.
    left: Option<f32>,
}

/// Pages of one size.
pub(super) struct Section {
    size: Size,
    /// Bounds of the text of its pages.
    text: Option<Rect>,
    header: SectionHeaderFooter,
    footer: SectionHeaderFooter,
    /// Whether it begins on the last page of the section before, and its headers on the next page.
    is_continuous: bool,
    numberings: NumberingCounts,
    /// Place of its first page in the document, from 1.
    first: u32,
    /// Number of pages.
    pages: u32,
}

impl Sections {
    /// Begins a page, between blocks or inside one. Returns the section that ends before it.
    pub(super) fn begin(
        &mut self,
        page: &Page,
        is_between: bool,
        has_background: bool,
    ) -> Option<Section> {
        self.pages += 1;
        let had_background = std::mem::replace(&mut self.has_background, has_background);
        let has_page_break =
            is_between && (has_background || had_background || self.had_room(page));
        // A chapter also begins a section if it happens to follow a full page.
        let may_part = has_page_break || is_between && begins_with_heading(page);
        let is_same = self.is_same(page) && !(may_part && self.has_other_header_or_footer(page));
        let is_continuous = is_same && !may_part && self.lacks_header_or_footer(page);
        let is_parted = !is_same || self.lacks_header_or_footer(page);
        self.is_break_due = has_page_break && !is_parted;
        self.spacing
            .begin_page(has_page_break || is_parted && !is_continuous);
        let mut ended = if is_parted { self.open.take() } else { None };
        if let Some(before) = ended.as_ref().filter(|_| is_continuous) {
            self.open = Some(before.continued());
        }
        if !is_between {
            self.ending.extend(ended.take());
        }
        let text = Rect::around(
            page.blocks
                .iter()
                .filter(|block| !(has_background && is_background(block, page.size)))
                .filter_map(|block| length::place(block.bounds)),
        );
        let section = self
            .open
            .get_or_insert_with(|| Section::new(allowed(page.size)));
        section.record(page, self.pages, text);
        if has_background {
            self.spacing.begin_at(section.top());
        }
        self.before = text.map(|text| text.bottom);
        self.left = text
            .map(|text| text.left)
            .filter(|_| !has_columns(&page.blocks));
        ended
    }

    /// Whether a page has the size of the current section.
    pub(super) fn is_same(&self, page: &Page) -> bool {
        let size = allowed(page.size);
        let open = self.open.as_ref();
        open.is_some_and(|open| is_near(open.size, size))
    }

    /// Whether a page has a header or footer that differs from those of the section, or a page number that does not continue its
    /// numbering.
    fn has_other_header_or_footer(&self, page: &Page) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| {
            open.pages > 1
                && (open.header.differs_from(&page.header, self.pages)
                    || open.footer.differs_from(&page.footer, self.pages)
                    || open
                        .numberings
                        .restarts_with(&page_numberings(page, self.pages)))
        })
    }

    /// Whether a page has a header or footer, but the section has another one for pages of this parity.
    fn lacks_header_or_footer(&self, page: &Page) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| {
            open.header.lacks(&page.header, self.pages)
                || open.footer.lacks(&page.footer, self.pages)
        })
    }

    /// Returns the sections that end after the paragraph or table that was open.
    pub(super) fn take_ending(&mut self) -> Vec<Section> {
        std::mem::take(&mut self.ending)
    }

    /// Whether the next block begins a page; resets the flag.
    pub(super) fn takes_break(&mut self) -> bool {
        std::mem::take(&mut self.is_break_due)
    }

    /// Returns the space between a block and the previous one, twips.
    pub(super) fn space_before(&mut self, block: &Block) -> Option<u32> {
        self.spacing.before(block)
    }

    /// Returns the indent of a block, twips.
    pub(super) fn indent(&self, bounds: Option<Rect>) -> u32 {
        let left = bounds
            .zip(self.left)
            .map(|(bounds, left)| bounds.left - left);
        let left = left.filter(|left| (INDENT..=INDENT_LIMIT).contains(left));
        left.map_or(0, |left| twips(left).unsigned_abs())
    }

    /// Returns the width of the text area of the current section so far, twips.
    pub(super) fn text_width(&self) -> u32 {
        self.open.as_ref().map_or(0, Section::text_width)
    }

    /// Ends the last section.
    pub(super) fn finish(&mut self) -> Option<Section> {
        self.open.take()
    }

    /// Returns the referenced headers and footers.
    pub(super) fn headers_footers(&mut self) -> Vec<HeaderFooter> {
        std::mem::take(&mut self.headers_footers)
    }

    /// Whether even and odd pages of a written section have different headers or footers.
    pub(super) fn alternates(&self) -> bool {
        self.alternates
    }

    /// Returns section properties, in schema order.
    pub(super) fn xml(&mut self, mut section: Section, relations: &mut Relations) -> String {
        let mut xml = String::from("<w:sectPr>");
        let numbering = section.numberings.numbering(self.numbering);
        let numbering = numbering.filter(|own| own.start(section.first) >= 0);
        let in_effect = numbering.unwrap_or(self.numbering);
        let width = section.text_width();
        section.header.resolve(numbering, in_effect.offset, width);
        section.footer.resolve(numbering, in_effect.offset, width);
        let differs = !section.is_continuous
            && (section.header.first_differs() || section.footer.first_differs());
        for (kind, margin) in [
            (HeaderFooterKind::Header, &section.header),
            (HeaderFooterKind::Footer, &section.footer),
        ] {
            if differs {
                xml += &self.reference(kind, "first", margin.of_first(), relations);
            }
            xml += &self.reference(kind, "default", margin.of_odd(), relations);
            // A later section may need `evenAndOddHeaders`, which holds for all sections.
            xml += &self.reference(kind, "even", margin.of_even(), relations);
            self.alternates |= margin.alternates();
        }
        if section.is_continuous {
            xml.push_str("<w:type w:val=\"continuous\"/>");
        }
        xml.push_str(&section.page());
        let numbered = numbering.and_then(|own| own.xml(self.numbering, section.first));
        xml.push_str(&numbered.unwrap_or_default());
        self.numbering = in_effect;
        if differs {
            xml.push_str("<w:titlePg/>");
        }
        xml + "</w:sectPr>"
    }

    /// Adds a reference to the header or footer of some pages of the section.
    fn reference(
        &mut self,
        kind: HeaderFooterKind,
        pages: &str,
        header_footer: Option<&HeaderFooter>,
        relations: &mut Relations,
    ) -> String {
        // A section without a reference inherits the header of the previous section, so an empty one is written.
        let is_inherited = self.headers_footers.iter().any(|known| known.kind == kind);
        let bare = is_inherited.then(|| HeaderFooter::empty(kind));
        let Some(header_footer) = header_footer.or(bare.as_ref()) else {
            return String::new();
        };
        let (name, part) = (kind.name(), self.named(header_footer));
        let relation = relations.part(name, &part);
        format!("<w:{name}Reference w:type=\"{pages}\" r:id=\"{relation}\"/>")
    }

    /// Returns the part of a header or footer; equal ones share a part.
    fn named(&mut self, header_footer: &HeaderFooter) -> String {
        let is_like = |known: &&HeaderFooter| {
            known.kind == header_footer.kind && known.words() == header_footer.words()
        };
        if let Some(known) = self.headers_footers.iter().rev().take(16).find(is_like) {
            return known.part();
        }
        let mut header_footer = header_footer.clone();
        header_footer.part = self.headers_footers.len() + 1;
        let part = header_footer.part();
        self.headers_footers.push(header_footer);
        part
    }

    /// Whether the previous page had room for the first blocks of this page, so that it ended with a page break. Pages without
    /// positions, such as slides, always do.
    fn had_room(&self, page: &Page) -> bool {
        let (Some(bottom), Some(section)) = (self.before, &self.open) else {
            return true;
        };
        let deepest = section.text.map_or(0.0, |text| text.bottom);
        let limit = deepest.max(allowed(page.size).height * 0.88);
        limit - bottom > needed(&page.blocks) + 24.0
    }
}

/// Minimum part of the width and of the height of the page that a background covers.
const COVERED: f32 = 0.9;

/// Whether a block is a picture that covers a page of this size.
pub(super) fn is_background(block: &Block, page: Size) -> bool {
    let is_picture = matches!(block.content, Content::Image { .. });
    let covers = length::place(block.bounds).is_some_and(|bounds| {
        let width = bounds.right.min(page.width) - bounds.left.max(0.0);
        let height = bounds.bottom.min(page.height) - bounds.top.max(0.0);
        width >= page.width * COVERED && height >= page.height * COVERED
    });
    is_picture && covers
}

/// Whether two sizes are equal within measurement tolerance.
pub(super) fn is_near(one: Size, other: Size) -> bool {
    let is_near = |one: f32, other: f32| (one - other).abs() < 1.0;
    is_near(one.width, other.width) && is_near(one.height, other.height)
}

/// Returns properties of a section without margins.
pub(super) fn without_margins(size: Size) -> String {
    let all = Rect::between((0.0, 0.0), (size.width, size.height));
    let section = Section {
        text: Some(all),
        ..Section::new(size)
    };
    format!("<w:sectPr>{}</w:sectPr>", section.page())
}

/// Returns the nearest page size that Word allows, at most 22 inches.
pub(super) fn allowed(size: Size) -> Size {
    length::size(size, 72.0, 1_584.0)
}

/// Least and greatest indent, points: less is the tolerance of measurement, more is another column.
const INDENT: f32 = 6.0;
const INDENT_LIMIT: f32 = 216.0;

/// Whether the reading order of blocks goes back up to text next to the block before.
fn has_columns(blocks: &[Block]) -> bool {
    let places = || {
        blocks
            .iter()
            .filter_map(|block| length::place(block.bounds))
    };
    places()
        .zip(places().skip(1))
        .any(|(before, after)| after.top < before.bottom && after.shared_width(&before) <= 0.0)
}

fn begins_with_heading(page: &Page) -> bool {
    let first = page.blocks.first().map(|block| &block.content);
    matches!(first, Some(Content::Heading { .. }))
}

/// Returns the minimum height of the first blocks of a page, points.
fn needed(blocks: &[Block]) -> f32 {
    let mut needed = 0.0;
    for block in blocks {
        let bounds = length::place(block.bounds);
        let height = bounds.map_or(0.0, |bounds| bounds.height());
        match &block.content {
            Content::Heading { .. } => needed += height,
            Content::Image { .. } => return needed + height,
            _ => return needed + height.min(36.0),
        }
    }
    needed
}

/// Returns a minimal paragraph that ends a section.
pub(super) fn end(section: &str) -> String {
    format!("<w:p><w:pPr>{MINIMAL}{section}</w:pPr></w:p>")
}

/// Spacing of a minimal paragraph.
pub(super) const MINIMAL: &str =
    "<w:spacing w:before=\"0\" w:after=\"0\" w:line=\"20\" w:lineRule=\"exact\"/>";

impl Section {
    fn new(size: Size) -> Self {
        Self {
            size,
            text: None,
            header: SectionHeaderFooter::new(HeaderFooterKind::Header),
            footer: SectionHeaderFooter::new(HeaderFooterKind::Footer),
            is_continuous: false,
            numberings: NumberingCounts::default(),
            first: 0,
            pages: 0,
        }
    }

    /// Creates the section that begins on the last page of this one.
    fn continued(&self) -> Self {
        Self {
            text: self.text,
            is_continuous: true,
            ..Self::new(self.size)
        }
    }

    /// Adds a page, which is number `place` of the document that is written.
    fn record(&mut self, page: &Page, place: u32, text: Option<Rect>) {
        let is_first = self.pages == 0;
        if is_first {
            self.first = place;
        }
        self.pages += 1;
        // The first page of a continuous section shows the header of the section before.
        let has_own = is_first && !self.is_continuous;
        self.header.record(&page.header, place, has_own);
        self.footer.record(&page.footer, place, has_own);
        self.numberings
            .record(&page_numberings(page, place), page.number, place);
        self.text = match (self.text, text) {
            (Some(one), Some(other)) => Some(one.union(&other)),
            (one, other) => one.or(other),
        };
    }

    /// Returns the bounds of the text, or those of a page without text.
    fn text(&self) -> Rect {
        self.text.unwrap_or(Rect {
            left: 72.0,
            top: 72.0,
            right: self.size.width - 72.0,
            bottom: self.size.height - 72.0,
        })
    }

    /// Returns the left and right margins, twips.
    fn side_margins(&self) -> (i32, i32) {
        let (text, width) = (self.text(), self.size.width);
        let most = (width * 0.2).clamp(18.0, 144.0);
        let right = width - text.right;
        (
            twips(text.left.clamp(18.0, most)),
            twips(right.clamp(18.0, most)),
        )
    }

    /// Returns the top margin, points.
    fn top(&self) -> f32 {
        let most = (self.size.height * 0.2).clamp(18.0, 108.0);
        self.text().top.clamp(18.0, most)
    }

    /// Returns the width of the text area, twips.
    fn text_width(&self) -> u32 {
        let (left, right) = self.side_margins();
        u32::try_from(twips(self.size.width) - left - right).unwrap_or_default()
    }

    /// Returns page size and margins.
    fn page(&self) -> String {
        let Size { width, height } = self.size;
        let (text, down) = (self.text(), height * 0.2);
        let (left, right) = self.side_margins();
        let top = twips(self.top());
        let bottom = twips((height - text.bottom).clamp(18.0, down.clamp(18.0, 72.0)));
        let (width, height) = (twips(width), twips(height));
        let turned = if width > height {
            " w:orient=\"landscape\""
        } else {
            ""
        };
        format!(
            "<w:pgSz w:w=\"{width}\" w:h=\"{height}\"{turned}/><w:pgMar w:top=\"{top}\" w:right=\"{right}\" w:bottom=\"{bottom}\" \
w:left=\"{left}\" w:header=\"{}\" w:footer=\"{}\" w:gutter=\"0\"/>",
            (top / 2).min(720),
            (bottom / 2).min(720)
        )
    }
}

/// Returns the numberings in which a number in the header or footer of a page is its page number.
fn page_numberings(page: &Page, place: u32) -> Vec<PageNumbering> {
    let mut found = numberings(&page.header, place);
    found.extend(numberings(&page.footer, place));
    found
}

/// Converts points to twips.
pub(super) fn twips(points: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let twips = (points * 20.0).round() as i32;
    twips
}
