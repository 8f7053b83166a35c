//! Lines at the top of a column that begin above the previous column. They are read with their column although nothing is next
//! to them.

use crate::analysis::lines::line::Line;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span, column};

/// Maximum space between consecutive lines of a column, and around its headings, as a fraction of the font size.
const SPACE: f32 = 0.7;
const HEADING: f32 = 2.0;
/// Maximum relative difference of their font sizes.
const UNLIKE: f32 = 0.1;

/// Takes such lines from the end of the text before a run of columns; `first` is the column that is read first, above which
/// lines precede the run anyway. If lines of several columns alternate there, the columns begin higher, with headings or further
/// paragraphs.
pub(in crate::analysis) fn taken(
    flow: &mut Vec<Atom>,
    run: &[Band],
    gaps: &[Span],
    first: usize,
) -> Vec<Atom> {
    let mut tops: Vec<Option<Line>> = vec![None; gaps.len() + 1];
    for line in run
        .iter()
        .flat_map(|band| &band.atoms)
        .filter_map(Atom::line)
    {
        let top = tops.get_mut(column(&line.bounds, gaps));
        if let Some(top @ None) = top {
            *top = Some(line.clone());
        }
    }
    let mut taken = Vec::new();
    // Lines of the first column that are taken only if a line of another column is above them.
    let mut held = Vec::new();
    let mut alternates = false;
    while let Some(line) = flow.last().and_then(Atom::line).cloned() {
        let place = column(&line.bounds, gaps);
        let head = tops.get(first).and_then(Option::as_ref);
        let is_heading = head.is_some_and(|head| are_headings(&line, head, tops.get(place)));
        let may_differ = alternates || place == first || is_heading;
        let goes_on =
            |below: &Line| is_in(&line, place, gaps) && is_above(&line, below, may_differ);
        let Some(top) = tops
            .get_mut(place)
            .filter(|top| top.as_ref().is_some_and(goes_on))
        else {
            break;
        };
        *top = Some(line);
        let atom = flow.pop();
        if place == first {
            held.extend(atom);
            alternates |= !taken.is_empty();
        } else {
            taken.append(&mut held);
            taken.extend(atom);
        }
    }
    flow.extend(held.into_iter().rev());
    taken.reverse();
    taken
}

/// Whether a line is entirely within one column.
fn is_in(line: &Line, place: usize, gaps: &[Span]) -> bool {
    let middle = |gap: &Span| f32::midpoint(gap.0, gap.1);
    let before = place.checked_sub(1).and_then(|before| gaps.get(before));
    before.is_none_or(|gap| line.bounds.left >= middle(gap))
        && gaps
            .get(place)
            .is_none_or(|gap| line.bounds.right <= middle(gap))
}

/// Whether a line and the first line of the first column are headings of their columns; `top` is the line below the first one.
fn are_headings(line: &Line, head: &Line, top: Option<&Option<Line>>) -> bool {
    let is_larger = |text: &Line| head.size > text.size * (1.0 + UNLIKE);
    let text = top.and_then(Option::as_ref);
    text.is_some_and(is_larger)
        && (line.size - head.size).abs() <= UNLIKE * head.size
        && head.bounds.top - line.bounds.bottom <= HEADING * head.size
}

/// Whether a line is directly above another one of the same size, or, if it `may_differ`, above it with the space of a heading.
fn is_above(line: &Line, below: &Line, may_differ: bool) -> bool {
    let space = below.bounds.top - line.bounds.bottom;
    match may_differ {
        true => space <= HEADING * line.size.max(below.size),
        false => {
            (line.size - below.size).abs() <= UNLIKE * below.size && space <= SPACE * below.size
        }
    }
}
