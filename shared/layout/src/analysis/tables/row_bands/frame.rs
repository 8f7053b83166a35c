//! Decides which content between horizontal rules is a table.

use super::across::Across;
use super::bundle::Bundle;
use super::columns::Columns;
use super::interval::{Interval, crosses};
use super::padding::Padding;
use super::table::grid;
use crate::analysis::tables::grid::Grid;
use crate::analysis::tables::segment::Text;

/// Maximum number of lines of a row with content in one column only.
const ROW_LINES: usize = 3;
/// Tolerance for equal positions, points.
const SAME: f32 = 3.0;
/// Minimum distance of a rule below a table header, else it may be an underline, and its maximum distance from the header and
/// from the first row, as a fraction of the font size.
const UNDERLINE: f32 = 0.25;
const HEAD: f32 = 2.0;
/// Minimum number of rows below a header.
const BELOW: usize = 2;

/// Returns the tables of a bundle among these texts.
pub(super) fn tables(bundle: &Bundle, texts: &[Text]) -> Vec<Grid> {
    let frame = Frame { bundle, texts };
    if let [only] = bundle.lines.as_slice() {
        return frame.below_head(only).into_iter().collect();
    }
    let pairs = bundle.lines.iter().zip(bundle.lines.iter().skip(1));
    let intervals: Vec<Interval<'_>> = pairs
        .map(|(above, below)| Interval {
            top: above.y,
            bottom: below.y,
            texts: between(texts, above.y, below.y),
            above: Some(above),
            below: Some(below),
        })
        .collect();
    let mut tables = Vec::new();
    let mut open: &[Interval<'_>] = &intervals;
    while let Some(first) = open.iter().position(|interval| frame.is_tabular(interval)) {
        let before = open.get(..first).unwrap_or_default();
        let rows = before
            .iter()
            .rev()
            .take_while(|interval| frame.is_row(interval));
        let rest = open.get(first - rows.count()..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|interval| {
                !frame.is_tabular(interval) && !interval.may_be_between() && !frame.is_row(interval)
            })
            .unwrap_or(rest.len());
        let run = rest.get(..end).unwrap_or_default();
        let last = run
            .iter()
            .rposition(|interval| frame.is_tabular(interval) || frame.is_row(interval))
            .unwrap_or(0);
        tables.extend(frame.table(run.get(..=last).unwrap_or_default()));
        open = rest.get(end..).unwrap_or_default();
    }
    tables
}

fn between(texts: &[Text], top: f32, bottom: f32) -> &[Text] {
    let from = texts.partition_point(|text| text.baseline < top);
    let to = texts.partition_point(|text| text.baseline < bottom);
    texts.get(from..to.max(from)).unwrap_or_default()
}

/// A bundle with the texts in and near it.
struct Frame<'t> {
    bundle: &'t Bundle,
    texts: &'t [Text],
}

impl<'t> Frame<'t> {
    /// Whether there are texts side by side and none spans all columns.
    fn is_tabular(&self, interval: &Interval<'_>) -> bool {
        interval.texts.iter().any(|text| text.segments.len() > 1)
            && interval
                .texts
                .iter()
                .all(|text| self.is_narrow(interval, text))
    }

    /// Whether it may be a row with content in one column only.
    fn is_row(&self, interval: &Interval<'_>) -> bool {
        (1..=ROW_LINES).contains(&interval.texts.len())
            && interval.is_filled()
            && interval
                .texts
                .iter()
                .all(|text| self.is_narrow(interval, text))
    }

    fn is_narrow(&self, interval: &Interval<'_>, text: &Text) -> bool {
        let joints = || interval.lines().flat_map(|line| &line.joints);
        let is_alone = interval.texts.len() == 1;
        match joints().next() {
            Some(_) => crosses(text, joints()) == 0 || is_alone,
            None => text.widest() < self.bundle.width() * 0.75,
        }
    }

    fn table(&self, run: &[Interval<'t>]) -> Option<Grid> {
        let joints = joints(run);
        if run.len() < 2
            && joints.is_empty()
            && !run
                .iter()
                .all(|only| only.texts.len() > 1 && only.is_filled())
        {
            return None;
        }
        let texts = || run.iter().flat_map(|interval| interval.texts);
        if joints.is_empty() {
            let columns = Columns::of(texts())?;
            let is_prose = run.iter().any(|interval| columns.is_prose(interval.texts));
            return match is_prose {
                true => None,
                false => grid(run, &columns, false, (self.bundle.left, self.bundle.right)),
            };
        }
        let padding = Padding::of(run);
        let run = self.reaching_out(run, &joints, &padding);
        self.jointed(&run, &joints, &padding)
    }

    /// Returns the table whose header is above a rule with joints and whose rows below it have no rules.
    fn below_head(&self, line: &'t Across) -> Option<Grid> {
        let over = between(self.texts, f32::NEG_INFINITY, line.y);
        let under = between(self.texts, line.y, f32::INFINITY);
        let (head, first) = (over.last()?, under.first()?);
        let padding = Padding {
            above: first.baseline - line.y,
            below: line.y - head.baseline,
        };
        let is_near = (UNDERLINE..HEAD).contains(&(padding.below / head.size))
            && padding.above < first.size * HEAD;
        let between = Interval {
            top: line.y,
            bottom: line.y,
            texts: &[],
            above: Some(line),
            below: Some(line),
        };
        let run = self.reaching_out(&[between], &line.joints, &padding);
        let [_, _, rows] = run.as_slice() else {
            return None;
        };
        let several = |texts: &[Text]| texts.iter().filter(|text| text.segments.len() > 1).count();
        if !is_near || several(rows.texts) < BELOW {
            return None;
        }
        let mut grid = self.jointed(&run, &line.joints, &padding)?;
        let above = grid.ys.iter().skip(1);
        grid.head = Some(above.take_while(|y| **y < line.y + SAME).count());
        Some(grid)
    }

    /// Returns the table of a run of intervals with columns at these joints.
    fn jointed(&self, run: &[Interval<'t>], joints: &[f32], padding: &Padding) -> Option<Grid> {
        let edges = (self.bundle.left, self.bundle.right);
        let texts = run.iter().flat_map(|interval| interval.texts);
        let columns = Columns::between(joints, edges.0, texts);
        let limit = padding.limit(run, &columns);
        let rows = |limit| {
            let rows = run
                .iter()
                .flat_map(|interval| padding.rows(interval, limit));
            rows.collect::<Vec<Interval<'t>>>()
        };
        match limit {
            Some(limit) => grid(&rows(limit), &columns, true, edges),
            None => grid(run, &columns, self.bundle.is_framed, edges),
        }
    }

    /// Extends the table with rows above the first and below the last rule, which have a rule on one side only or none.
    fn reaching_out(
        &self,
        run: &[Interval<'t>],
        joints: &[f32],
        padding: &Padding,
    ) -> Vec<Interval<'t>> {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            return Vec::new();
        };
        let lines = || self.bundle.lines.iter().map(|line| line.y);
        let before = lines().rfind(|y| *y < first.top - 0.1);
        let after = lines().find(|y| *y > last.bottom + 0.1);
        let over = between(self.texts, before.unwrap_or(f32::NEG_INFINITY), first.top);
        let count = padding.count(over.iter().rev(), joints, |text| {
            first.top - text.baseline - padding.below
        });
        let over = over.get(over.len() - count..).unwrap_or_default();
        let under = between(self.texts, last.bottom, after.unwrap_or(f32::INFINITY));
        let count = padding.count(under.iter(), joints, |text| {
            text.baseline - last.bottom - padding.above
        });
        let under = under.get(..count).unwrap_or_default();
        let over = over.first().map(|text| Interval {
            top: text.baseline - padding.above,
            bottom: first.top,
            texts: over,
            above: None,
            below: first.above,
        });
        let under = under.last().map(|text| Interval {
            top: last.bottom,
            bottom: text.baseline + padding.below,
            texts: under,
            above: last.below,
            below: None,
        });
        let all = over.into_iter().chain(run.iter().cloned()).chain(under);
        all.collect()
    }
}

/// Returns the joints of the rules of a run, from left to right.
fn joints(run: &[Interval<'_>]) -> Vec<f32> {
    let lines = run.iter().flat_map(Interval::lines);
    let mut joints: Vec<f32> = lines.flat_map(|line| line.joints.iter().copied()).collect();
    joints.sort_by(f32::total_cmp);
    joints.dedup_by(|next, before| *next - *before < SAME);
    joints
}
