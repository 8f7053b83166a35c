//! Entries of contents: lines that end with a page number below those of other entries.

use crate::analysis::lines::line::Line;
use crate::analysis::regions::contents;
use crate::model::leaders::is_leader_character;

/// Minimum number of entries of contents.
const FEWEST: usize = 3;
/// Minimum share of page numbers that are not smaller than the one above.
const GROWING: f32 = 0.7;
/// Minimum number of leaders that follow a text without a space, but for the last.
const ATTACHED: usize = 3;
/// Maximum number of lines on one baseline that are examined.
const LEVEL: usize = 64;
/// Maximum distance of right edges and of baselines that are the same, as a fraction of the font size.
const SAME: f32 = 0.4;

/// Entries of contents, by baseline.
#[derive(Default)]
pub(super) struct Entries(Vec<Entry>);

/// An entry of contents, or the part of one in front of its page number.
#[derive(Clone, Copy)]
struct Entry {
    baseline: f32,
    left: f32,
    right: f32,
}

/// A page number at the end of a line, apart from other text.
#[derive(Clone, Copy)]
struct End<'a> {
    number: u32,
    right: f32,
    line: &'a Line,
    /// Whether the line has the text of the entry, too.
    has_text: bool,
}

impl Entries {
    /// Finds the entries of a page. Lines may be parted before their page numbers.
    pub(super) fn of(lines: &[&Line]) -> Self {
        let mut ends: Vec<End<'_>> = lines.iter().filter_map(|line| End::of(line)).collect();
        ends.sort_by(|one, other| one.right.total_cmp(&other.right));
        let mut found: Vec<End<'_>> = Vec::new();
        for edge in ends.chunk_by_mut(|one, next| next.right - one.right < one.line.size * SAME) {
            edge.sort_by(|one, other| one.line.baseline.total_cmp(&other.line.baseline));
            if are_entries(edge) {
                found.extend_from_slice(edge);
            }
        }
        if found.is_empty() {
            return Self::default();
        }
        let mut level: Vec<&Line> = lines.to_vec();
        level.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
        let entries = found.iter().filter_map(|end| end.entry(&level));
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
        Self(entries)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a line is an entry, or the part of one before its page number.
    pub(super) fn has(&self, line: &Line) -> bool {
        let near = line.size * SAME;
        let begin = self
            .0
            .partition_point(|entry| entry.baseline < line.baseline - near);
        self.0
            .iter()
            .skip(begin)
            .take_while(|entry| entry.baseline < line.baseline + near)
            .any(|entry| {
                let is_inside = line.bounds.right <= entry.right + near;
                is_inside && line.bounds.right > entry.left
            })
    }
}

impl<'a> End<'a> {
    fn of(line: &'a Line) -> Option<Self> {
        let (last, others) = line.pieces.split_last()?;
        let text = last.text();
        let before = others.last().map(|piece| piece.bounds.right);
        let is_apart = before.is_none_or(|right| last.bounds.left - right > line.size);
        let (entry, number) = text.rsplit_once(is_leader_character).unwrap_or(("", &text));
        let has_leaders = match entry.trim_end_matches(is_leader_character) {
            "" => {
                text.starts_with(is_leader_character)
                    || others
                        .last()
                        .is_some_and(|piece| piece.text().ends_with(is_leader_character))
            }
            // The leaders follow the text without a space.
            name => entry.chars().count() - name.chars().count() >= ATTACHED,
        };
        let number = if has_leaders { number } else { &*text };
        (is_apart || has_leaders)
            .then(|| contents::page_number(number))
            .flatten()
            .map(|number| Self {
                number,
                right: last.bounds.right,
                line,
                has_text: before.is_some() || !entry.is_empty(),
            })
    }

    /// Returns the entry: the line, with the nearest one to the left of a page number that is a line of its own.
    fn entry(&self, lines: &[&Line]) -> Option<Entry> {
        let Line {
            bounds,
            baseline,
            size,
            ..
        } = self.line;
        let near = size * SAME;
        let begin = lines.partition_point(|line| line.baseline < baseline - near);
        let level = lines.iter().skip(begin).take(LEVEL);
        let level = level.take_while(|line| line.baseline < baseline + near);
        let lefts = level.filter(|line| line.bounds.right < bounds.left);
        let nearest = lefts.max_by(|one, other| one.bounds.right.total_cmp(&other.bounds.right));
        let left = match self.has_text {
            true => bounds.left,
            false => nearest?.bounds.left,
        };
        Some(Entry {
            baseline: *baseline,
            left,
            right: bounds.right,
        })
    }
}

/// Whether page numbers at one edge, from top to bottom, are those of contents.
fn are_entries(edge: &[End<'_>]) -> bool {
    let pairs = edge.iter().zip(edge.iter().skip(1));
    let growing = pairs.filter(|(one, next)| one.number <= next.number);
    let differ = edge
        .first()
        .zip(edge.last())
        .is_some_and(|(first, last)| first.number < last.number);
    let count = super::count_of(growing.count());
    edge.len() >= FEWEST && differ && count >= super::count_of(edge.len() - 1) * GROWING
}
