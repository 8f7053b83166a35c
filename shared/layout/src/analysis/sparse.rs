//! Short notes at the ends of some lines, such as years beside titles: rows of their lines, no column of their own.

use super::atom::Atom;
use super::band::{Band, Span, column};
use super::line::Line;

/// The longest note, characters.
const LONGEST: usize = 24;
/// How exactly notes begin or end below each other, points.
const EXACT: f32 = 1.0;
/// How far apart the heights are of what stands on one, in parts of the size.
const LEVEL: f32 = 0.3;

/// Whether what stands behind the only gap of a run are such notes: each stands beside a line, and none below another one.
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

/// What stands in a band behind the gap, and before it.
struct Notes<'a> {
    notes: Vec<&'a Atom>,
    text: Vec<&'a Atom>,
}

impl Notes<'_> {
    /// Whether there is one short line at most, on the height of another.
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
