//! Contents: entries with a page number at the end of each line, which grows from line to line.

use crate::analysis::candidates::weights::ratio;
use crate::analysis::lines::line::Line;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span, column};
use crate::model::leaders::is_leader_character;
use crate::model::roman;

/// Maximum length of a page number in characters.
const LONGEST: usize = 5;

/// Returns the share of rows that end with a page number, times that of numbers which do not fall.
pub(in crate::analysis) fn paged(run: &[Band], gaps: &[Span], from_right: bool) -> f32 {
    let end = if from_right { 0 } else { gaps.len() };
    let lines = run
        .iter()
        .flat_map(|band| &band.atoms)
        .filter_map(Atom::line);
    let last = lines.filter(|line| column(&line.bounds, gaps) == end);
    let numbers: Vec<Option<u32>> = last.map(number).collect();
    let found: Vec<u32> = numbers.iter().flatten().copied().collect();
    let pairs = found.iter().zip(found.iter().skip(1));
    let grows = pairs.filter(|(one, other)| one <= other).count();
    ratio(found.len(), run.len().max(numbers.len())) * ratio(grows, found.len().max(3) - 1)
}

/// Returns the page number if a line is nothing else.
fn number(line: &Line) -> Option<u32> {
    let text: String = line.glyphs().map(|glyph| glyph.text).collect();
    page_number(&text)
}

/// Returns the page number that a text is, after leaders.
pub(in crate::analysis) fn page_number(text: &str) -> Option<u32> {
    let text = text.trim_start_matches(is_leader_character);
    let value = || {
        text.parse()
            .ok()
            .or_else(|| roman::value(&text.to_lowercase()))
    };
    (1..=LONGEST).contains(&text.len()).then(value).flatten()
}
