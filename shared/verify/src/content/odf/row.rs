//! The items of a row of a spreadsheet, in which equal cells and rows are written once with their number.

use crate::content::item::{Item, Place, Take};

/// Maximum bytes that repetition adds to a document.
const MAX_REPEATED: usize = 64 * 1024 * 1024;

/// An item that outlives its part.
#[derive(Clone)]
enum Held {
    Text(String),
    Break,
    Number,
    Image,
    Chart,
    Aside(bool),
    Marker,
}

/// The items of the current row.
#[derive(Default)]
pub(super) struct Row {
    items: Vec<(Held, Place)>,
    /// Index of the first item of the current cell.
    cell: usize,
    /// Bytes that repetition has added.
    repeated: usize,
}

impl Row {
    pub(super) fn push(&mut self, item: Item<'_>, place: Place) {
        let held = match item {
            Item::Text(text) => Held::Text(text.to_owned()),
            Item::Break => Held::Break,
            Item::Number => Held::Number,
            Item::Image => Held::Image,
            Item::Chart => Held::Chart,
            Item::Aside(begins) => Held::Aside(begins),
            Item::Marker => Held::Marker,
            // No spreadsheet has them.
            Item::Alternative(_) | Item::Beyond(_) | Item::Repetition(_) => return,
        };
        self.items.push((held, place));
    }

    pub(super) fn begin_cell(&mut self) {
        self.cell = self.items.len();
    }

    /// Ends a cell that occurs `count` times.
    pub(super) fn end_cell(&mut self, count: u32) {
        let cell = self.items.get(self.cell..).unwrap_or_default().to_vec();
        for _ in 0..self.repetitions(&cell, count) {
            self.items.extend(cell.iter().cloned());
        }
        self.cell = self.items.len();
    }

    /// Passes on the items of a row that occurs `count` times.
    pub(super) fn end(&mut self, count: u32, take: Take<'_>) {
        let row = std::mem::take(&mut self.items);
        for _ in 0..=self.repetitions(&row, count) {
            for (held, place) in &row {
                let item = match held {
                    Held::Text(text) => Item::Text(text),
                    Held::Break => Item::Break,
                    Held::Number => Item::Number,
                    Held::Image => Item::Image,
                    Held::Chart => Item::Chart,
                    Held::Aside(begins) => Item::Aside(*begins),
                    Held::Marker => Item::Marker,
                };
                take(item, *place);
            }
        }
        self.cell = 0;
    }

    /// How often items are repeated after their first occurrence; empty ones are not.
    fn repetitions(&mut self, items: &[(Held, Place)], count: u32) -> usize {
        if items.iter().all(|(held, _)| matches!(held, Held::Break)) {
            return 0;
        }
        let bytes = items.iter().map(|(held, _)| match held {
            Held::Text(text) => 16 + text.len(),
            _ => 16,
        });
        let weight = bytes.sum::<usize>();
        let room = MAX_REPEATED.saturating_sub(self.repeated) / weight.max(1);
        let count = usize::try_from(count.saturating_sub(1))
            .unwrap_or(0)
            .min(room);
        self.repeated += count * weight;
        count
    }
}
