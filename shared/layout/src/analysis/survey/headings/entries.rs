//! Entries of contents: lines that end with a page number below those of other entries.

use crate::analysis::lines::line::Line;
use crate::analysis::regions::contents;

/// Minimum number of entries of contents.
const FEWEST: usize = 3;
/// Minimum share of page numbers that are not smaller than the one above.
const GROWING: f32 = 0.7;
/// Maximum distance of right edges and of baselines that are the same, as a fraction of the font size.
const SAME: f32 = 0.4;

/// The page numbers at the ends of entries of contents, by baseline.
#[derive(Default)]
pub(super) struct Entries(Vec<End>);

/// A page number at the end of a line.
#[derive(Clone, Copy)]
struct End {
    number: u32,
    right: f32,
    baseline: f32,
    size: f32,
}

impl Entries {
    /// Finds the entries of a page. Lines may be parted before their page numbers.
    pub(super) fn of<'a>(lines: impl Iterator<Item = &'a Line>) -> Self {
        let mut ends: Vec<End> = lines.filter_map(End::of).collect();
        ends.sort_by(|one, other| one.right.total_cmp(&other.right));
        let mut entries: Vec<End> = Vec::new();
        for edge in ends.chunk_by_mut(|one, next| next.right - one.right < one.size * SAME) {
            edge.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
            if are_entries(edge) {
                entries.extend_from_slice(edge);
            }
        }
        entries.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
        Self(entries)
    }

    /// Whether a line is an entry, or the part of one before its page number.
    pub(super) fn has(&self, line: &Line) -> bool {
        let near = line.size * SAME;
        let begin = self
            .0
            .partition_point(|end| end.baseline < line.baseline - near);
        let mut level = self.0.iter().skip(begin);
        level
            .by_ref()
            .take_while(|end| end.baseline < line.baseline + near)
            .any(|end| end.right > line.bounds.right - near)
    }
}

impl End {
    fn of(line: &Line) -> Option<Self> {
        let last = line.pieces.last()?;
        Some(Self {
            number: contents::page_number(&last.text())?,
            right: last.bounds.right,
            baseline: line.baseline,
            size: line.size,
        })
    }
}

/// Whether page numbers at one edge, from top to bottom, are those of contents.
fn are_entries(edge: &[End]) -> bool {
    let pairs = edge.iter().zip(edge.iter().skip(1));
    let growing = pairs.filter(|(one, next)| one.number <= next.number);
    let differ = edge
        .first()
        .zip(edge.last())
        .is_some_and(|(first, last)| first.number < last.number);
    let count = super::count_of(growing.count());
    edge.len() >= FEWEST && differ && count >= super::count_of(edge.len() - 1) * GROWING
}
