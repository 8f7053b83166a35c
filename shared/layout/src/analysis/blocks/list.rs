//! List items and their nesting level.

use crate::analysis::blocks::group::{Group, without_marker};
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::marker::Marker;
use crate::analysis::lines::write::Writer;
use crate::model::block::Item;
use crate::model::geometry::Rect;

/// Minimum indent between levels, points.
const STEP: f32 = 4.0;
/// Maximum number of levels.
const LEVELS: usize = 9;

/// The open levels of a list.
#[derive(Default)]
pub(in crate::analysis) struct Nesting {
    levels: Vec<(Indent, Marker)>,
}

/// Where the marker and the text of an item begin.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct Indent {
    pub(in crate::analysis) marker: f32,
    pub(in crate::analysis) text: f32,
}

impl Indent {
    /// Whether it is deeper than another one: markers are aligned at either side.
    fn is_within(self, other: Self) -> bool {
        self.marker > other.marker + STEP && self.text > other.text + STEP
    }
}

impl Nesting {
    /// Creates an item; `true` if it begins a list.
    pub(in crate::analysis) fn item(
        &mut self,
        marker: Marker,
        text: &str,
        group: &Group,
        margins: Margins,
        writer: Writer<'_>,
    ) -> (Item, bool) {
        let (first, rest) = match group.lines.split_first() {
            Some((first, rest)) => (Some(without_marker(first)), rest),
            None => (None, [].as_slice()),
        };
        let line = group.lines.first();
        let start = line.map_or(0.0, |line| margins.start_of(line));
        let body = first.as_ref().and_then(|first| {
            let bounds = first.glyphs().map(|glyph| glyph.bounds);
            Some(margins.start(&Rect::around(bounds)?))
        });
        let indent = Indent {
            marker: start,
            text: body.unwrap_or(start),
        };
        let begins = self.open(indent, marker);
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
    pub(in crate::analysis) fn level(&self) -> u8 {
        u8::try_from(self.levels.len().saturating_sub(1)).unwrap_or(0)
    }

    /// Opens the level with this start, or returns to it.
    pub(in crate::analysis) fn open(&mut self, start: Indent, marker: Marker) -> bool {
        while self.levels.len() > 1
            && self
                .levels
                .last()
                .is_some_and(|(last, _)| last.is_within(start))
        {
            self.levels.pop();
        }
        let depth = self.levels.len();
        match self.levels.last_mut() {
            Some((last, _)) if start.is_within(*last) && depth < LEVELS => {
                self.levels.push((start, marker));
                false
            }
            Some((last, before)) => {
                let is_other = before.is_ordered() != marker.is_ordered()
                    || marker.is_ordered() && marker.is_first();
                last.marker = start.marker.min(last.marker);
                last.text = start.text.min(last.text);
                *before = marker;
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
pub(in crate::analysis) fn shown(text: &str) -> String {
    let known = |character: char| match character {
        '\u{f0a7}' | '\u{f06e}' => '▪',
        '\u{f000}'..='\u{f0ff}' => '•',
        other => other,
    };
    text.chars().map(known).collect()
}
