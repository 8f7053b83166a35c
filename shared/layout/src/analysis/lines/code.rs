//! Detects code: monospaced lines with short or indented lines.

use std::ops::Range;

use crate::analysis::lines::line::Line;
use crate::analysis::lines::write::Writer;
use crate::model::text::Run;

/// Minimum character width of monospaced fonts, as a fraction of the font size.
const NARROWEST: f32 = 0.4;
/// Maximum width of a space, as a fraction of the font size.
const SPACE: f32 = 0.4;
/// Maximum pitch of lines of code without an empty line, and maximum difference of their sizes, as fractions of the font size.
const PITCH: f32 = 1.6;
const SAME: f32 = 0.05;
/// Maximum number of spaces before a line, and minimum width of a gap of several spaces, as a multiple of the character width.
const DEEPEST: f32 = 80.0;
const SEVERAL: f32 = 1.5;
/// Maximum number of parts of a line before the last one.
const MOST_PARTS: usize = 100;

/// Whether the lines of a text are code.
pub(in crate::analysis) fn is_code(lines: &[Line]) -> bool {
    let are_typed = lines.iter().all(is_monospaced) || are_numbered(lines);
    are_typed && are_below_each_other(lines) && (are_ended(lines) || are_indented(lines))
}

/// Returns the runs of lines, sorted from top to bottom, that are code and follow each other without an empty line.
pub(in crate::analysis) fn blocks(lines: &[Line]) -> Vec<Range<usize>> {
    let follows = |line: &Line, next: &Line| {
        let pitch = (next.baseline - line.baseline) / line.size.max(next.size);
        let is_same = (next.size - line.size).abs() < line.size * SAME;
        let are_typed = is_monospaced(line) && is_monospaced(next) && is_same;
        (are_typed || is_next_number(line, next)) && (0.5..PITCH).contains(&pitch)
    };
    let mut begin = 0;
    let runs = lines.chunk_by(follows).map(|run| {
        let range = begin..begin + run.len();
        begin = range.end;
        (range, run)
    });
    runs.filter(|(_, run)| is_code(run))
        .map(|(range, _)| range)
        .collect()
}

/// Whether all characters of a line have the same width.
pub(in crate::analysis) fn is_monospaced(line: &Line) -> bool {
    line.glyphs().all(|glyph| glyph.font.is_monospaced)
}

/// Whether lines of code begin with their numbers, which may have another font.
fn are_numbered(lines: &[Line]) -> bool {
    let mut pairs = lines.iter().zip(lines.iter().skip(1));
    let with_code = lines.iter().filter(|line| line.pieces.len() > 1).count();
    pairs.all(|(line, next)| is_next_number(line, next)) && with_code * 2 > lines.len()
}

/// Whether both lines are code, if anything, after consecutive numbers.
fn is_next_number(line: &Line, next: &Line) -> bool {
    let numbers = numbered(line).zip(numbered(next));
    numbers.is_some_and(|(number, next)| number.checked_add(1) == Some(next))
}

/// Returns the number that a line of code begins with.
fn numbered(line: &Line) -> Option<u32> {
    let (number, code) = line.pieces.split_first()?;
    let mut glyphs = code.iter().flat_map(|piece| &piece.glyphs);
    let is_code = glyphs.all(|glyph| glyph.font.is_monospaced);
    is_code.then(|| number.text().parse().ok()).flatten()
}

/// Returns the lines of code with their indent and wide gaps as spaces.
pub(in crate::analysis) fn runs(lines: &[Line], writer: Writer<'_>) -> Vec<Run> {
    let left = left(lines);
    let mut runs: Vec<Run> = Vec::new();
    for line in lines {
        let mut said: Vec<Run> = Vec::new();
        let mut end = left;
        for part in parts(line) {
            let mut own = writer.runs([&part]);
            if let Some(first) = own.first_mut() {
                first.text.insert_str(0, &" ".repeat(spaces(&part, end)));
            }
            end = part.bounds.right;
            said.append(&mut own);
        }
        if let Some(last) = runs.last_mut() {
            last.text.push('\n');
        }
        for run in said {
            match runs.last_mut() {
                Some(last) if last.style == run.style && last.link == run.link => {
                    last.text.push_str(&run.text);
                }
                _ => runs.push(run),
            }
        }
    }
    runs
}

/// Splits a line at gaps of several spaces.
fn parts(line: &Line) -> Vec<Line> {
    let width = character_width(line);
    let (mut parts, mut rest) = (Vec::new(), line.clone());
    while parts.len() < MOST_PARTS {
        let pairs = rest.pieces.iter().zip(rest.pieces.iter().skip(1));
        let mut gaps = pairs.map(|(one, next)| next.bounds.left - one.bounds.right);
        let gap = gaps.position(|gap| gap > width * SEVERAL);
        let Some([first, last]) = gap.and_then(|gap| rest.split_at(gap + 1)) else {
            break;
        };
        parts.push(first);
        rest = last;
    }
    parts.push(rest);
    parts
}

fn are_below_each_other(lines: &[Line]) -> bool {
    let mut pairs = lines.iter().zip(lines.iter().skip(1));
    lines.len() > 1
        && lines.iter().all(|line| !line.is_turned())
        && pairs.all(|(line, next)| next.baseline > line.baseline + line.size * 0.5)
}

/// Whether at least half of the lines end although the next word would have fit.
fn are_ended(lines: &[Line]) -> bool {
    let ends = lines.iter().map(|line| line.bounds.right);
    let end = ends.fold(f32::MIN, f32::max);
    let pairs = lines.iter().zip(lines.iter().skip(1));
    let ended = pairs.filter(|(line, next)| has_room(line, next, end));
    ended.count() * 2 >= lines.len()
}

/// Whether the lines after the first one have different indents.
fn are_indented(lines: &[Line]) -> bool {
    let left = left(lines);
    let rest = lines.iter().skip(1).map(|line| spaces(line, left));
    let (least, most) = (rest.clone().min(), rest.max());
    least
        .zip(most)
        .is_some_and(|(least, most)| most > least + 1)
}

fn left(lines: &[Line]) -> f32 {
    let lefts = lines.iter().map(|line| line.bounds.left);
    lefts.fold(f32::MAX, f32::min)
}

/// Returns the width of the widest character of a line.
fn character_width(line: &Line) -> f32 {
    let widths = line.glyphs().map(|glyph| glyph.bounds.width());
    widths.fold(line.size * NARROWEST, f32::max)
}

/// Returns the number of spaces that fit before a line.
fn spaces(line: &Line, left: f32) -> usize {
    let spaces = (line.bounds.left - left) / character_width(line).max(1.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is from 0 to 80"
    )]
    let spaces = spaces.round().clamp(0.0, DEEPEST) as usize;
    spaces
}

/// Whether the first word of the next line would have fit.
pub(in crate::analysis) fn has_room(line: &Line, next: &Line, end: f32) -> bool {
    first_word(next) < end - line.bounds.right - line.size * SPACE
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
