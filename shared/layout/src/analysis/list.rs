//! List items and their nesting level.

use super::column::Margins;
use super::group::{Group, without_marker};
use super::marker::Marker;
use super::write::Writer;
use crate::model::block::Item;

/// Minimum indent between levels, points.
const STEP: f32 = 4.0;
/// Maximum number of levels.
const LEVELS: usize = 9;

/// The open levels of a list.
#[derive(Default)]
pub(super) struct Nesting {
    levels: Vec<(f32, Marker)>,
}

impl Nesting {
    /// Creates an item; `true` if it begins a list.
    pub(super) fn item(
        &mut self,
        marker: Marker,
        text: &str,
        group: &Group,
        margins: Margins,
        writer: Writer<'_>,
    ) -> (Item, bool) {
        let start = group
            .lines
            .first()
            .map_or(0.0, |line| margins.start_of(line));
        let begins = self.open(start, marker);
        let (first, rest) = match group.lines.split_first() {
            Some((first, rest)) => (Some(without_marker(first)), rest),
            None => (None, [].as_slice()),
        };
        let item = Item {
            level: self.level(),
            ordered: marker.is_ordered(),
            marker: shown(text),
            runs: writer.runs(
                first
                    .iter()
                    .filter(|line| !line.pieces.is_empty())
                    .chain(rest),
            ),
        };
        (item, begins)
    }

    /// Returns the current level, from 0.
    pub(super) fn level(&self) -> u8 {
        u8::try_from(self.levels.len().saturating_sub(1)).unwrap_or(0)
    }

    /// Opens the level with this start, or returns to it.
    pub(super) fn open(&mut self, start: f32, marker: Marker) -> bool {
        while self.levels.len() > 1
            && self
                .levels
                .last()
                .is_some_and(|(last, _)| *last > start + STEP)
        {
            self.levels.pop();
        }
        let depth = self.levels.len();
        match self.levels.last_mut() {
            Some((last, _)) if start > *last + STEP && depth < LEVELS => {
                self.levels.push((start, marker));
                false
            }
            Some((last, before)) => {
                let is_other = before.is_ordered() != marker.is_ordered()
                    || marker.is_ordered() && marker.is_first();
                (*last, *before) = (start.min(*last), marker);
                is_other && depth == 1
            }
            None => {
                self.levels.push((start, marker));
                true
            }
        }
    }
}

/// Returns a marker in Unicode; symbol fonts have bullets at private code points.
pub(super) fn shown(text: &str) -> String {
    let known = |character: char| match character {
        '\u{f0a7}' | '\u{f06e}' => '▪',
        '\u{f000}'..='\u{f0ff}' => '•',
        other => other,
    };
    text.chars().map(known).collect()
}
