//! Where first lines of paragraphs stand in, and where their text goes on.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::column::Margins;
use super::line::Line;
use super::marker::Marker;

/// How far first lines stand in, in parts of their size.
const LEAST: f32 = 0.7;
const MOST: f32 = 6.0;
/// How far apart lines of one paragraph are at most, in parts of their size.
const APART: f32 = 2.2;

/// How many paragraphs show that all of them stand in there.
const SEVERAL: usize = 3;

/// The places at which paragraphs begin and go on, points, and how many of them do so.
pub(super) struct Inset {
    places: HashSet<(i32, i32)>,
    /// How many begin at a place.
    begins: HashMap<i32, usize>,
}

impl Inset {
    /// That of lines from top to bottom, of which some begin items.
    pub(super) fn of(
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

    /// Whether some paragraph begins where one line does and goes on where the other one does.
    pub(super) fn has(&self, one: &Line, other: &Line, margins: Margins) -> bool {
        let (begin, on) = places(one, other, margins);
        near(begin).any(|begin| near(on).any(|on| self.places.contains(&(begin, on))))
    }

    /// Whether two lines below each other stand where several paragraphs begin, so that each is one.
    pub(super) fn begins_both(&self, one: &Line, other: &Line, margins: Margins) -> bool {
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
