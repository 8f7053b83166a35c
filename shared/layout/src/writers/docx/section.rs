//! Sections: pages of one size with one header and footer, and where pages begin within them.

use super::edge::{Edge, EdgeKind};
use super::margin::Margin;
use crate::writers::length;
use crate::writers::ooxml::package::Relations;
use crate::{Block, Content, Page, Rect, Size};

/// The sections of a document.
#[derive(Default)]
pub(super) struct Sections {
    open: Option<Section>,
    /// The headers and footers of the document, in the order in which sections name them.
    edges: Vec<Edge>,
    /// Whether the next block begins a page.
    is_break_due: bool,
    /// Where the last block of this page ends.
    bottom: Option<f32>,
    /// Where the text of the page before ended; none if that is not known.
    before: Option<f32>,
}

/// Pages of one size.
pub(super) struct Section {
    size: Size,
    /// What the text of its pages leaves free.
    text: Option<Rect>,
    header: Margin,
    footer: Margin,
    /// How many there are.
    pages: u32,
}

impl Sections {
    /// Begins a page, between blocks or within one. Gives the section that ends before it.
    pub(super) fn begin(&mut self, page: &Page, is_between: bool) -> Option<Section> {
        let begins_anew = is_between && self.had_room(page);
        let is_same = self.is_same(page) && !(begins_anew && self.says_otherwise(page));
        self.is_break_due = begins_anew && is_same;
        let ended = if is_same { None } else { self.open.take() };
        let text = Rect::around(
            page.blocks
                .iter()
                .filter_map(|block| length::place(block.bounds)),
        );
        let section = self
            .open
            .get_or_insert_with(|| Section::new(allowed(page.size)));
        section.see(page, text);
        self.before = text.map(|text| text.bottom);
        self.bottom = None;
        ended
    }

    /// Whether a page is of the size of those before it.
    pub(super) fn is_same(&self, page: &Page) -> bool {
        let size = allowed(page.size);
        let open = self.open.as_ref();
        open.is_some_and(|open| is_near(open.size, size))
    }

    /// Whether a page has a header or a footer that no page of the open section has.
    fn says_otherwise(&self, page: &Page) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| {
            open.pages > 1 && (open.header.lacks(&page.header) || open.footer.lacks(&page.footer))
        })
    }

    /// Whether the next block begins a page; then no other does.
    pub(super) fn takes_break(&mut self) -> bool {
        std::mem::take(&mut self.is_break_due)
    }

    /// The space between a block and the one above, twentieths of a point.
    pub(super) fn space_before(&mut self, bounds: Option<Rect>) -> Option<u32> {
        let above = std::mem::replace(&mut self.bottom, bounds.map(|bounds| bounds.bottom));
        let gap = bounds?.top - above?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 480"
        )]
        let gap = (gap * 20.0).clamp(0.0, 480.0) as u32;
        Some(gap)
    }

    /// Ends the last section.
    pub(super) fn finish(&mut self) -> Option<Section> {
        self.open.take()
    }

    /// The headers and footers that sections named.
    pub(super) fn edges(&mut self) -> Vec<Edge> {
        std::mem::take(&mut self.edges)
    }

    /// A section's properties, in the order of the schema.
    pub(super) fn xml(&mut self, section: &Section, relations: &mut Relations) -> String {
        let mut xml = String::from("<w:sectPr>");
        let differs = section.header.first_differs() || section.footer.first_differs();
        for (kind, margin) in [
            (EdgeKind::Header, &section.header),
            (EdgeKind::Footer, &section.footer),
        ] {
            if differs {
                xml += &self.reference(kind, "first", margin.of_first(), relations);
            }
            xml += &self.reference(kind, "default", margin.of_most(), relations);
        }
        xml.push_str(&section.page());
        if differs {
            xml.push_str("<w:titlePg/>");
        }
        xml + "</w:sectPr>"
    }

    /// Names the header or footer of some of a section's pages.
    fn reference(
        &mut self,
        kind: EdgeKind,
        pages: &str,
        edge: Option<&Edge>,
        relations: &mut Relations,
    ) -> String {
        // A section without one would have that of the section before.
        let is_inherited = self.edges.iter().any(|known| known.kind == kind);
        let bare = is_inherited.then(|| Edge::bare(kind));
        let Some(edge) = edge.or(bare.as_ref()) else {
            return String::new();
        };
        let (name, part) = (kind.name(), self.named(edge));
        let relation = relations.part(name, &part);
        format!("<w:{name}Reference w:type=\"{pages}\" r:id=\"{relation}\"/>")
    }

    /// The part of a header or footer; those that say the same are one.
    fn named(&mut self, edge: &Edge) -> String {
        let is_like = |known: &&Edge| known.kind == edge.kind && known.words() == edge.words();
        if let Some(known) = self.edges.iter().rev().take(16).find(is_like) {
            return known.part();
        }
        let mut edge = edge.clone();
        edge.part = self.edges.len() + 1;
        let part = edge.part();
        self.edges.push(edge);
        part
    }

    /// Whether the page before had room for what this one begins with, so that it ended on purpose. Pages of which nothing
    /// says where it stands, such as slides, always do.
    fn had_room(&self, page: &Page) -> bool {
        let (Some(bottom), Some(section)) = (self.before, &self.open) else {
            return true;
        };
        let deepest = section.text.map_or(0.0, |text| text.bottom);
        let limit = deepest.max(allowed(page.size).height * 0.88);
        limit - bottom > needed(&page.blocks) + 24.0
    }
}

/// Whether two sizes are one but for how they were measured.
pub(super) fn is_near(one: Size, other: Size) -> bool {
    let is_near = |one: f32, other: f32| (one - other).abs() < 1.0;
    is_near(one.width, other.width) && is_near(one.height, other.height)
}

/// The properties of a section whose text may stand anywhere on its pages.
pub(super) fn whole(size: Size) -> String {
    let all = Rect::between((0.0, 0.0), (size.width, size.height));
    let section = Section {
        text: Some(all),
        ..Section::new(size)
    };
    format!("<w:sectPr>{}</w:sectPr>", section.page())
}

/// The nearest size that pages may have in Word, at most 22 inches.
pub(super) fn allowed(size: Size) -> Size {
    length::size(size, 72.0, 1_584.0)
}

/// How much room the first blocks of a page need at least, points.
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

/// A paragraph that ends a section, as small as one can be.
pub(super) fn end(section: &str) -> String {
    format!(
        "<w:p><w:pPr><w:spacing w:before=\"0\" w:after=\"0\" w:line=\"20\" w:lineRule=\"exact\"/>{section}</w:pPr></w:p>"
    )
}

impl Section {
    fn new(size: Size) -> Self {
        Self {
            size,
            text: None,
            header: Margin::new(EdgeKind::Header),
            footer: Margin::new(EdgeKind::Footer),
            pages: 0,
        }
    }

    fn see(&mut self, page: &Page, text: Option<Rect>) {
        self.pages += 1;
        self.header.see(&page.header, page.number, self.pages);
        self.footer.see(&page.footer, page.number, self.pages);
        self.text = match (self.text, text) {
            (Some(one), Some(other)) => Some(one.union(&other)),
            (one, other) => one.or(other),
        };
    }

    /// Size and margins of its pages.
    fn page(&self) -> String {
        let Size { width, height } = self.size;
        let text = self.text.unwrap_or(Rect {
            left: 72.0,
            top: 72.0,
            right: width - 72.0,
            bottom: height - 72.0,
        });
        let (across, down) = (width * 0.2, height * 0.2);
        let left = twips(text.left.clamp(18.0, across.clamp(18.0, 144.0)));
        let right = twips((width - text.right).clamp(18.0, across.clamp(18.0, 144.0)));
        let top = twips(text.top.clamp(18.0, down.clamp(18.0, 108.0)));
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

/// Twentieths of a point.
pub(super) fn twips(points: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let twips = (points * 20.0).round() as i32;
    twips
}
