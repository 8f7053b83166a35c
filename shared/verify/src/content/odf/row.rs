//! The items of a row of a spreadsheet, in which equal cells and rows are written once with their number.

use crate::content::decimal::Decimal;
use crate::content::item::{Item, Place, Take};

/// Maximum bytes that repetition adds to a document.
const MAX_REPEATED: usize = 64 * 1024 * 1024;

/// An item that outlives its part.
#[derive(Clone, Copy)]
enum Held {
    /// Where its text is in that of the row.
    Text(usize, usize),
    Break,
    Number(Option<Decimal>),
    Image,
    Chart,
    Aside(bool),
    Marker,
}

/// The items of the current row.
#[derive(Default)]
pub(super) struct Row {
    items: Vec<(Held, Place)>,
    text: String,
    /// Index of the first item of the current cell.
    cell: usize,
    /// Bytes that repetition has added.
    repeated: usize,
}

impl Row {
    pub(super) fn push(&mut self, item: Item<'_>, place: Place) {
        let held = match item {
            Item::Text(text) => {
                let start = self.text.len();
                self.text.push_str(text);
                Held::Text(start, self.text.len())
            }
            Item::Break => Held::Break,
            Item::Number(value) => Held::Number(value),
            Item::Image => Held::Image,
            Item::Chart => Held::Chart,
            Item::Aside(begins) => Held::Aside(begins),
            Item::Marker => Held::Marker,
            // No row has them.
            Item::Alternative(_)
            | Item::Beyond(_)
            | Item::Hidden { .. }
            | Item::Repetition(_)
            | Item::Table
            | Item::Part
            | Item::Once(_) => return,
        };
        self.items.push((held, place));
    }

    pub(super) fn begin_cell(&mut self) {
        self.cell = self.items.len();
    }

    /// Ends a cell that occurs `count` times.
    pub(super) fn end_cell(&mut self, count: u32) {
        let end = self.items.len();
        let cell = self.items.get(self.cell..).unwrap_or_default();
        let repetitions = repetitions(cell, count, &mut self.repeated);
        for _ in 0..repetitions {
            self.items.extend_from_within(self.cell..end);
        }
        self.cell = self.items.len();
    }

    /// Passes on the items of a row that occurs `count` times.
    pub(super) fn end(&mut self, count: u32, take: Take<'_>) {
        for _ in 0..=repetitions(&self.items, count, &mut self.repeated) {
            for (held, place) in &self.items {
                let item = match held {
                    Held::Text(start, end) => {
                        Item::Text(self.text.get(*start..*end).unwrap_or_default())
                    }
                    Held::Break => Item::Break,
                    Held::Number(value) => Item::Number(*value),
                    Held::Image => Item::Image,
                    Held::Chart => Item::Chart,
                    Held::Aside(begins) => Item::Aside(*begins),
                    Held::Marker => Item::Marker,
                };
                take(item, *place);
            }
        }
        self.items.clear();
        self.text.clear();
        self.cell = 0;
    }
}

/// How often items are repeated after their first occurrence; empty ones are not. Adds their bytes to `repeated`.
fn repetitions(items: &[(Held, Place)], count: u32, repeated: &mut usize) -> usize {
    let is_empty = || items.iter().all(|(held, _)| matches!(held, Held::Break));
    if count <= 1 || is_empty() {
        return 0;
    }
    let bytes = items.iter().map(|(held, _)| match held {
        Held::Text(start, end) => 16 + end - start,
        _ => 16,
    });
    let weight = bytes.sum::<usize>();
    let room = MAX_REPEATED.saturating_sub(*repeated) / weight.max(1);
    let count = usize::try_from(count - 1).unwrap_or(0).min(room);
    *repeated += count * weight;
    count
}
