//! Connected components of touching lines.

use std::collections::BTreeMap;

use crate::analysis::tables::strokes::Lines;

/// Maximum distance of touching lines, points.
const TOUCH: f32 = 2.5;
/// Maximum number of compared pairs.
const PAIRS: usize = 2_000_000;

/// Splits a drawing into connected components and keeps those with two lines in each direction.
pub(in crate::analysis) fn connected(lines: &Lines) -> Vec<Lines> {
    let levels = lines.level.len();
    let mut upright: Vec<usize> = (0..lines.upright.len()).collect();
    let x = |index: &usize| {
        lines
            .upright
            .get(*index)
            .map_or(0.0, |line| line.center().0)
    };
    upright.sort_by(|one, other| x(one).total_cmp(&x(other)));
    let mut sets = Sets::new(levels + upright.len());
    let mut pairs = PAIRS;
    for (number, level) in lines.level.iter().enumerate() {
        let from = upright.partition_point(|index| x(index) < level.left - TOUCH);
        for index in upright
            .iter()
            .skip(from)
            .take_while(|index| x(index) <= level.right + TOUCH)
        {
            let Some(left) = pairs.checked_sub(1) else {
                return Vec::new();
            };
            pairs = left;
            let (_, y) = level.center();
            let touches = |line: &crate::Rect| line.top - TOUCH <= y && y <= line.bottom + TOUCH;
            if lines.upright.get(*index).is_some_and(touches) {
                sets.join(number, levels + index);
            }
        }
    }
    parts(lines, &mut sets)
}

fn parts(lines: &Lines, sets: &mut Sets) -> Vec<Lines> {
    let mut parts: BTreeMap<usize, Lines> = BTreeMap::new();
    for (number, line) in lines.level.iter().enumerate() {
        parts
            .entry(sets.first(number))
            .or_default()
            .level
            .push(*line);
    }
    for (number, line) in lines.upright.iter().enumerate() {
        let first = sets.first(lines.level.len() + number);
        parts.entry(first).or_default().upright.push(*line);
    }
    let parts = parts.into_values();
    parts
        .filter(|part| part.level.len() > 1 && part.upright.len() > 1)
        .collect()
}

/// Disjoint sets (union-find).
pub(in crate::analysis) struct Sets(Vec<usize>);

impl Sets {
    /// Creates a set for each number below `count`.
    pub(in crate::analysis) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Returns the representative of a number's set.
    pub(in crate::analysis) fn first(&mut self, number: usize) -> usize {
        let mut first = number;
        while let Some(before) = self.0.get(first).copied().filter(|before| *before != first) {
            let further = self.0.get(before).copied().unwrap_or(before);
            self.0
                .get_mut(first)
                .into_iter()
                .for_each(|place| *place = further);
            first = before;
        }
        first
    }

    /// Merges two sets.
    pub(in crate::analysis) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        let (less, more) = (one.min(other), one.max(other));
        self.0
            .get_mut(more)
            .into_iter()
            .for_each(|place| *place = less);
    }
}
