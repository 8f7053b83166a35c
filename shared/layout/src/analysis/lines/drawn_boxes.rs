//! Detects check boxes and radio buttons that are drawn as shapes: small squares and circles next to text.

mod parts;
mod sign;

use self::parts::{Part, parts};
use super::ticked::{label, row_label};
use crate::model::geometry::Rect;
use crate::model::page_content::{Character, CheckBox, PageContent};
use crate::model::structure::Tag;

/// Height of a box as a multiple of the size of its text; an empty one below that of forms is a bullet.
const HIGH: std::ops::Range<f32> = 0.5..2.2;
const EMPTY_HIGH: std::ops::Range<f32> = 0.6..2.2;
/// Minimum height of an empty circle among empty circles only.
const CIRCLE_HIGH: f32 = 0.75;
/// Maximum relative difference of the heights of boxes of one kind, and of their positions in a row or column.
const LIKE: f32 = 0.15;
/// Minimum gap of boxes in a row and in a column, as a fraction of their height: smaller ones are cells for letters.
const ROW_GAP: f32 = 0.3;
const COLUMN_GAP: f32 = 0.08;
/// Maximum distance of a line that touches a box, and that of a line which is part of it, points.
const TOUCH: f32 = 0.3;
const OWN: f32 = 1.0;
/// Minimum part of the page that a picture behind boxes covers: a background.
const BACKGROUND: f32 = 0.4;
/// Maximum number of boxes of a page, and of comparisons with its characters and lines.
const BOXES: usize = 500;
const LOOKS: usize = 25_000_000;

/// A square or circle that may be a check box.
#[derive(Clone, Copy)]
struct Candidate {
    bounds: Rect,
    state: State,
    is_round: bool,
    /// Whether it is evident only next to another box of its kind in another state.
    needs_other: bool,
    /// Height as a multiple of the size of the text next to it; `None` if that is far away.
    near: Option<f32>,
    /// The same for any text on its row.
    far: Option<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Set,
    Unset,
    /// A filled square without a sign, such as the key of a chart.
    Filled,
}

/// Returns the check boxes and radio buttons that are drawn as shapes on a page.
#[must_use]
pub fn drawn_check_boxes(sheet: &PageContent) -> Vec<CheckBox> {
    let parts = parts(&sheet.drawings);
    let count = sheet.characters.len() + sheet.strokes.len();
    if parts.is_empty() || parts.len() > BOXES.min(LOOKS / count.max(1)) {
        return Vec::new();
    }
    let found = parts.iter().filter_map(|part| Candidate::of(part, sheet));
    let found: Vec<Candidate> = found.collect();
    let boxes = found.iter().filter(|one| one.is_check_box(&found));
    let boxes = boxes.map(|one| CheckBox {
        bounds: one.bounds,
        is_set: one.state == State::Set,
        tag: Tag::None,
    });
    boxes.collect()
}

impl Candidate {
    fn of(part: &Part, sheet: &PageContent) -> Option<Self> {
        let bounds = part.bounds;
        let has_letters = |letter: &&Character| {
            !letter.text.is_whitespace()
                && !letter.is_hidden
                && bounds.contains(letter.bounds.center())
        };
        let letters: Vec<char> = sheet
            .characters
            .iter()
            .filter(has_letters)
            .map(|letter| letter.text)
            .take(2)
            .collect();
        let (state, needs_other) = part.state(&letters)?;
        let page = sheet.size.width * sheet.size.height;
        let is_on_picture = sheet.pictures.iter().any(|picture| {
            let area = picture.bounds.width() * picture.bounds.height();
            picture.bounds.contains(bounds.center()) && area < page * BACKGROUND
        });
        let is_touched = sheet.strokes.iter().any(|stroke| {
            let is_own = bounds.grown(OWN).within(&stroke.bounds) == Some(stroke.bounds);
            !is_own && stroke.bounds.within(&bounds.grown(TOUCH)).is_some()
        });
        if is_on_picture || is_touched {
            return None;
        }
        let high = |letter: &Character| bounds.height() / letter.size;
        Some(Self {
            bounds,
            state,
            is_round: part.is_round,
            needs_other,
            near: label(sheet, &bounds).map(high),
            far: row_label(sheet, &bounds).map(high),
        })
    }

    /// Whether it is a check box among all candidates of a page.
    fn is_check_box(&self, all: &[Self]) -> bool {
        let like = || all.iter().filter(|other| other.is_like(self));
        let others = || like().filter(|other| other.bounds != self.bounds);
        let (in_row, in_column) = (
            || others().filter(|other| self.is_in_row(other)),
            || others().filter(|other| self.is_in_column(other)),
        );
        let is_key = others().any(|other| {
            other.state == State::Filled && (self.is_in_row(other) || self.is_in_column(other))
        });
        let is_cell = in_row().any(|other| self.across(other) < ROW_GAP)
            || in_column().any(|other| self.down(other) < COLUMN_GAP);
        let has_other = others().any(|other| other.state != self.state);
        let labeled = like().filter(|one| one.near.is_some()).count();
        let is_series = labeled * 2 >= like().count();
        let Some(high) = self.near.or(self.far) else {
            return false;
        };
        let sizes = match self.state {
            State::Set => HIGH,
            State::Unset => EMPTY_HIGH,
            State::Filled => return false,
        };
        let is_alone = self.near.is_none();
        let has_mate = in_row().next().is_some() || in_column().next().is_some();
        let is_button = !self.is_round
            || has_other
            || in_row().any(|other| other.near.is_some())
            || self.state == State::Unset && high >= CIRCLE_HIGH && has_mate;
        sizes.contains(&high)
            && !is_key
            && !is_cell
            && (has_other || !self.needs_other)
            && is_button
            && match is_alone {
                true => has_mate,
                false => is_series || has_mate,
            }
    }

    fn is_like(&self, other: &Self) -> bool {
        let (own, height) = (self.bounds.height(), other.bounds.height());
        self.is_round == other.is_round && (own - height).abs() <= LIKE * own.max(height)
    }

    fn is_in_row(&self, other: &Self) -> bool {
        let offset = self.bounds.center().1 - other.bounds.center().1;
        offset.abs() <= LIKE * self.bounds.height()
    }

    fn is_in_column(&self, other: &Self) -> bool {
        let offset = self.bounds.center().0 - other.bounds.center().0;
        offset.abs() <= LIKE * self.bounds.height()
    }

    /// The gap to another box in its row, as a fraction of its height.
    fn across(&self, other: &Self) -> f32 {
        -self.bounds.shared_width(&other.bounds) / self.bounds.height()
    }

    fn down(&self, other: &Self) -> f32 {
        -self.bounds.shared_height(&other.bounds) / self.bounds.height()
    }
}
