//! Detects table headers that are repeated at the top of each page.

use crate::analysis::lines::line::Line;
use crate::model::page_content::Stroke;

/// Maximum row pitch, as a fraction of the font size; the larger one for tables with more than two columns or a ruled header.
const NEAR: f32 = 2.2;
const FAR: f32 = 3.5;
/// Maximum number of rows below the header that are examined.
const BODY: usize = 4;
/// Minimum number of columns of a table with empty cells.
const COLUMNS: usize = 3;
/// Minimum gap between table columns in contrast to text columns, as a fraction of the font size.
const WIDE: f32 = 4.0;

/// Returns how many of the first `count` rows, counted from the last of them upward, are a table header: the table follows
/// closely in the same columns.
pub(in crate::analysis) fn head(rows: &[&Vec<Line>], count: usize, strokes: &[Stroke]) -> usize {
    let (repeated, body) = rows.split_at(count.min(rows.len()));
    let mut found = 0;
    let mut below = body.first().copied();
    for (index, row) in repeated.iter().enumerate().rev() {
        let is_far = row.len() > 2
            || found > 0
            || below.is_some_and(|below| is_ruled_off(row, below, strokes));
        let nearest = if is_far { FAR } else { NEAR };
        if below
            .and_then(|below| step(row, below))
            .is_none_or(|step| step >= nearest)
        {
            break;
        }
        if row.len() > 1 && body.iter().take(BODY).any(|body| are_columns(row, body)) {
            found = repeated.len() - index;
        }
        below = Some(row);
    }
    found
}

/// Returns the distance of two rows, as a fraction of the font size.
fn step(above: &[Line], below: &[Line]) -> Option<f32> {
    let (above, below) = (above.first()?, below.first()?);
    Some((below.baseline - above.baseline) / above.size)
}

/// Whether there is a rule below the headers of two columns that are not text columns.
fn is_ruled_off(row: &[Line], below: &[Line], strokes: &[Stroke]) -> bool {
    let ([left, right], [one, other]) = (row, below) else {
        return false;
    };
    let is_between = |stroke: &Stroke| {
        let bounds = stroke.bounds;
        stroke.is_horizontal()
            && (left.baseline..one.baseline).contains(&bounds.center().1)
            && bounds.left < left.bounds.right
            && bounds.right > right.bounds.left
    };
    other.bounds.left - one.bounds.right > one.size * WIDE && strokes.iter().any(is_between)
}

/// Whether two rows have the same columns.
fn are_columns(row: &[Line], other: &[Line]) -> bool {
    are_all(row, other) || are_some(row, other)
}

/// Whether both rows fill all columns without overlap.
fn are_all(row: &[Line], other: &[Line]) -> bool {
    let columns = row.iter().zip(other).map(|(one, other)| {
        let (one, other) = (one.bounds, other.bounds);
        (one.left.min(other.left), one.right.max(other.right))
    });
    let columns: Vec<(f32, f32)> = columns.collect();
    row.len() == other.len() && columns.is_sorted_by(|one, other| one.1 < other.0)
}

/// Whether each text of the other row is below one text of this row, in a table with empty cells.
fn are_some(row: &[Line], other: &[Line]) -> bool {
    let name = |line: &Line| {
        let is_above = |name: &&Line| {
            name.bounds.left < line.bounds.right && line.bounds.left < name.bounds.right
        };
        let mut names = (0..).zip(row).filter(|(_, name)| is_above(name));
        let first = names.next().map(|(at, _): (usize, _)| at);
        first.filter(|_| names.next().is_none())
    };
    let names: Option<Vec<usize>> = other.iter().map(name).collect();
    names
        .is_some_and(|names| names.len() >= COLUMNS && names.is_sorted_by(|one, other| one < other))
}
