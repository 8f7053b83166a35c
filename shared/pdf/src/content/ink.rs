//! Ink of a page that no character accounts for: text that is drawn as outlines, and drawings such as charts, diagrams and
//! formulas.

mod bars;
mod drawings;
mod grid;
mod outlined_text;
mod subpaths;
mod text_picture;
mod text_pictures;

use std::collections::HashMap;

use layout::{Character, PageContent, Rect, Size};

use self::grid::Grid;
pub use self::text_pictures::TextPictures;
pub(super) use self::text_pictures::{has_large_picture, text_pictures};
use super::is_legible;

/// Cell size of the grid of characters, in points.
const CHARACTER_CELL: f32 = 3.0;
/// Number of pages with the same ink in the upper or lower margin from which it is a logo or a running title.
const MIN_REPETITIONS: usize = 3;
/// Height of these margins, relative to the page.
const MARGIN: f32 = 0.15;
/// Maximum number of areas that are compared between pages.
const MAX_COMPARED: usize = 20_000;

/// Ink of a page without characters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageInk {
    /// Page number, from 1.
    pub number: u32,
    /// Height of the page.
    height: f32,
    /// Areas of text that is drawn as outlines; the whole page if most letters are.
    pub outlined_text: Vec<Rect>,
    /// Areas of other drawings. Rules, boxes, backgrounds and small icons are no drawings.
    pub drawings: Vec<Rect>,
}

impl PageInk {
    /// Returns the ink of a page; `None` if characters, rules and images account for all of it.
    pub(super) fn of(content: &PageContent) -> Option<Self> {
        if content.drawings.is_empty() {
            return None;
        }
        let subpaths = subpaths::of_page(content);
        let bars = bars::charts(content);
        if subpaths.is_empty() && bars.is_empty() {
            return None;
        }
        let characters = character_cells(content.size, &content.characters);
        let outlined_text = outlined_text::of_page(&subpaths, &characters, content);
        let mut drawings = drawings::areas(&subpaths, &outlined_text, &characters, content.size);
        drawings.extend(bars);
        let outlined_text = match outlined_text.is_most {
            true => vec![Rect::between(
                (0.0, 0.0),
                (content.size.width, content.size.height),
            )],
            false => outlined_text.areas,
        };
        let has_ink = !outlined_text.is_empty() || !drawings.is_empty();
        has_ink.then_some(Self {
            number: content.number,
            height: content.size.height,
            outlined_text,
            drawings,
        })
    }

    fn in_margins(&self) -> impl Iterator<Item = &Rect> {
        let areas = self.outlined_text.iter().chain(&self.drawings);
        areas.filter(|area| is_in_margin(area, self.height))
    }
}

/// The cells of a page that characters cover, hidden and unmapped ones included.
fn character_cells(size: Size, characters: &[Character]) -> Grid {
    let is_text =
        |one: &&Character| is_legible(one.text) || one.text == char::REPLACEMENT_CHARACTER;
    let shown = characters.iter().filter(is_text);
    Grid::of(size, CHARACTER_CELL, shown.map(|one| one.bounds))
}

/// Removes logos and running titles: ink at the same place in the margins of several pages.
pub(super) fn remove_repeated(pages: &mut Vec<PageInk>) {
    let mut repetitions: HashMap<[i32; 4], usize> = HashMap::new();
    let margins = pages.iter().flat_map(PageInk::in_margins);
    for area in margins.take(MAX_COMPARED) {
        *repetitions.entry(place(area)).or_default() += 1;
    }
    repetitions.retain(|_, count| *count >= MIN_REPETITIONS);
    for page in pages.iter_mut() {
        let height = page.height;
        let is_kept =
            |area: &Rect| !is_in_margin(area, height) || !repetitions.contains_key(&place(area));
        page.outlined_text.retain(is_kept);
        page.drawings.retain(is_kept);
    }
    pages.retain(|page| !page.outlined_text.is_empty() || !page.drawings.is_empty());
}

fn is_in_margin(area: &Rect, height: f32) -> bool {
    area.bottom <= MARGIN * height || area.top >= (1.0 - MARGIN) * height
}

/// Edges in steps of four points.
fn place(area: &Rect) -> [i32; 4] {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    let step = |edge: f32| (edge / 4.0).round() as i32;
    [area.left, area.top, area.right, area.bottom].map(step)
}
