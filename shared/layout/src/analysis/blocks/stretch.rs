//! Right edge of lines narrower than the page, such as in a single column or a quotation.

use crate::analysis::lines::code;
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::write::{ends_sentence, is_ideographic};

/// Minimum number of lines that determine the edge.
const LINES: usize = 5;
/// Characters that end a text.
const STOPS: &str = ".!?:…";
/// Maximum space at the end of a full line, and minimum width of a full line of a short text, as fractions of the font size.
const SHORT: f32 = 4.0;
const WIDE: f32 = 15.0;

/// Returns the maximum end of each line.
pub(in crate::analysis) fn ends(lines: &[Line], margins: Margins) -> Vec<f32> {
    let mut ends = Vec::with_capacity(lines.len());
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let is_like = |line: &&Line| {
            (line.size - first.size).abs() <= first.size * 0.07
                && (margins.start_of(line) - margins.start_of(first)).abs() <= first.size * 2.5
        };
        let length = rest.iter().take_while(is_like).count().max(1);
        let (stretch, others) = rest.split_at(length.min(rest.len()));
        let end = own_end(stretch, margins).unwrap_or(margins.end);
        ends.extend(stretch.iter().map(|_| end));
        rest = others;
    }
    ends
}

/// Returns the maximum end of consecutive lines of a text.
fn own_end(lines: &[Line], margins: Margins) -> Option<f32> {
    let size = lines.first()?.size;
    let most = lines
        .iter()
        .map(|line| margins.end_of(line))
        .fold(f32::NEG_INFINITY, f32::max);
    let full = lines
        .iter()
        .filter(|line| most - margins.end_of(line) < size * SHORT)
        .count();
    let going_on = lines.iter().skip(1).filter(|line| goes_on(line)).count();
    let is_told =
        lines.len() >= LINES && full * 5 >= lines.len() * 2 && going_on * 4 >= lines.len();
    (is_told || are_sentences(lines, most, margins)).then_some(most)
}

/// Whether lines are whole sentences in proportional letters, as in a short text with margins of its own: all but those that end
/// sentences are full, and continue in the next line.
fn are_sentences(lines: &[Line], most: f32, margins: Margins) -> bool {
    let is_full = |line: &Line| {
        most - margins.end_of(line) < line.size * SHORT
            && margins.end_of(line) - margins.start_of(line) > line.size * WIDE
    };
    let steps = || lines.iter().zip(lines.iter().skip(1));
    let continues = |one: &Line, next: &Line| {
        let first = next.glyphs().next().map(|glyph| glyph.text);
        is_full(one) && first.is_some_and(|first| !first.is_uppercase())
    };
    let ends = |line: &Line| {
        line.glyphs()
            .last()
            .is_some_and(|last| ends_sentence(last.text))
    };
    let begins = |line: &Line| {
        line.glyphs()
            .next()
            .is_some_and(|first| first.text.is_uppercase())
    };
    let stops = |line: &Line| {
        line.glyphs()
            .last()
            .is_some_and(|last| STOPS.contains(last.text))
    };
    lines.first().is_some_and(begins)
        && lines.last().is_some_and(stops)
        && !lines.iter().any(code::is_monospaced)
        && steps().any(|(one, next)| !ends(one) && goes_on(next))
        && steps().all(|(one, next)| ends(one) || continues(one, next))
}

/// Whether a line begins like the continuation of a sentence.
fn goes_on(line: &Line) -> bool {
    let first = line.glyphs().next().map(|glyph| glyph.text);
    first.is_some_and(|first| first.is_lowercase() || is_ideographic(first))
}
