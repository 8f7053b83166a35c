//! Heads of tables that are repeated at the top of each page.

use super::line::Line;
use crate::model::page_content::Stroke;

/// How far the rows of a table are apart at most, in parts of the size, and those of a table of more than two columns or of one
/// whose head is ruled off.
const NEAR: f32 = 2.2;
const FAR: f32 = 3.5;
/// How many rows are looked at that may be of the table below a head.
const BODY: usize = 4;
/// How many columns of a table say that it is one where the others are empty in a row.
const COLUMNS: usize = 3;
/// How far the columns of a table are apart that are no columns of text, in parts of the size.
const WIDE: f32 = 4.0;

/// How many of these first rows, from the last of them upwards, are the head of a table, which is repeated on each page: the table
/// stands close below them in their columns.
pub(super) fn head(rows: &[&Vec<Line>], count: usize, strokes: &[Stroke]) -> usize {
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

/// How far a row is below another one, in parts of the size.
fn step(above: &[Line], below: &[Line]) -> Option<f32> {
    let (above, below) = (above.first()?, below.first()?);
    Some((below.baseline - above.baseline) / above.size)
}

/// Whether a line is drawn below the names of two columns that are no columns of text.
fn is_ruled_off(row: &[Line], below: &[Line], strokes: &[Stroke]) -> bool {
    let ([left, right], [one, other]) = (row, below) else {
        return false;
    };
    let is_between = |stroke: &Stroke| {
        let bounds = stroke.bounds;
        stroke.is_level()
            && (left.baseline..one.baseline).contains(&bounds.centre().1)
            && bounds.left < left.bounds.right
            && bounds.right > right.bounds.left
    };
    other.bounds.left - one.bounds.right > one.size * WIDE && strokes.iter().any(is_between)
}

/// Whether what stands in two rows is in the same columns.
fn are_columns(row: &[Line], other: &[Line]) -> bool {
    are_all(row, other) || are_some(row, other)
}

/// Whether both have all columns: none reaches into the next one.
fn are_all(row: &[Line], other: &[Line]) -> bool {
    let columns = row.iter().zip(other).map(|(one, other)| {
        let (one, other) = (one.bounds, other.bounds);
        (one.left.min(other.left), one.right.max(other.right))
    });
    let columns: Vec<(f32, f32)> = columns.collect();
    row.len() == other.len() && columns.is_sorted_by(|one, other| one.1 < other.0)
}

/// Whether everything in the other row is below one thing each of this one, in a table that leaves cells empty.
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
