//! Lines at the top of a column that begin above the previous column. They are read with their column although nothing is next
//! to them.

use crate::analysis::lines::line::Line;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span, column};

/// Maximum space between consecutive lines of a column, as a fraction of the font size.
const SPACE: f32 = 0.7;
/// Maximum relative difference of their font sizes.
const UNLIKE: f32 = 0.1;

/// Takes such lines from the end of the text before a run of columns; `first` is the column that is read first, above which
/// lines precede the run anyway.
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
    while let Some(line) = flow.last().and_then(Atom::line).cloned() {
        let place = column(&line.bounds, gaps);
        let goes_on =
            |below: &Line| place != first && is_in(&line, place, gaps) && is_above(&line, below);
        let Some(top) = tops
            .get_mut(place)
            .filter(|top| top.as_ref().is_some_and(goes_on))
        else {
            break;
        };
        *top = Some(line);
        taken.extend(flow.pop());
    }
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

/// Whether a line is directly above another one of the same size.
fn is_above(line: &Line, below: &Line) -> bool {
    let space = below.bounds.top - line.bounds.bottom;
    (line.size - below.size).abs() <= UNLIKE * below.size && space <= SPACE * below.size
}
