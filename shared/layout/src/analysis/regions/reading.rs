//! Rival readings of an area of bands with common gaps; the one with the best score wins.

use crate::analysis::candidates::candidate::{Candidate, Kind, Trace};
use crate::analysis::candidates::weights::Weights;
use crate::analysis::candidates::weights::regions::{COLUMNS, CONTENTS};
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span};
use crate::analysis::regions::evidence::{between_entries, features};
use crate::analysis::regions::known_gutters::KnownGutters;
use crate::model::geometry::Rect;

/// The readings other than as lines from top to bottom, against which they are scored.
const RIVALS: [(Kind, &Weights); 2] = [(Kind::Columns, &COLUMNS), (Kind::Contents, &CONTENTS)];

/// Names of the places of the gaps.
const GAPS: [&str; 6] = ["gap 1", "gap 2", "gap 3", "gap 4", "gap 5", "gap 6"];

/// Returns the best reading of a run of bands with these gaps, and the gaps of its columns; `None` is as lines.
pub(in crate::analysis) fn best(
    run: &[Band],
    gaps: &[Span],
    from_right: bool,
    known: &KnownGutters,
    trace: &Trace,
) -> Option<(Kind, Vec<Span>)> {
    // Columns of entries with their numbers, rather than of entries or numbers.
    let outer = between_entries(run, gaps).filter(|_| !from_right);
    of_gaps(
        run,
        outer.as_deref().unwrap_or(gaps),
        from_right,
        known,
        trace,
    )
}

/// Returns the best reading with all of these gaps.
fn of_gaps(
    run: &[Band],
    gaps: &[Span],
    from_right: bool,
    known: &KnownGutters,
    trace: &Trace,
) -> Option<(Kind, Vec<Span>)> {
    let mut features = features(run, gaps, from_right);
    features.push(("known", known.share(gaps)));
    // The places of the gaps have no weight: they tell what the reading is.
    let places = gaps.iter().map(|gap| f32::midpoint(gap.0, gap.1));
    features.extend(GAPS.into_iter().zip(places));
    let atoms = run.iter().flat_map(|band| &band.atoms);
    let bounds = Rect::around(atoms.map(Atom::bounds)).unwrap_or_default();
    let rival = |(kind, weights)| Candidate::new(kind, "gaps", bounds, features.clone(), weights);
    let rivals = RIVALS.map(rival);
    let best = rivals
        .iter()
        .max_by(|one, other| one.score.total_cmp(&other.score));
    let best = best.filter(|best| best.is_chosen).map(|best| best.kind);
    for rival in rivals {
        trace.note(|| Candidate {
            is_chosen: Some(rival.kind) == best,
            ..rival
        });
    }
    best.map(|kind| (kind, gaps.to_vec()))
}
