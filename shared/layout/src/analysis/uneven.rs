//! Borderless tables with multi-line cells: rows begin in all columns at once, cells end at different heights.

pub(super) mod centered;

use super::band::{Band, Span};
use super::pace;

/// Minimum number of rows.
const ROWS: usize = 3;

/// Returns which bands begin a row of such a table. Text columns differ: text continues in one column where it ends in another,
/// and baselines diverge.
pub(super) fn starts(run: &[Band], gaps: &[Span], size: f32) -> Option<Vec<bool>> {
    let steps = steps(run)?;
    let limit = pace::split(&steps, size)?;
    let mut starts = vec![true];
    starts.extend(steps.iter().map(|step| *step > limit));
    let columns: Vec<Vec<usize>> = run.iter().map(|band| band.columns(gaps)).collect();
    let rows = starts.iter().filter(|start| **start).count();
    let (mut whole, mut uneven, mut broken) = (0, 0, 0);
    for (index, is_start) in starts.iter().enumerate() {
        let here = columns.get(index)?;
        if *is_start {
            whole += usize::from(here.first() == Some(&0) && here.len() > 1);
            continue;
        }
        let above = columns.get(index.checked_sub(1)?)?;
        broken += usize::from(here.iter().any(|column| !above.contains(column)));
        uneven += usize::from(here.len() < above.len());
    }
    let lines = starts.len() - rows;
    // If all cells have a single line, the line pitch is not conclusive.
    let is_table = rows >= ROWS
        && lines > 0
        && whole * 5 >= rows * 4
        && broken * 10 <= rows
        && uneven * 2 >= rows.saturating_sub(1);
    is_table.then_some(starts)
}

/// Returns the distances between bands; `None` if adjacent lines have different baselines.
fn steps(run: &[Band]) -> Option<Vec<f32>> {
    let heights = run.iter().map(|band| {
        let lines: Option<Vec<f32>> = band
            .atoms
            .iter()
            .map(|atom| atom.line().map(|line| line.baseline))
            .collect();
        let lines = lines?;
        let least = lines.iter().copied().fold(f32::INFINITY, f32::min);
        let most = lines.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        (most - least < 1.0).then_some(least)
    });
    let heights: Option<Vec<f32>> = heights.collect();
    let heights = heights?;
    Some(
        heights
            .iter()
            .zip(heights.iter().skip(1))
            .map(|(one, other)| other - one)
            .collect(),
    )
}
