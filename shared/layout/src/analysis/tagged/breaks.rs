//! Keeps line breaks in paragraphs where the next word would have fit.

use crate::analysis::bidi;
use crate::analysis::glyph::Glyph;
use crate::analysis::line::Line;
use crate::analysis::write::Writer;
use crate::model::text::Run;

/// Maximum width of a space, and tolerance for line starts, as a fraction of the font size.
const SPACE: f32 = 0.4;
const INDENT: f32 = 0.5;

/// Returns the runs of a paragraph with its explicit line breaks.
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

/// Whether the next line is separate marked content and its first word would have fit.
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

/// Whether the first word of the next line would have fit.
pub(super) fn has_room(line: &Line, next: &Line, end: f32) -> bool {
    first_word(next) < end - line.bounds.right - line.size * SPACE
}

fn first(line: &Line) -> Option<&Glyph> {
    line.glyphs().min_by_key(|glyph| glyph.order)
}

fn last(line: &Line) -> Option<&Glyph> {
    line.glyphs().max_by_key(|glyph| glyph.order)
}

/// Returns the width of the first word of a line.
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
