//! The lines of a page by position, to find the neighbors of a heading candidate in its column.

use crate::analysis::lines::line::Line;
use crate::analysis::survey::headings::entries::Entries;
use crate::analysis::survey::headings::outline::Outline;
use crate::model::geometry::Rect;
use crate::model::page_content::OutlineEntry;

/// Maximum number of lines that are examined in each direction.
const TRIED: usize = 64;

/// The upright lines of a page, from top to bottom.
#[derive(Default)]
pub(in crate::analysis) struct PageLines {
    pub(in crate::analysis) page: Rect,
    /// Size of the largest text.
    pub(in crate::analysis) largest: f32,
    /// Entries of the outline that lead to the page.
    pub(in crate::analysis) outline: Outline,
    /// Areas of form fields.
    fields: Vec<Rect>,
    /// Entries of contents.
    entries: Entries,
    places: Vec<Place>,
}

/// The place of a line.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Place {
    left: f32,
    right: f32,
    /// Vertical extent without leading.
    pub(in crate::analysis) top: f32,
    pub(in crate::analysis) bottom: f32,
    size: f32,
    is_bold: bool,
    color: [u8; 3],
}

impl Place {
    fn of(line: &Line) -> Self {
        let core = line.core();
        let characters = line.glyphs().count();
        let bold = line.glyphs().filter(|glyph| glyph.font.is_bold).count();
        let color = line.glyphs().next().map_or([0; 3], |glyph| glyph.color);
        Self {
            left: line.bounds.left,
            right: line.bounds.right,
            top: core.start,
            bottom: core.end,
            size: line.size,
            is_bold: bold * 2 > characters,
            color,
        }
    }

    fn shares_column(&self, area: &Rect) -> bool {
        self.left < area.right && area.left < self.right
    }

    /// Whether a line has another size, weight or color.
    pub(in crate::analysis) fn is_unlike(&self, line: &Line) -> bool {
        let other = Self::of(line);
        (self.size - other.size).abs() > other.size * 0.04
            || self.is_bold != other.is_bold
            || self.color != other.color
    }

    fn area(&self) -> Rect {
        Rect {
            left: self.left,
            right: self.right,
            top: self.top,
            bottom: self.bottom,
        }
    }
}

impl PageLines {
    pub(in crate::analysis) fn of(
        lines: &[Line],
        page: Rect,
        outline: &[OutlineEntry],
        fields: &[Rect],
    ) -> Self {
        let upright = || lines.iter().filter(|line| !line.is_turned());
        let has_letters = |line: &&Line| {
            let letters = line.glyphs().filter(|glyph| glyph.text.is_alphabetic());
            letters.take(2).count() > 1
        };
        let mut places: Vec<Place> = upright().map(Place::of).collect();
        places.sort_by(|one, other| one.top.total_cmp(&other.top));
        Self {
            page,
            largest: upright()
                .filter(has_letters)
                .map(|line| line.size)
                .fold(0.0, f32::max),
            outline: Outline::of(outline),
            fields: fields.to_vec(),
            entries: Entries::of(&upright().collect::<Vec<_>>()),
            places,
        }
    }

    /// Whether a line is the value of a form field.
    pub(in crate::analysis) fn is_in_field(&self, line: &Line) -> bool {
        let center = line.bounds.center();
        self.fields.iter().any(|field| field.contains(center))
    }

    /// Whether a line is an entry of contents.
    pub(in crate::analysis) fn is_entry(&self, line: &Line) -> bool {
        self.entries.has(line)
    }

    /// Whether the page has entries of contents.
    pub(in crate::analysis) fn has_entries(&self) -> bool {
        !self.entries.is_empty()
    }

    /// Returns the next line above an area in its column.
    pub(in crate::analysis) fn above(&self, area: &Rect) -> Option<&Place> {
        let end = self.places.partition_point(|place| place.top < area.top);
        let before = self.places.get(..end)?.iter().rev().take(TRIED);
        let slack = area.height().min(4.0) * 0.5;
        before
            .filter(|place| place.bottom <= area.top + slack)
            .find(|place| place.shares_column(area))
    }

    /// Returns the next line below an area in its column.
    pub(in crate::analysis) fn below(&self, area: &Rect) -> Option<&Place> {
        let slack = area.height().min(4.0) * 0.5;
        let begin = self
            .places
            .partition_point(|place| place.top < area.bottom - slack);
        let mut after = self.places.get(begin..)?.iter().take(TRIED);
        after.find(|place| place.shares_column(area))
    }

    /// Whether a line is part of a block of several lines.
    pub(in crate::analysis) fn is_in_block(&self, line: &Line) -> bool {
        let place = Place::of(line);
        let is_near = |other: &Place, gap: f32| {
            (other.size - place.size).abs() < place.size * 0.05
                && gap < place.size
                && (other.left - place.left).abs() < place.size * 4.0
        };
        let area = place.area();
        let above = self.above(&area);
        let below = self.below(&area);
        above.is_some_and(|above| is_near(above, place.top - above.bottom))
            || below.is_some_and(|below| is_near(below, below.top - place.bottom))
    }
}
