//! First-line indents of paragraphs.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker::Marker;

/// First-line indent, as a fraction of the font size.
const LEAST: f32 = 0.7;
const MOST: f32 = 6.0;
/// Maximum line pitch of a paragraph, as a fraction of the font size.
const APART: f32 = 2.2;

/// Minimum number of paragraphs with the same indent.
const SEVERAL: usize = 3;

/// Starts of first and second lines of paragraphs, points, with their frequency.
pub(in crate::analysis) struct Inset {
    places: HashSet<(i32, i32)>,
    /// Number of paragraphs by start of their first line.
    begins: HashMap<i32, usize>,
}

impl Inset {
    /// Collects the indents of lines, sorted from top to bottom; some lines begin list items.
    pub(in crate::analysis) fn of(
        lines: &[Line],
        markers: &[Option<(Marker, String)>],
        margins: Margins,
    ) -> Self {
        let pairs = lines.windows(2).zip(markers.windows(2));
        let places = pairs.filter_map(|(lines, markers)| match (lines, markers) {
            ([one, other], [None, None]) => {
                let step = margins.start_of(one) - margins.start_of(other);
                let apart = other.baseline - one.baseline;
                let is_inset = (one.size * LEAST..one.size * MOST).contains(&step)
                    && (0.0..one.size * APART).contains(&apart);
                is_inset.then(|| places(one, other, margins))
            }
            _ => None,
        });
        let mut inset = Self {
            places: HashSet::new(),
            begins: HashMap::new(),
        };
        for (begin, on) in places {
            inset.places.insert((begin, on));
            *inset.begins.entry(begin).or_default() += 1;
        }
        inset
    }

    /// Whether a paragraph has the start of `one` as its first-line and that of `other` as its second-line start.
    pub(in crate::analysis) fn has(&self, one: &Line, other: &Line, margins: Margins) -> bool {
        let (begin, on) = places(one, other, margins);
        near(begin).any(|begin| near(on).any(|on| self.places.contains(&(begin, on))))
    }

    /// Whether both lines begin where several paragraphs do, so that each is a paragraph of its own.
    pub(in crate::analysis) fn begins_both(
        &self,
        one: &Line,
        other: &Line,
        margins: Margins,
    ) -> bool {
        let (one, other) = places(one, other, margins);
        let both = near(one).filter(|place| near(other).contains(place));
        let begun = both.filter_map(|place| self.begins.get(&place));
        begun.sum::<usize>() >= SEVERAL
    }
}

fn near(place: i32) -> RangeInclusive<i32> {
    place - 1..=place + 1
}

fn places(one: &Line, other: &Line, margins: Margins) -> (i32, i32) {
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    let place = |line: &Line| margins.start_of(line).round() as i32;
    (place(one), place(other))
}
