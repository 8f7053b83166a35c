//! Detects footnotes: small text at the bottom of a page that begins with a label.

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::Piece;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker;
use crate::analysis::lines::write::Writer;
use crate::analysis::survey::headers_footers::{is_beside, rows};
use crate::analysis::survey::statistics::DocumentStatistics;
use crate::model::block::{Block, Content};
use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;
use crate::model::text::{Run, Script};

/// Maximum ratio of the size of notes to that of other text, with and without a rule above them.
const RULED: f32 = 1.01;
const UNRULED: f32 = 0.93;
/// Height of the upper part of a page that has no notes, as a fraction of the page height.
const UPPER: f32 = 0.25;
/// Maximum distance of the start of notes from the end of the rule above them, points.
const REACH: f32 = 30.0;

/// Maximum space between label and note, as a fraction of the font size, and tolerance for the start of notes, points.
const APART: f32 = 2.5;
const LEVEL: f32 = 1.5;

/// Maximum number of strokes of a page that are tried as the rule above notes.
const TRIED: usize = 200;
/// Maximum number of lines below a rule that are examined for detached labels.
const NOTES: usize = 500;

/// Side of the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum Side {
    Left,
    Right,
}

/// Removes the footnotes from the lines of a page, and the rules above them from its strokes.
pub(in crate::analysis) fn take(
    lines: &mut Vec<Line>,
    strokes: &mut Vec<Stroke>,
    page: &Rect,
    statistics: &DocumentStatistics,
    writer: Writer<'_>,
) -> Vec<Block> {
    let mut areas = ruled(lines, strokes, page, statistics);
    if areas.is_empty()
        && let Some(top) = unruled(lines, page, statistics)
    {
        areas.push(Rect { top, ..*page });
    }
    areas.sort_by(|one, other| one.left.total_cmp(&other.left));
    let mut blocks = Vec::new();
    for area in areas {
        let is_note =
            |line: &Line| !line.is_turned() && line.core().end > area.top && is_within(line, &area);
        let (notes, body): (Vec<_>, Vec<_>) = std::mem::take(lines).into_iter().partition(is_note);
        *lines = body;
        blocks.extend(self::blocks(notes, writer));
    }
    blocks
}

/// Returns the areas below the rules above notes, which are removed from the strokes.
fn ruled(
    lines: &[Line],
    strokes: &mut Vec<Stroke>,
    page: &Rect,
    statistics: &DocumentStatistics,
) -> Vec<Rect> {
    let upright = upright(lines);
    let (mut areas, mut tried) = (Vec::new(), 0);
    strokes.retain(|stroke| {
        if tried >= TRIED || !may_part(stroke, page) {
            return true;
        }
        tried += 1;
        let area = below(stroke, &upright, lines, page, statistics);
        areas.extend(area);
        area.is_none()
    });
    areas
}

fn is_within(line: &Line, area: &Rect) -> bool {
    let (x, _) = line.bounds.center();
    (area.left..=area.right).contains(&x)
}

/// Whether a stroke may be the rule above notes: short, and not in the upper part of the page.
fn may_part(stroke: &Stroke, page: &Rect) -> bool {
    let (_, y) = stroke.bounds.center();
    let is_short = (30.0..=page.width() * 0.5).contains(&stroke.bounds.width());
    stroke.is_horizontal() && is_short && y >= page.height() * UPPER
}

/// Returns the unrotated lines from top to bottom.
fn upright(lines: &[Line]) -> Vec<&Line> {
    let mut upright: Vec<&Line> = lines.iter().filter(|line| !line.is_turned()).collect();
    upright.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    upright
}

/// Returns the area below a stroke if its column contains only small text below it that begins with a label.
fn below(
    stroke: &Stroke,
    upright: &[&Line],
    lines: &[Line],
    page: &Rect,
    statistics: &DocumentStatistics,
) -> Option<Rect> {
    let (_, y) = stroke.bounds.center();
    let below = || upright.iter().filter(|line| line.core().start > y);
    let at_left = |line: &&&Line| (line.bounds.left - stroke.bounds.left).abs() < REACH;
    let at_right = |line: &&&Line| (line.bounds.right - stroke.bounds.right).abs() < REACH;
    // Notes begin where the stroke begins and are as wide as the longest of them.
    // The rule may be on the left though right-to-left notes begin on the right.
    let is_apart = |line: &&&Line| line.is_mirrored() && line.bounds.right < stroke.bounds.right;
    let column = Rect::around(below().filter(at_left).map(|line| line.bounds))
        .or_else(|| Rect::around(below().filter(at_right).map(|line| line.bounds)))
        .or_else(|| Rect::around(below().filter(is_apart).map(|line| line.bounds)))?;
    let area = Rect {
        left: column.left.min(stroke.bounds.left) - 1.0,
        right: column.right.max(stroke.bounds.right) + 1.0,
        top: y,
        bottom: page.bottom,
    };
    let notes = || below().copied().filter(|line| is_within(line, &area));
    let first = first(notes())?;
    let is_near = first.core().start - y < first.size * 2.5;
    let label = label(first);
    let has_label = label.is_some();
    // A list below a rule has the size of the text and no marks in it.
    let is_note =
        label.is_some_and(|label| label.is_raised || is_referred_to(&label, lines, &area));
    let most = if is_note { RULED } else { UNRULED };
    let is_small = || notes().all(|line| line.size <= statistics.size() * most);
    let is_beside = || {
        lines.iter().any(|line| {
            line.core().start < y
                && y < line.core().end
                && line.bounds.shared_width(&stroke.bounds) > 0.0
        })
    };
    let is_labeled = || has_label || are_counted(notes().take(NOTES).cloned());
    (is_near && is_small() && !is_beside() && is_labeled()).then_some(area)
}

/// Whether a line outside of an area has the mark of a note: a sign, or a raised number.
fn is_referred_to(label: &Label, lines: &[Line], notes: &Rect) -> bool {
    let is_number = label.text.bytes().all(|byte| byte.is_ascii_digit());
    let is_mark = |glyph: &&Glyph| !is_number || glyph.script == Script::Super;
    let mut body = lines
        .iter()
        .filter(|line| !notes.contains(line.bounds.center()));
    body.any(|line| {
        let marks: String = line
            .glyphs()
            .map(|glyph| if is_mark(&glyph) { glyph.text } else { ' ' })
            .collect();
        let marks = marker::latin_digits(&marks);
        match is_number {
            true => marks
                .split(|text: char| !text.is_ascii_digit())
                .any(|mark| mark == label.text),
            false => marks.contains(&label.text),
        }
    })
}

/// Whether lines are notes with detached labels: each row is a consecutive number and a text.
fn are_counted(lines: impl Iterator<Item = Line>) -> bool {
    let rows = rows(lines);
    let text = match rows.first().map(Vec::as_slice) {
        Some([number, text]) if text.bounds.left - number.bounds.right < text.size * APART => {
            text.bounds.left
        }
        _ => return false,
    };
    let mut last: Option<u32> = None;
    rows.into_iter().all(|row| {
        let begins = row
            .last()
            .is_some_and(|line| (line.bounds.left - text).abs() < LEVEL);
        let count = row.len();
        let Some(line) = Line::joined(row) else {
            return false;
        };
        let Some(number) = label(&line).and_then(|label| label.text.parse().ok()) else {
            return begins && count == 1 && last.is_some();
        };
        let is_next = last.is_none_or(|last| last.checked_add(1) == Some(number));
        last = Some(number);
        is_next && (count == 1 || count == 2 && begins)
    })
}

/// Returns the first line in reading order of the first row.
fn first<'l>(mut lines: impl Iterator<Item = &'l Line>) -> Option<&'l Line> {
    let top = lines.next()?;
    let beside = lines.take_while(|line| is_beside(top, line));
    std::iter::once(top)
        .chain(beside)
        .min_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left))
}

/// Returns the upper edge of notes without a rule above them: small lines down to the bottom, the first of them with a
/// superscript label.
fn unruled(lines: &[Line], page: &Rect, statistics: &DocumentStatistics) -> Option<f32> {
    let rows = rows(lines.iter().filter(|line| !line.is_turned()).cloned());
    let is_small = |row: &Vec<Line>| {
        row.iter().all(|line| {
            line.size <= statistics.size() * UNRULED && line.baseline > page.height() * UPPER
        })
    };
    let small = rows.iter().rev().take_while(|row| is_small(row)).count();
    let notes = rows.get(rows.len() - small..)?;
    let is_first = |row: &&Vec<Line>| {
        row.first()
            .is_some_and(|line| label(line).is_some_and(|label| label.is_raised))
    };
    let first = notes.iter().find(is_first)?.first()?;
    Some(first.core().start - first.size * 0.3)
}

/// The label of a note.
pub(in crate::analysis) struct Label {
    pub(in crate::analysis) text: String,
    is_raised: bool,
    pub(in crate::analysis) side: Side,
}

/// Returns the label that a line begins with.
pub(in crate::analysis) fn label(line: &Line) -> Option<Label> {
    let right = || label_of(line, line.pieces.last()?, Side::Right);
    let left = || label_of(line, line.pieces.first()?, Side::Left);
    // Notes of right-to-left text are often aligned left.
    match bidi::is_mostly_from_right(line.glyphs()) {
        true => right().or_else(|| left().filter(|_| !line.is_mirrored())),
        false => left().or_else(|| right().filter(|_| line.is_mirrored())),
    }
}

fn label_of(line: &Line, piece: &Piece, side: Side) -> Option<Label> {
    let text = marker::latin_digits(&piece.text());
    let text = text.trim_end_matches(['.', ')']);
    let is_raised = piece.glyphs.first()?.script == Script::Super;
    let is_number = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = (1..=3).contains(&text.chars().count())
        && text.chars().all(|character| "*†‡§¶".contains(character));
    let is_letter = is_raised
        && text.len() <= 4
        && text.bytes().all(|byte| byte.is_ascii_lowercase())
        && !text.is_empty();
    let is_label = line.pieces.len() > 1 && (is_number || is_sign || is_letter);
    is_label.then(|| Label {
        text: text.to_owned(),
        is_raised,
        side,
    })
}

/// Returns a line without its label.
pub(in crate::analysis) fn without_label(line: &Line, side: Side) -> Line {
    let mut line = line.clone();
    match side {
        Side::Left => drop(line.pieces.drain(..1.min(line.pieces.len()))),
        Side::Right => drop(line.pieces.pop()),
    }
    line
}

/// Returns the runs of a note; the side of its label determines the direction. Links back to the text are removed.
pub(in crate::analysis) fn runs<'l>(
    lines: impl IntoIterator<Item = &'l Line>,
    side: Side,
    writer: Writer<'_>,
) -> Vec<Run> {
    let mut runs = writer.runs_towards(lines, Some(side == Side::Right));
    for run in &mut runs {
        run.link = run.link.take().filter(|link| !link.starts_with('#'));
    }
    runs
}

fn blocks(lines: Vec<Line>, writer: Writer<'_>) -> Vec<Block> {
    let mut notes: Vec<(String, Side, Vec<Line>)> = Vec::new();
    for row in rows(lines) {
        let Some(line) = Line::joined(row) else {
            continue;
        };
        match (label(&line), notes.last_mut()) {
            (Some(label), _) => {
                let rest = without_label(&line, label.side);
                notes.push((label.text, label.side, vec![rest]));
            }
            (None, Some((.., lines))) => lines.push(line),
            (None, None) => notes.push((String::new(), Side::Left, vec![line])),
        }
    }
    let notes = notes.into_iter().map(|(label, side, lines)| Block {
        bounds: Rect::around(lines.iter().map(|line| line.bounds)),
        ..Block::from(Content::Footnote {
            label,
            runs: runs(&lines, side, writer),
        })
    });
    notes.collect()
}
