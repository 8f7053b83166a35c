//! Short annotations at line ends, such as years next to titles: part of their lines, not a column.

use super::atom::Atom;
use super::band::{Band, Span, column};
use super::line::Line;

/// Maximum length of an annotation in characters.
const LONGEST: usize = 24;
/// Tolerance for aligned annotations, points.
const EXACT: f32 = 1.0;
/// Tolerance for one baseline, as a fraction of the font size.
const LEVEL: f32 = 0.3;

/// Whether the text after the only gap of a run is annotations: short, aligned, each on the baseline of a line, and never in
/// two adjacent bands.
pub(super) fn are_notes(run: &[Band], gaps: &[Span], from_right: bool) -> bool {
    let place = usize::from(!from_right);
    let is_note = |atom: &&Atom| column(&atom.bounds(), gaps) == place;
    let notes = run.iter().map(|band| {
        let (notes, text): (Vec<_>, Vec<_>) = band.atoms.iter().partition(is_note);
        Notes { notes, text }
    });
    let notes: Vec<Notes> = notes.collect();
    let all = || notes.iter().flat_map(|band| &band.notes);
    let mut pairs = notes.iter().zip(notes.iter().skip(1));
    gaps.len() == 1
        && all().count() > 1
        && notes.iter().all(Notes::are_short)
        && !pairs.any(|(one, other)| !one.notes.is_empty() && !other.notes.is_empty())
        && (are_level(all().map(|note| note.bounds().left))
            || are_level(all().map(|note| note.bounds().right)))
}

/// The content of a band on both sides of the gap: annotations and text.
struct Notes<'a> {
    notes: Vec<&'a Atom>,
    text: Vec<&'a Atom>,
}

impl Notes<'_> {
    /// Whether there is at most one short line, on the baseline of another line.
    fn are_short(&self) -> bool {
        match self.notes.as_slice() {
            [] => true,
            [Atom::Line(note)] => {
                let is_beside =
                    |line: &Line| (line.baseline - note.baseline).abs() < note.size * LEVEL;
                note.glyphs().count() <= LONGEST
                    && self
                        .text
                        .iter()
                        .filter_map(|atom| atom.line())
                        .any(is_beside)
            }
            _ => false,
        }
    }
}

fn are_level(places: impl Iterator<Item = f32> + Clone) -> bool {
    let least = places.clone().fold(f32::INFINITY, f32::min);
    places.fold(f32::NEG_INFINITY, f32::max) - least < EXACT
}
