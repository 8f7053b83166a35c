//! Vertical cell padding: the space below the rule above a row and above the rule below it.

use super::columns::Columns;
use super::interval::{Interval, crosses};
use super::table::RULED;
use crate::analysis::tables::segment::Text;

/// Maximum line pitch within a row, as a fraction of the font size.
const STEP: f32 = 1.45;
/// Minimum difference between row pitch and line pitch, points: browsers round lines to whole pixels.
const LEAST: f32 = 1.6;
/// Minimum ratio of row pitch to line pitch.
const SPACED: f32 = 1.3;
/// Maximum line pitch within a row, as a fraction of the row pitch.
const NEAR: f32 = 0.9;
/// Tolerance for equal spaces, points.
const SAME: f32 = 0.75;

/// Space between texts and rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Padding {
    /// From a rule to the baseline of the first text below it.
    pub(super) above: f32,
    /// From the baseline of the last text to the rule below it.
    pub(super) below: f32,
}

impl Padding {
    pub(super) fn of(run: &[Interval<'_>]) -> Self {
        let least = |free: fn(&Interval<'_>) -> Option<f32>| {
            run.iter().filter_map(free).fold(f32::INFINITY, f32::min)
        };
        Self {
            above: least(|row| Some(row.texts.first()?.baseline - row.top)),
            below: least(|row| Some(row.bottom - row.texts.last()?.baseline)),
        }
    }

    /// Returns the pitch of rows with a single line.
    fn step(&self) -> f32 {
        self.above + self.below
    }

    /// Returns how many texts, from the nearest one, are rows beyond the outermost rule: the first must have the padding of the
    /// other rows.
    pub(super) fn count<'t>(
        &self,
        texts: impl Iterator<Item = &'t Text>,
        joints: &[f32],
        unlike: impl Fn(&Text) -> f32,
    ) -> usize {
        let mut texts = texts.peekable();
        let Some(first) = texts.peek() else { return 0 };
        let is_near = unlike(first).abs() <= first.size * 0.2 + 0.5;
        let mut last = first.baseline;
        let mut is_several = false;
        let rows = texts.take_while(|text| {
            let is_near = (text.baseline - last).abs() <= self.step().max(text.size * STEP) + SAME;
            last = text.baseline;
            is_several |= text.segments.len() > 1;
            is_near && crosses(text, joints.iter()) == 0
        });
        let count = rows.count();
        match is_near && is_several {
            true => count,
            false => 0,
        }
    }

    /// Returns the minimum distance of texts in different rows; `None` if unknown.
    pub(super) fn limit(&self, run: &[Interval<'_>], columns: &Columns) -> Option<f32> {
        let size = run.iter().find_map(|interval| interval.texts.first())?.size;
        let steps = run.iter().flat_map(|row| steps(row.texts, columns));
        let least = steps
            .filter(|step| *step > size * 0.8)
            .fold(f32::INFINITY, f32::min);
        let is_lines = self.step() - least > LEAST && least < self.step() * NEAR;
        // Lines of Arabic text within one row are far apart, too.
        let is_tall = |text: &Text| text.segments.iter().any(|segment| segment.is_tall);
        let texts = || run.iter().flat_map(|row| row.texts);
        let is_spaced = self.step() >= size * SPACED && !texts().any(is_tall);
        let are_whole = || texts().all(|text| text.segments.len() > 1);
        match () {
            () if is_lines => Some(f32::midpoint(least, self.step())),
            // With many rules, there is one between any two rows.
            () if run.len() >= RULED && least < self.step() * NEAR => Some(self.step() - SAME),
            () if run.len() < RULED && (is_spaced || are_whole()) => Some(0.0),
            () => None,
        }
    }

    /// Splits an interval into rows: texts of one row are closer than this.
    pub(super) fn rows<'t>(&self, interval: &Interval<'t>, limit: f32) -> Vec<Interval<'t>> {
        if interval.texts.is_empty() {
            return vec![interval.clone()];
        }
        let rows = interval
            .texts
            .chunk_by(|one, other| other.baseline - one.baseline < limit);
        let count = rows.clone().count();
        let mut top = interval.top;
        let rows = rows.enumerate().map(|(index, texts)| {
            let is_last = index + 1 == count;
            let end = texts.last().map(|text| text.baseline + self.below);
            let bottom = end.filter(|_| !is_last).unwrap_or(interval.bottom);
            Interval {
                top: std::mem::replace(&mut top, bottom),
                bottom,
                texts,
                above: interval.above.filter(|_| index == 0),
                below: interval.below.filter(|_| is_last),
            }
        });
        rows.collect()
    }
}

/// Returns the distances between consecutive texts of a column. Texts of other columns may be between them, where cells are
/// centered vertically.
fn steps(texts: &[Text], columns: &Columns) -> Vec<f32> {
    let mut last: Vec<Option<f32>> = vec![None; columns.count()];
    let mut steps = Vec::new();
    for text in texts {
        for segment in &text.segments {
            let (column, _) = columns.of_segment(segment);
            let Some(place) = last.get_mut(column) else {
                continue;
            };
            steps.extend(place.map(|before| text.baseline - before));
            *place = Some(text.baseline);
        }
    }
    steps
}
