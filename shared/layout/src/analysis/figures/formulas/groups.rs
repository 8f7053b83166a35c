//! Fragments → groups: fragments that are stacked or side by side, around fraction bars, tall signs and limits.

use std::collections::BTreeMap;

use super::fragments::Fragment;
use super::strips::Strips;
use crate::analysis::figures::marks::Mark;
use crate::analysis::tables::connect::Sets;
use crate::model::geometry::Rect;

/// Maximum number of fraction bars of a page.
const BARS: usize = 2_000;
/// Maximum thickness and minimum length of a fraction bar, points, and its maximum length as a part of the page.
const THICKNESS: f32 = 1.6;
const LENGTH: f32 = 2.5;
const LONGEST: f32 = 0.8;
/// Minimum part of a fraction bar with characters above it or below it; rules of tables have gaps.
const COVERED: f32 = 0.4;
/// Minimum gap of the cells of a table, as a fraction of the font size.
const CELL_GAP: f32 = 1.0;
/// Maximum gaps between a bar and the baseline above it and the letters below it, as fractions of the font size.
const ABOVE: f32 = 1.1;
const BELOW: f32 = 0.9;
/// Maximum gap side by side of formulas, and of a formula and text, as fractions of the font size.
const FORMULA_GAP: f32 = 2.3;
const TEXT_GAP: f32 = 1.2;
/// Maximum gap of stacked fragments, as a fraction of the font size.
const STACKED_GAP: f32 = 0.4;
/// Maximum overlap of text and a neighbor on its line, as a fraction of the font size.
const OVERLAP: f32 = 0.5;
/// Maximum distance of the middles of parts of one line, as a fraction of the font size.
const LEVEL: f32 = 0.5;
/// Maximum ratio of the font sizes of a formula.
const SIZES: f32 = 2.6;
/// Maximum size of a limit, as a fraction of that of its sign.
const LIMIT_SIZE: f32 = 0.85;

/// Fragments that may be a formula.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Indices of its fragments.
    pub(super) fragments: Vec<usize>,
    /// Its fraction bars.
    pub(super) bars: Vec<Rect>,
    /// Number of its limits: small fragments above or below a letter or sign.
    pub(super) limits: usize,
}

/// Returns the groups with a fraction bar, a tall sign or a limit.
pub(super) fn groups(page: &Rect, fragments: &[Fragment], marks: &[Mark]) -> Vec<Group> {
    let strips = Strips::of(fragments.iter().map(|one| one.bounds));
    let mut sets = Sets::new(fragments.len());
    let rules = marks.iter().filter(|mark| {
        mark.is_rule()
            && mark.bounds.height() <= THICKNESS
            && (LENGTH..LONGEST * page.width()).contains(&mark.bounds.width())
    });
    let mut bars: Vec<(usize, Rect)> = Vec::new();
    for bar in rules.take(BARS).map(|mark| mark.bounds) {
        let near = near(fragments, &strips, &bar.grown(15.0));
        let upper = near.iter().filter(|(_, one)| is_above(one, &bar));
        let lower = near.iter().filter(|(_, one)| is_below(one, &bar));
        let (upper, lower): (Vec<usize>, Vec<usize>) = (
            upper.map(|(index, _)| *index).collect(),
            lower.map(|(index, _)| *index).collect(),
        );
        let covered = |indices: &[usize]| {
            let parts = indices.iter().filter_map(|index| fragments.get(*index));
            parts.map(|part| width_over(part, &bar)).sum::<f32>()
        };
        let has_gaps = |indices: &[usize]| {
            let parts = indices.iter().filter_map(|index| fragments.get(*index));
            has_gaps(&parts.collect::<Vec<_>>(), &bar)
        };
        let is_bar = !lower.is_empty()
            && !has_gaps(&upper)
            && !has_gaps(&lower)
            && covered(&upper).max(covered(&lower)) >= COVERED * bar.width();
        let Some(first) = upper.first().copied().filter(|_| is_bar) else {
            continue;
        };
        let all = upper.iter().chain(&lower);
        all.for_each(|index| sets.join(first, *index));
        // Fragments to the left and right of the bar are level with it.
        for (index, one) in near.iter().filter(|(_, one)| is_beside(one, &bar)) {
            if !one.is_number {
                sets.join(first, *index);
            }
        }
        bars.push((first, bar));
    }
    let mut limits: Vec<usize> = Vec::new();
    for (index, one) in fragments.iter().enumerate() {
        if one.is_number || one.is_turned {
            continue;
        }
        let reach = one.bounds.grown(one.size * STACKED_GAP);
        for (other_index, other) in near(fragments, &strips, &reach) {
            if other_index == index || other.is_number || other.is_turned {
                continue;
            }
            if is_side_by_side(one, other) || is_stacked(one, other) {
                sets.join(index, other_index);
            }
            if is_limit(one, other) {
                limits.push(index);
                sets.join(index, other_index);
                break;
            }
        }
    }
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for index in 0..fragments.len() {
        let group = groups.entry(sets.first(index)).or_default();
        group.fragments.push(index);
    }
    for (index, bar) in bars {
        let group = groups.entry(sets.first(index)).or_default();
        group.bars.push(bar);
    }
    for index in limits {
        groups.entry(sets.first(index)).or_default().limits += 1;
    }
    let is_formula = |group: &Group| {
        let parts = group.fragments.iter();
        let mut parts = parts.filter_map(|index| fragments.get(*index));
        let has_signs = parts.clone().any(|one| one.math > 0);
        has_signs && (!group.bars.is_empty() || group.limits > 0 || parts.any(|one| one.tall > 0))
    };
    groups.into_values().filter(is_formula).collect()
}

fn near<'f>(fragments: &'f [Fragment], strips: &Strips, area: &Rect) -> Vec<(usize, &'f Fragment)> {
    let near = strips.near(area).into_iter();
    near.filter_map(|index| Some((index, fragments.get(index)?)))
        .collect()
}

/// Whether characters of a fragment are over a bar, and none stands out of it.
fn is_over(one: &Fragment, bar: &Rect) -> bool {
    let tolerance = one.size * 0.25;
    let mut is_any = false;
    for (left, right) in &one.spans {
        let center = f32::midpoint(*left, *right);
        let is_over = bar.left <= center && center <= bar.right;
        let stands_out = *left < bar.left - tolerance || *right > bar.right + tolerance;
        if is_over && stands_out {
            return false;
        }
        is_any |= is_over;
    }
    is_any && !one.is_turned && !one.is_prose()
}

/// Returns the width of the characters of a fragment over a bar, points.
fn width_over(one: &Fragment, bar: &Rect) -> f32 {
    let spans = one.spans.iter();
    let over = spans.filter(|(left, right)| bar.contains((f32::midpoint(*left, *right), bar.top)));
    over.map(|(left, right)| right - left).sum()
}

/// Whether characters of fragments over a bar have gaps, as the cells of tables do.
fn has_gaps(parts: &[&Fragment], bar: &Rect) -> bool {
    let size = parts.iter().map(|part| part.size).fold(1.0, f32::max);
    let spans = parts.iter().flat_map(|part| &part.spans);
    let over = spans.filter(|(left, right)| bar.contains((f32::midpoint(*left, *right), bar.top)));
    let mut over: Vec<(f32, f32)> = over.copied().collect();
    over.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut end = f32::INFINITY;
    over.iter().any(|(left, right)| {
        let gap = left - end;
        end = if end.is_finite() {
            end.max(*right)
        } else {
            *right
        };
        gap > size * CELL_GAP
    })
}

fn is_above(one: &Fragment, bar: &Rect) -> bool {
    let lowest = one.baseline.max(one.bounds.bottom - one.size * 0.3);
    let gap = bar.top - one.baseline.min(lowest);
    (-0.1 * one.size..ABOVE * one.size).contains(&gap) && is_over(one, bar)
}

fn is_below(one: &Fragment, bar: &Rect) -> bool {
    let gap = one.bounds.top - bar.bottom;
    (-0.35 * one.size..BELOW * one.size).contains(&gap) && is_over(one, bar)
}

/// Whether a fragment is at the left or right end of a bar, and level with it.
fn is_beside(one: &Fragment, bar: &Rect) -> bool {
    let gap = -one.bounds.shared_width(bar);
    let is_level = (one.bounds.top..=one.bounds.bottom).contains(&bar.center().1);
    is_level && !one.is_turned && (-0.5 * one.size..gap_of(one)).contains(&gap)
}

fn gap_of(one: &Fragment) -> f32 {
    one.size * if one.words > 0 { TEXT_GAP } else { FORMULA_GAP }
}

/// Whether fragments are level without a wide gap.
fn is_side_by_side(one: &Fragment, other: &Fragment) -> bool {
    let gap = -one.bounds.shared_width(&other.bounds);
    let shared = one.bounds.shared_height(&other.bounds);
    let height = one.bounds.height().min(other.bounds.height());
    let overlap = one.size.min(other.size) * OVERLAP;
    shared > height * 0.4
        && gap < gap_of(one).min(gap_of(other))
        && (gap > -overlap || is_level(one, other) || !one.is_text() && !other.is_text())
        && are_similar(one, other)
}

/// Whether fragments are parts of one line of text.
fn is_level(one: &Fragment, other: &Fragment) -> bool {
    let apart = one.bounds.center().1 - other.bounds.center().1;
    apart.abs() < one.size.min(other.size) * LEVEL
}

/// Whether the sizes of fragments do not differ more than those of signs and their limits.
fn are_similar(one: &Fragment, other: &Fragment) -> bool {
    one.size.max(other.size) <= one.size.min(other.size) * SIZES
}

/// Whether a fragment is below another one without a gap, and neither is text.
fn is_stacked(one: &Fragment, other: &Fragment) -> bool {
    let size = one.size.max(other.size);
    let gap = -one.bounds.shared_height(&other.bounds);
    let width = one.bounds.width().min(other.bounds.width());
    one.math + other.math > 0
        && !one.is_text()
        && !other.is_text()
        && are_similar(one, other)
        && gap < STACKED_GAP * size
        && one.bounds.shared_width(&other.bounds) > width * 0.3
}

/// Whether a fragment is a limit of a letter or sign of another one, centered above or below it.
fn is_limit(one: &Fragment, other: &Fragment) -> bool {
    let (x, y) = one.bounds.center();
    let is_apart = y < other.bounds.top || y > other.bounds.bottom;
    let is_at = |(left, right): &(f32, f32)| *left <= x && x <= *right;
    one.size <= other.size * LIMIT_SIZE
        && one.words == 0
        && one.math > 0
        && !other.is_text()
        && is_apart
        && -one.bounds.shared_height(&other.bounds) < STACKED_GAP * one.size
        && other.spans.iter().any(is_at)
}
