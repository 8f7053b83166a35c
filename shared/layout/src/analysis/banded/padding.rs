//! What rows leave free below the line above them and above the line below.

use super::columns::Columns;
use super::interval::{Interval, crosses};
use super::segment::Text;
use super::table::RULED;

/// The most space from line to line within a row, in parts of the size.
const STEP: f32 = 1.45;
/// How much more it is at least, points: browsers put lines on whole pixels.
const LEAST: f32 = 1.6;
/// The space from row to row that is more than that from line to line, in parts of the size.
const SPACED: f32 = 1.3;
/// How near lines of one row are at most, in parts of the space from row to row.
const NEAR: f32 = 0.9;
/// How unlike spaces are that are the same, points.
const SAME: f32 = 0.75;

/// Spaces between texts and lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Padding {
    /// From a line to the baseline of the first text below it.
    pub(super) above: f32,
    /// From the baseline of the last text to the line below it.
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

    /// How far it is from row to row, where these are of one line.
    fn step(&self) -> f32 {
        self.above + self.below
    }

    /// How many texts from the nearest one on are of rows beyond the outermost line: the first is as far from it as texts of
    /// other rows are from theirs.
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

    /// The distance of texts from which on rows are parted; none where that is not known.
    pub(super) fn limit(&self, run: &[Interval<'_>], columns: &Columns) -> Option<f32> {
        let size = run.iter().find_map(|interval| interval.texts.first())?.size;
        let steps = run.iter().flat_map(|row| steps(row.texts, columns));
        let least = steps
            .filter(|step| *step > size * 0.8)
            .fold(f32::INFINITY, f32::min);
        let is_lines = self.step() - least > LEAST && least < self.step() * NEAR;
        // Lines of Arabic are far from each other in one row, too.
        let is_tall = |text: &Text| text.segments.iter().any(|segment| segment.from_right);
        let texts = || run.iter().flat_map(|row| row.texts);
        let is_spaced = self.step() >= size * SPACED && !texts().any(is_tall);
        let are_whole = || texts().all(|text| text.segments.len() > 1);
        match () {
            () if is_lines => Some(f32::midpoint(least, self.step())),
            // Where many lines are drawn they are between rows.
            () if run.len() >= RULED && least < self.step() * NEAR => Some(self.step() - SAME),
            () if run.len() < RULED && (is_spaced || are_whole()) => Some(0.0),
            () => None,
        }
    }

    /// Its rows: texts of one are nearer to each other than this.
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

/// The distances between texts that follow each other in one column: in other columns lines of the same row may stand between
/// them, where cells have theirs in the middle.
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
