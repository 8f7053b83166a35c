//! Keeps line breaks in paragraphs where the next word would have fit.

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::lines::code::has_room;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::write::Writer;
use crate::model::text::Run;

const INDENT: f32 = 0.5;

/// Returns the runs of a paragraph with its explicit line breaks.
pub(super) fn runs(lines: &[Line], writer: Writer<'_>) -> Vec<Run> {
    let end = lines.iter().map(|line| line.bounds.right);
    let end = end.fold(f32::MIN, f32::max);
    let from_right = bidi::is_mostly_from_right(lines.iter().flat_map(Line::glyphs));
    let mut runs: Vec<Run> = Vec::new();
    for part in lines.chunk_by(|line, next| from_right || !is_ended(line, next, end)) {
        if let Some(last) = runs.last_mut() {
            last.text.push('\n');
        }
        runs.extend(writer.runs(part));
    }
    runs
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

fn first(line: &Line) -> Option<&Glyph> {
    line.glyphs().min_by_key(|glyph| glyph.order)
}

fn last(line: &Line) -> Option<&Glyph> {
    line.glyphs().max_by_key(|glyph| glyph.order)
}
