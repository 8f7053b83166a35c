//! Ink of a page that no character accounts for: text that is drawn as outlines, and drawings such as charts, diagrams and
//! formulas.

mod components;
mod diagrams;
mod grid;
mod outlined_text;
mod repeated;
mod rows;
mod subpaths;
mod text_picture;
mod text_pictures;

use std::cell::LazyCell;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use layout::analysis::FigureRegions;
use layout::{Character, Drawing, PageContent, Rect, Size};

use self::grid::Grid;
use self::outlined_text::MIN_LETTERS_OF_MOST;
pub(super) use self::repeated::remove_repeated;
pub use self::text_pictures::TextPictures;
pub(super) use self::text_pictures::{has_large_picture, text_pictures};
use super::is_legible;

/// Cell size of the grid of characters, in points.
const CHARACTER_CELL: f32 = 3.0;
/// Maximum number of areas of a page; beyond it, outlined text becomes one area, the page.
const MAX_AREAS: usize = 100;

/// Maximum distance of the paths of a check box from its bounds, points.
const AROUND_CHECK_BOX: f32 = 2.0;
/// Maximum number of check boxes whose paths are looked up.
const MAX_CHECK_BOXES: usize = 500;

/// Ink of a page without characters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageInk {
    /// Page number, from 1.
    pub number: u32,
    /// Areas of text that is drawn as outlines; the whole page if most letters are.
    pub outlined_text: Vec<InkArea>,
    /// Figures, such as charts, which a result with pictures keeps.
    pub figures: Vec<InkArea>,
    /// Areas of other drawings, which only a fixed layout keeps: diagrams and possible figures. Rules, boxes, tables and
    /// backgrounds are no drawings.
    pub drawings: Vec<InkArea>,
    /// All rows of outlined letters, if there is outlined text. Unlike its areas, they do not depend on the characters of the page.
    rows: Vec<InkArea>,
    size: Size,
    /// Number of legible characters.
    characters: usize,
    /// Whether the page has more drawings than the reader extracts, so that further letters may be anywhere on it.
    has_more_drawings: bool,
}

/// An area of paths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InkArea {
    /// Its bounds.
    pub bounds: Rect,
    /// The total width of its rows of letters, in points.
    pub text_width: f32,
    pub(super) letters: usize,
    pub(super) segments: usize,
    /// Sum of hashes of the bounds of its paths: other paths within the same bounds are another drawing.
    pub(super) shape: u64,
}

/// Minimum width of the recognized characters of an area, relative to that of its letters.
const MIN_RECOGNIZED: f32 = 0.4;

impl InkArea {
    /// Whether recognized characters of this total width, in points, are its text, and not only a few words of it.
    pub fn is_recognized(&self, width: f32) -> bool {
        width >= MIN_RECOGNIZED * self.text_width
    }

    /// An area of paths with these bounds; `None` without paths.
    fn of_paths(paths: impl Iterator<Item = Rect> + Clone) -> Option<Self> {
        Some(Self {
            bounds: Rect::around(paths.clone())?,
            shape: paths.map(|path| hash(&path)).fold(0, u64::wrapping_add),
            ..Self::default()
        })
    }
}

/// A hash of edges in points.
fn hash(bounds: &Rect) -> u64 {
    let edges = [bounds.left, bounds.top, bounds.right, bounds.bottom];
    let mut hasher = DefaultHasher::new();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    edges.map(|edge| edge.round() as i32).hash(&mut hasher);
    hasher.finish()
}

impl PageInk {
    /// Returns the ink of a page; `None` if characters, rules and images account for all of it. A page with more drawings than
    /// the reader extracts always has ink.
    pub(super) fn of(content: &PageContent, regions: &FigureRegions) -> Option<Self> {
        let has_more_drawings = content.has_more_drawings;
        if content.drawings.is_empty() && !has_more_drawings {
            return None;
        }
        let subpaths = subpaths::of_page(content);
        let characters = LazyCell::new(|| character_cells(content.size, &content.characters));
        let text = |area: &Rect| characters.coverage(area);
        let (figures, others) = figures_of(content, regions);
        let mut drawings = diagrams::areas(content, &subpaths, text);
        drawings.retain(|area| {
            let mut figures = figures.iter();
            !figures.any(|figure| figure.bounds.contains(area.bounds.center()))
        });
        drawings.extend(others);
        if !content.check_boxes.is_empty() {
            let paths = paths_outside_check_boxes(content);
            drawings.retain(|area| {
                let mut paths = paths.iter();
                paths.any(|path| area.bounds.contains(path.center()))
            });
        }
        drawings.truncate(MAX_AREAS);
        if subpaths.is_empty() && drawings.is_empty() && figures.is_empty() && !has_more_drawings {
            return None;
        }
        let legible = content.characters.iter().filter(|one| is_legible(one.text));
        let outlined_text = outlined_text::areas(&subpaths, &characters, content.size);
        let mut ink = Self {
            number: content.number,
            size: content.size,
            characters: legible.count(),
            has_more_drawings,
            figures,
            drawings,
            ..Self::default()
        };
        if !outlined_text.is_empty() {
            ink.rows = outlined_text::all_rows(&subpaths);
            ink.rows.truncate(MAX_AREAS);
        }
        ink.outlined_text = match outlined_text.len() > MAX_AREAS {
            true => ink.whole_page(&outlined_text),
            false => outlined_text,
        };
        (!ink.is_empty()).then_some(ink)
    }

    /// Whether outlined text may be among the drawings that the reader does not extract. With some outlined text, the whole page
    /// is an area of it.
    pub fn may_have_more_text(&self) -> bool {
        self.has_more_drawings && self.outlined_text.is_empty()
    }

    /// Whether a result lacks some drawings; outlined text, here and in the areas `outlined`, is reported for itself.
    pub fn has_dropped_drawings(&self, keeps_figures: bool, outlined: &[InkArea]) -> bool {
        let is_text = |area: &InkArea| {
            let mut texts = self.outlined_text.iter().chain(outlined);
            texts.any(|text| text.bounds.contains(area.bounds.center()))
        };
        let figures = self.figures.iter().filter(|_| !keeps_figures);
        !figures.chain(&self.drawings).all(is_text)
    }

    fn is_empty(&self) -> bool {
        let areas = [&self.outlined_text, &self.figures, &self.drawings];
        areas.iter().all(|areas| areas.is_empty()) && !self.has_more_drawings
    }

    /// Replaces areas of outlined text by the whole page if most of its letters are outlined.
    fn extend_outlined_text(&mut self) {
        if self.is_mostly_outlined(&self.outlined_text) {
            self.outlined_text = self.whole_page(&self.outlined_text);
        }
    }

    fn is_mostly_outlined(&self, areas: &[InkArea]) -> bool {
        let letters = areas.iter().map(|area| area.letters).sum::<usize>();
        letters > 0
            && (self.has_more_drawings || letters >= self.characters.max(MIN_LETTERS_OF_MOST))
    }

    fn whole_page(&self, areas: &[InkArea]) -> Vec<InkArea> {
        vec![InkArea {
            bounds: Rect::between((0.0, 0.0), (self.size.width, self.size.height)),
            text_width: areas.iter().map(|area| area.text_width).sum(),
            letters: areas.iter().map(|area| area.letters).sum(),
            segments: areas.iter().map(|area| area.segments).sum(),
            shape: 0,
        }]
    }
}

/// Returns the figures of a page, and the other drawings that may be figures.
fn figures_of(content: &PageContent, regions: &FigureRegions) -> (Vec<InkArea>, Vec<InkArea>) {
    let paths: Vec<Rect> = paths(content).collect();
    let area = |bounds: &Rect| {
        let paths = paths.iter().filter(|path| bounds.contains(path.center()));
        InkArea {
            shape: paths.map(hash).fold(0, u64::wrapping_add),
            bounds: *bounds,
            ..InkArea::default()
        }
    };
    let areas = |regions: &[Rect]| regions.iter().map(area).collect();
    (areas(&regions.figures), areas(&regions.others))
}

/// The bounds of what paths draw on a page.
fn paths(content: &PageContent) -> impl Iterator<Item = Rect> {
    content.drawings.iter().filter_map(|drawing| match drawing {
        Drawing::Area(area) => Some(area.bounds),
        Drawing::Shape(shape, seen) => shape.bounds()?.within(seen),
        Drawing::Picture(..) => None,
    })
}

/// The bounds of all paths but those of check boxes, which results have as characters.
fn paths_outside_check_boxes(content: &PageContent) -> Vec<Rect> {
    let is_outside = |path: &Rect| {
        let mut boxes = content.check_boxes.iter().take(MAX_CHECK_BOXES);
        !boxes.any(|one| one.bounds.grown(AROUND_CHECK_BOX).contains(path.center()))
    };
    paths(content).filter(is_outside).collect()
}

/// The cells of a page that characters cover, hidden and unmapped ones included.
fn character_cells(size: Size, characters: &[Character]) -> Grid {
    let is_text =
        |one: &&Character| is_legible(one.text) || one.text == char::REPLACEMENT_CHARACTER;
    let shown = characters.iter().filter(is_text);
    Grid::of(size, CHARACTER_CELL, shown.map(|one| one.bounds))
}

#[cfg(test)]
mod tests {

    use super::*;

    /// A page with so many characters, and so many outlined letters in one area.
    fn page(characters: usize, letters: usize) -> PageInk {
        let area = InkArea {
            bounds: Rect::between((100.0, 100.0), (200.0, 120.0)),
            letters,
            text_width: 80.0,
            segments: 10 * letters,
            shape: 0,
        };
        PageInk {
            size: Size {
                width: 595.0,
                height: 842.0,
            },
            characters,
            outlined_text: vec![area],
            ..PageInk::default()
        }
    }

    #[test]
    fn a_page_with_more_outlined_letters_than_characters_is_outlined_text_as_a_whole() {
        let extended = |mut page: PageInk| {
            page.extend_outlined_text();
            let [area] = page.outlined_text[..] else {
                panic!("{:?}", page.outlined_text);
            };
            assert_eq!(area.text_width, 80.0);
            area.bounds.width() > 500.0
        };
        assert!(extended(page(90, 100)) && extended(page(1_000, 1_000)));
        assert!(!extended(page(90, 99)) && !extended(page(1_000, 999)));
        let mut truncated = page(1_000, 20);
        truncated.has_more_drawings = true;
        assert!(extended(truncated));
    }

    #[test]
    fn a_page_with_more_drawings_than_extracted_may_have_more_text() {
        let content = |has_more_drawings| PageContent {
            size: page(0, 0).size,
            has_more_drawings,
            ..PageContent::default()
        };
        assert_eq!(
            PageInk::of(&content(false), &FigureRegions::default()),
            None
        );
        let mut pages: Vec<PageInk> = PageInk::of(&content(true), &FigureRegions::default())
            .into_iter()
            .collect();
        remove_repeated(&mut pages);
        assert!(matches!(&pages[..], [page] if page.may_have_more_text()));
    }

    #[test]
    fn a_drawing_is_dropped_and_outlined_text_is_not() {
        let drawing = InkArea {
            bounds: Rect::between((300.0, 500.0), (400.0, 600.0)),
            ..InkArea::default()
        };
        let found = PageInk {
            drawings: vec![drawing],
            ..PageInk::default()
        };
        assert!(found.has_dropped_drawings(true, &[]));
        // The text of the source, which OCR recognized.
        assert!(!found.has_dropped_drawings(true, &page(0, 9).whole_page(&[])));
    }

    #[test]
    fn a_figure_is_dropped_without_images_only() {
        let figure = InkArea {
            bounds: Rect::between((300.0, 500.0), (400.0, 600.0)),
            ..InkArea::default()
        };
        let found = PageInk {
            figures: vec![figure],
            ..PageInk::default()
        };
        let dropped = [true, false].map(|keeps| found.has_dropped_drawings(keeps, &[]));
        assert_eq!(dropped, [false, true]);
        assert!(!found.has_dropped_drawings(false, &[figure]));
    }
}
