//! Which bands of a run belong to its columns.

use crate::analysis::lines::line::Line;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span};

/// Minimum distance of short lines from a gap, as a fraction of the font size.
const SHORT: f32 = 4.0;
/// Minimum additional space above such lines, as a fraction of the font size.
const WIDER: f32 = 0.2;
/// Minimum size of a title across columns as a multiple of that of other text, and minimum number of bands with several columns
/// above it.
const LARGER: f32 = 1.15;
const ABOVE: usize = 2;

/// Returns how many bands from the first one belong to columns. Short lines below all other columns belong to the text across
/// the columns that follows them, unless they have the line pitch of the columns.
pub(in crate::analysis) fn of_columns(run: &[Band], gaps: &[Span], size: f32) -> usize {
    let joint = run.iter().rposition(|band| band.columns(gaps).len() > 1);
    let Some(joint) = joint else { return run.len() };
    let rest = run.get(joint..).unwrap_or_default();
    let is_short = |band: &Band| {
        let end = band.taken.last().map_or(0.0, |span| span.1);
        gaps.first().is_some_and(|gap| end < gap.0 - size * SHORT)
    };
    if !rest.iter().skip(1).all(is_short) {
        return run.len();
    }
    let widest = spaces(rest)
        .enumerate()
        .max_by(|one, other| one.1.total_cmp(&other.1));
    let usual = spaces(run.get(..=joint).unwrap_or_default()).fold(f32::INFINITY, f32::min);
    match widest {
        Some((place, space)) if usual.is_infinite() || space > usual + size * WIDER => {
            joint + place + 1
        }
        _ => run.len(),
    }
}

/// Returns the spaces between consecutive bands.
fn spaces(bands: &[Band]) -> impl Iterator<Item = f32> {
    let pairs = bands.windows(2);
    pairs.filter_map(|pair| Some(pair.get(1)?.top - pair.first()?.bottom))
}

/// Returns the first band with a title across the columns: a line of unique size, larger than all other text, in the first
/// column with nothing next to it.
pub(in crate::analysis) fn title(run: &[Band], gaps: &[Span], first: usize) -> Option<usize> {
    let lines = || {
        run.iter()
            .flat_map(|band| &band.atoms)
            .filter_map(Atom::line)
    };
    let largest = lines().map(|line| line.size).fold(0.0, f32::max);
    let is_large = |line: &Line| line.size > largest / LARGER;
    let is_title = |band: &Band| {
        band.columns(gaps) == [first]
            && band
                .atoms
                .iter()
                .all(|atom| atom.line().is_some_and(is_large))
    };
    let place = run.iter().position(is_title)?;
    let end = place
        + run
            .get(place..)?
            .iter()
            .take_while(|band| is_title(band))
            .count();
    let large = lines().filter(|line| is_large(line)).count();
    let own = run
        .get(place..end)?
        .iter()
        .flat_map(|band| &band.atoms)
        .count();
    let columns = |bands: Option<&[Band]>| {
        let bands = bands.unwrap_or_default().iter();
        bands.filter(|band| band.columns(gaps).len() > 1).count()
    };
    let is_between = columns(run.get(..place)) >= ABOVE && columns(run.get(end..)) > 0;
    (own == large && is_between).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates an empty band that occupies this interval.
    fn band(top: f32, taken: Span) -> Band {
        Band {
            atoms: Vec::new(),
            top,
            bottom: top + 10.0,
            taken: vec![taken],
        }
    }

    #[test]
    fn bands_without_columns_belong_together() {
        let run = [band(0.0, (0.0, 50.0)), band(40.0, (0.0, 50.0))];
        assert_eq!(of_columns(&run, &[(100.0, 120.0)], 10.0), run.len());
    }
}
