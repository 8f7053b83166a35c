//! Connected components of dark pixels within a part of a picture.

use super::ocr_page::Rectangle;
use super::picture::{Picture, number};

/// A connected component of dark pixels (8-connectivity).
pub(super) struct Blot {
    pub(super) place: Rectangle,
    /// Number of pixels.
    pub(super) pixels: f64,
    /// Whether it is completely inside the searched part.
    pub(super) is_whole: bool,
}

/// Returns the components of pixels darker than `dark` in a part of a picture, from left to right.
pub(super) fn blots(picture: &Picture, part: Rectangle, dark: f64) -> Vec<Blot> {
    let mut ink = Ink::of(picture, part, dark);
    let mut blots: Vec<Blot> = Vec::new();
    for column in 0..ink.width {
        for row in 0..ink.height {
            if ink.take(column, row) {
                blots.push(ink.blot((column, row)));
            }
        }
    }
    blots
}

/// Dark pixels that are not yet assigned to a component.
struct Ink {
    dark: Vec<bool>,
    width: usize,
    height: usize,
    /// Position of the first pixel.
    corner: (f64, f64),
}

impl Ink {
    fn of(picture: &Picture, part: Rectangle, least: f64) -> Self {
        let mut ink = Self {
            dark: Vec::new(),
            width: 0,
            height: 0,
            corner: (f64::INFINITY, 0.0),
        };
        let mut row = None;
        picture.each_place(part, |(x, y), sample| {
            if ink.dark.is_empty() {
                ink.corner = (x, y);
            }
            if row != Some(y) {
                (row, ink.width) = (Some(y), 0);
                ink.height += 1;
            }
            ink.width += 1;
            ink.dark.push(f64::from(sample) < least);
        });
        ink
    }

    /// Clears a pixel; returns whether it was dark.
    fn take(&mut self, column: usize, row: usize) -> bool {
        let place = row * self.width + column;
        let is_within = column < self.width && row < self.height;
        is_within && self.dark.get_mut(place).is_some_and(std::mem::take)
    }

    /// Collects the component of a pixel that was cleared.
    fn blot(&mut self, first: (usize, usize)) -> Blot {
        let (mut lowest, mut highest, mut pixels) = (first, first, 0.0);
        let mut pending = vec![first];
        while let Some((column, row)) = pending.pop() {
            pixels += 1.0;
            lowest = (lowest.0.min(column), lowest.1.min(row));
            highest = (highest.0.max(column), highest.1.max(row));
            for near_row in row.saturating_sub(1)..=row + 1 {
                for near in column.saturating_sub(1)..=column + 1 {
                    if self.take(near, near_row) {
                        pending.push((near, near_row));
                    }
                }
            }
        }
        let (x, y) = self.corner;
        Blot {
            place: Rectangle {
                left: x + number(lowest.0),
                top: y + number(lowest.1),
                right: x + number(highest.0 + 1),
                bottom: y + number(highest.1 + 1),
            },
            pixels,
            is_whole: lowest.0 > 0
                && lowest.1 > 0
                && highest.0 + 1 < self.width
                && highest.1 + 1 < self.height,
        }
    }
}
