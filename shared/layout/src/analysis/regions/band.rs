//! Bands: atoms that share a vertical range, and the gaps between them.

use crate::analysis::regions::atom::Atom;
use crate::model::geometry::Rect;

/// A horizontal interval from left to right.
pub(in crate::analysis) type Span = (f32, f32);

/// Atoms that share a vertical range.
#[derive(Debug)]
pub(in crate::analysis) struct Band {
    pub(in crate::analysis) atoms: Vec<Atom>,
    pub(in crate::analysis) top: f32,
    pub(in crate::analysis) bottom: f32,
    /// Occupied intervals of the width, from left to right.
    pub(in crate::analysis) taken: Vec<Span>,
}

impl Band {
    pub(in crate::analysis) fn new(atoms: Vec<Atom>, top: f32, bottom: f32) -> Self {
        let mut spans: Vec<Span> = atoms
            .iter()
            .map(|atom| (atom.bounds().left, atom.bounds().right))
            .collect();
        spans.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut taken: Vec<Span> = Vec::new();
        for span in spans {
            match taken.last_mut() {
                Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
                _ => taken.push(span),
            }
        }
        Self {
            atoms,
            top,
            bottom,
            taken,
        }
    }

    /// Returns the gaps of at least this width between occupied intervals.
    pub(in crate::analysis) fn gaps(&self, least: f32) -> Vec<Span> {
        let pairs = self.taken.iter().zip(self.taken.iter().skip(1));
        pairs
            .map(|(one, other)| (one.1, other.0))
            .filter(|(from, to)| to - from >= least)
            .collect()
    }

    /// Returns the parts of these gaps that are free in the band and at least this wide.
    pub(in crate::analysis) fn free(&self, gaps: &[Span], least: f32) -> Vec<Span> {
        let mut free = Vec::new();
        for (from, to) in gaps {
            let mut begin = *from;
            for (left, right) in &self.taken {
                if *right <= begin {
                    continue;
                }
                if *left >= *to {
                    break;
                }
                free.push((begin, *left));
                begin = *right;
            }
            free.push((begin, *to));
        }
        free.retain(|(from, to)| to - from >= least);
        free
    }

    /// Returns the indices of the columns between these gaps that are not empty.
    pub(in crate::analysis) fn columns(&self, gaps: &[Span]) -> Vec<usize> {
        let mut columns: Vec<usize> = self
            .atoms
            .iter()
            .map(|atom| column(&atom.bounds(), gaps))
            .collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

/// Returns the index of the column that contains these bounds, from the left.
pub(in crate::analysis) fn column(bounds: &Rect, gaps: &[Span]) -> usize {
    let (x, _) = bounds.center();
    gaps.partition_point(|(from, to)| f32::midpoint(*from, *to) < x)
}

/// Groups atoms into bands from top to bottom.
pub(in crate::analysis) fn bands(mut atoms: Vec<Atom>) -> Vec<Band> {
    atoms.sort_by(|one, other| one.top().total_cmp(&other.top()));
    let mut bands: Vec<(Vec<Atom>, f32, f32)> = Vec::new();
    for atom in atoms {
        let (top, bottom) = (atom.top(), atom.bottom());
        match bands.last_mut() {
            Some((band, _, end)) if top < *end - 0.1 => {
                band.push(atom);
                *end = end.max(bottom);
            }
            _ => bands.push((vec![atom], top, bottom)),
        }
    }
    bands
        .into_iter()
        .map(|(atoms, top, bottom)| Band::new(atoms, top, bottom))
        .collect()
}
