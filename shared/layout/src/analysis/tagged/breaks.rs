//! Where lines of a paragraph end though there was room: these ends are kept.

use crate::analysis::bidi;
use crate::analysis::glyph::Glyph;
use crate::analysis::line::Line;
use crate::analysis::write::Writer;
use crate::model::text::Run;

/// How wide a space is at most, and how far lines may begin from each other, in parts of the size.
const SPACE: f32 = 0.4;
const INDENT: f32 = 0.5;

/// What the lines of a paragraph say, with the ends of lines that are not for want of room.
pub(super) fn runs(lines: &[Line], writer: Writer<'_>) -> Vec<Run> {
    let end = lines.iter().map(|line| line.bounds.right);
    let end = end.fold(f32::MIN, f32::max);
    let from_right = bidi::is_mostly_from_right(texts(lines));
    let mut runs: Vec<Run> = Vec::new();
    for part in lines.chunk_by(|line, next| from_right || !is_ended(line, next, end)) {
        if let Some(last) = runs.last_mut() {
            last.text.push('\n');
        }
        runs.extend(writer.runs(part));
    }
    runs
}

fn texts(lines: &[Line]) -> impl Iterator<Item = char> {
    lines.iter().flat_map(Line::glyphs).map(|glyph| glyph.text)
}

/// Whether the first word of the next line, which is content of its own, would have had room before the end of lines.
fn is_ended(line: &Line, next: &Line, end: f32) -> bool {
    let (size, other) = (line.size, next.size);
    let is_below = next.baseline - line.baseline > size.min(other) * INDENT;
    let begins_alike = (line.bounds.left - next.bounds.left).abs() < size * INDENT;
    is_below
        && begins_alike
        && !line.is_turned()
        && !next.is_turned()
        && last(line)
            .zip(first(next))
            .is_some_and(|(last, first)| last.tag != first.tag)
        && has_room(line, next, end)
}

/// Whether the first word of the next line would have had room before the end of lines.
pub(super) fn has_room(line: &Line, next: &Line, end: f32) -> bool {
    first_word(next) < end - line.bounds.right - line.size * SPACE
}

fn first(line: &Line) -> Option<&Glyph> {
    line.glyphs().min_by_key(|glyph| glyph.order)
}

fn last(line: &Line) -> Option<&Glyph> {
    line.glyphs().max_by_key(|glyph| glyph.order)
}

/// How wide the first word of a line is.
fn first_word(line: &Line) -> f32 {
    let rest = line
        .pieces
        .iter()
        .skip(1)
        .take_while(|piece| piece.is_close);
    let end = rest
        .last()
        .or(line.pieces.first())
        .map(|piece| piece.bounds.right);
    end.map_or(0.0, |end| end - line.bounds.left)
}
