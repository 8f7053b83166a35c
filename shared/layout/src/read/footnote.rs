//! Footnotes: small text at the foot of a page, each with the label that refers to it.

use super::edges::rows;
use super::facts::Facts;
use super::line::Line;
use super::write::Writer;
use crate::geometry::Rect;
use crate::model::block::{Block, Content};
use crate::model::text::Script;
use crate::sheet::Stroke;

/// How much smaller than other text notes are at most, where a line parts them from it and where none does.
const RULED: f32 = 1.01;
const UNRULED: f32 = 0.93;
/// The part of a page's height above which no notes are.
const UPPER: f32 = 0.25;

/// Takes the footnotes out of the lines of a page, and the line above them out of its strokes.
pub(super) fn take(
    lines: &mut Vec<Line>,
    strokes: &mut Vec<Stroke>,
    page: &Rect,
    facts: &Facts,
    writer: Writer<'_>,
) -> Vec<Block> {
    let ruled = strokes
        .iter()
        .position(|stroke| is_above_notes(stroke, lines, page, facts));
    let top = match ruled {
        Some(index) => strokes.remove(index).bounds.centre().1,
        None => match unruled(lines, page, facts) {
            Some(top) => top,
            None => return Vec::new(),
        },
    };
    let (notes, body): (Vec<_>, Vec<_>) = std::mem::take(lines)
        .into_iter()
        .partition(|line| line.core().end > top && !line.is_turned());
    *lines = body;
    blocks(notes, writer)
}

/// Whether a stroke is a short one with nothing but small text below it that begins with a label.
fn is_above_notes(stroke: &Stroke, lines: &[Line], page: &Rect, facts: &Facts) -> bool {
    let (_, y) = stroke.bounds.centre();
    let width = stroke.bounds.width();
    if !stroke.is_level() || width < 30.0 || width > page.width() * 0.5 || y < page.height() * UPPER
    {
        return false;
    }
    let below = lines.iter().filter(|line| line.core().start > y);
    let below = rows(below.cloned());
    let is_near = below
        .first()
        .and_then(|row| row.first())
        .is_some_and(|line| line.core().start - y < line.size * 2.5);
    let is_beside = lines
        .iter()
        .any(|line| line.core().start < y && y < line.core().end);
    is_near && !is_beside && are_notes(&below, facts.size() * RULED)
}

fn are_notes(rows: &[Vec<Line>], largest: f32) -> bool {
    let first = rows.first().and_then(|row| row.first());
    first.is_some_and(|line| label(line).is_some())
        && rows.iter().flatten().all(|line| line.size <= largest)
}

/// Where notes begin without a line above them: small lines down to the foot, of which the first has a raised label.
fn unruled(lines: &[Line], page: &Rect, facts: &Facts) -> Option<f32> {
    let rows = rows(lines.iter().filter(|line| !line.is_turned()).cloned());
    let is_small = |row: &Vec<Line>| {
        row.iter().all(|line| {
            line.size <= facts.size() * UNRULED && line.baseline > page.height() * UPPER
        })
    };
    let small = rows.iter().rev().take_while(|row| is_small(row)).count();
    let notes = rows.get(rows.len() - small..)?;
    let is_first = |row: &&Vec<Line>| {
        row.first()
            .is_some_and(|line| label(line).is_some_and(|(_, is_raised)| is_raised))
    };
    let first = notes.iter().find(is_first)?.first()?;
    Some(first.core().start - first.size * 0.3)
}

/// The label that a line begins with, and whether it is raised.
pub(super) fn label(line: &Line) -> Option<(String, bool)> {
    let first = line.pieces.first().filter(|_| line.pieces.len() > 1)?;
    let text = first.text();
    let text = text.trim_end_matches(['.', ')']);
    let is_raised = first.glyphs.first()?.script == Script::Super;
    let is_number = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = (1..=3).contains(&text.chars().count())
        && text.chars().all(|character| "*†‡§¶".contains(character));
    let is_letter = is_raised
        && text.len() <= 4
        && text.bytes().all(|byte| byte.is_ascii_lowercase())
        && !text.is_empty();
    (is_number || is_sign || is_letter).then(|| (text.to_owned(), is_raised))
}

fn blocks(lines: Vec<Line>, writer: Writer<'_>) -> Vec<Block> {
    let mut notes: Vec<(String, Vec<Line>)> = Vec::new();
    for row in rows(lines) {
        let Some(line) = row.into_iter().reduce(Line::joined) else {
            continue;
        };
        match (label(&line), notes.last_mut()) {
            (Some((label, _)), _) => notes.push((label, vec![super::group::without_marker(&line)])),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => notes.push((String::new(), vec![line])),
        }
    }
    let notes = notes.into_iter().map(|(label, lines)| Block {
        bounds: Rect::around(lines.iter().map(|line| line.bounds)),
        content: Content::Footnote {
            label,
            runs: writer.runs(&lines),
        },
    });
    notes.collect()
}
