//! Splits off numbers at line ends, such as equation numbers, that look like list markers of the next column.

use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span};
use crate::analysis::survey::headers_footers::is_beside;

/// Splits the lines of a band that begin with a number which ends the line in the column before, if one of these gaps follows
/// it.
pub(in crate::analysis) fn parted(band: Band, gaps: &[Span], least: f32) -> Band {
    if !band.free(gaps, least).is_empty() {
        return band;
    }
    let places: Vec<Option<[Line; 2]>> = band
        .atoms
        .iter()
        .map(|atom| parts(atom.line()?, &band, gaps, least))
        .collect();
    if places.iter().all(Option::is_none) {
        return band;
    }
    let parted = band.atoms.into_iter().zip(places);
    let atoms = parted.flat_map(|(atom, parts)| match parts {
        Some(parts) => parts.map(Atom::Line).to_vec(),
        None => vec![atom],
    });
    Band::new(atoms.collect(), band.top, band.bottom)
}

/// Splits a line into the number and the text after the gap that follows the number.
fn parts(line: &Line, band: &Band, gaps: &[Span], least: f32) -> Option<[Line; 2]> {
    let (first, next) = (line.pieces.first()?, line.pieces.get(1)?);
    let is_in = |gap: &Span| {
        let shared = next.bounds.left.min(gap.1) - first.bounds.right.max(gap.0);
        shared >= least
    };
    let is_end = |other: &Line| {
        let is_level = is_beside(line, other) && is_beside(other, line);
        is_level && other.bounds.right < line.bounds.left
    };
    let others = || band.atoms.iter().filter_map(Atom::line);
    let is_number = marker::is_marker(&first.text());
    (is_number && gaps.iter().any(is_in) && others().any(is_end))
        .then(|| line.split_at(1))
        .flatten()
}
