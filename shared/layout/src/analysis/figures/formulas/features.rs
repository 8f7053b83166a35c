//! Features of the groups that may be formulas.

use super::Setting;
use super::fragments::Fragment;
use super::groups::Group;
use crate::analysis::candidates::candidate::{Candidate, Kind};
use crate::analysis::candidates::weights::formulas::FORMULA;
use crate::analysis::candidates::weights::{Feature, ratio};
use crate::analysis::figures::marks::Mark;
use crate::model::geometry::Rect;

/// Distances at which texts above and below are looked up, and next to a formula, as multiples of the font size.
const AROUND: f32 = 6.0;
const BESIDE: f32 = 8.0;
/// Minimum part of the width of a fragment that is in the bounds of a group which it belongs to.
const INSIDE: f32 = 0.25;
/// Maximum part of the height of a table that a formula in a cell has.
const PART: f32 = 0.7;
/// Minimum indent of a formula, as a fraction of the font size.
const INDENT: f32 = 0.8;
/// Number of characters, words of a line, texts and drawings that count fully, and maximum distance of the drawings as a multiple
/// of the font size.
const SIGNS: usize = 3;
const WORDS: usize = 5;
const NEAR: f32 = 1.5;
/// Number of rules that counts fully, and maximum distance of them as a multiple of the font size.
const RULES: usize = 2;
const CLOSE: f32 = 0.8;
const TEXTS: usize = 2;
const DRAWINGS: usize = 3;

/// Returns the candidate of a group.
pub(super) fn candidate(group: &Group, setting: &Setting<'_>) -> Candidate {
    let Parts {
        indices,
        parts,
        bounds,
    } = Parts::of(group, setting);
    let sum = |count: fn(&Fragment) -> usize| parts.iter().map(|part| count(part)).sum::<usize>();
    let characters = sum(|part| part.characters);
    let share = |count: fn(&Fragment) -> usize| ratio(sum(count), characters);
    let size = parts.iter().map(|part| part.size).fold(1.0, f32::max);
    let around = Surroundings::of(&bounds, size, &indices, setting);
    let most_words = parts.iter().map(|part| part.words).max().unwrap_or(0);
    let others = rules(&bounds, &bounds.grown(CLOSE * size), setting);
    let is_any = |is_any: bool| f32::from(u8::from(is_any));
    let features = vec![
        ("math", share(|part| part.math)),
        ("signs", ratio(characters, SIGNS).min(1.0)),
        ("bars", is_any(!group.bars.is_empty())),
        ("tall", is_any(parts.iter().any(|part| part.tall > 0))),
        ("limits", is_any(group.limits > 0)),
        ("words", share(|part| part.in_words)),
        ("prose", ratio(most_words, WORDS).min(1.0)),
        ("fixed", share(|part| part.fixed)),
        ("beside", ratio(around.beside, TEXTS).min(1.0)),
        ("apart", around.apart),
        ("inset", is_any(around.is_inset)),
        ("rules", ratio(others, RULES).min(1.0)),
        ("number", is_any(around.is_numbered)),
        (
            "drawn",
            ratio(drawings(&bounds.grown(NEAR * size), setting), DRAWINGS).min(1.0),
        ),
    ];
    Candidate::new(Kind::Formula, "stacked", bounds, features, &FORMULA)
}

/// The fragments of a group, and others that reach into its bounds, such as conditions at the right of cases.
struct Parts<'a> {
    /// Sorted.
    indices: Vec<usize>,
    parts: Vec<&'a Fragment>,
    bounds: Rect,
}

impl<'a> Parts<'a> {
    fn of(group: &Group, setting: &Setting<'a>) -> Self {
        let parts = group.fragments.iter();
        let parts: Vec<&Fragment> = parts
            .filter_map(|index| setting.fragments.get(*index))
            .collect();
        let bounds = parts.iter().map(|part| part.bounds);
        let bounds = Rect::around(bounds.chain(group.bars.iter().copied()));
        let mut all = Self {
            indices: group.fragments.clone(),
            parts,
            bounds: bounds.unwrap_or_default(),
        };
        for (index, other) in setting.near(&all.bounds) {
            let middle = other.bounds.center().1;
            let is_inside = (all.bounds.top..=all.bounds.bottom).contains(&middle)
                && other.bounds.shared_width(&all.bounds) > INSIDE * other.bounds.width();
            if is_inside && !other.is_turned && group.fragments.binary_search(&index).is_err() {
                all.indices.push(index);
                all.parts.push(other);
                all.bounds = all.bounds.union(&other.bounds);
            }
        }
        all.indices.sort_unstable();
        all
    }
}

/// What is around a group.
struct Surroundings {
    /// Number of short texts next to it.
    beside: usize,
    /// Distance of the nearest text above or below it, relative to the font size, at most 1.
    apart: f32,
    /// Whether it begins further to the right than the texts above and below it.
    is_inset: bool,
    /// Whether an equation number is at its right.
    is_numbered: bool,
}

impl Surroundings {
    fn of(bounds: &Rect, size: f32, inner: &[usize], setting: &Setting<'_>) -> Self {
        let mut found = Self {
            beside: 0,
            apart: 1.0,
            is_inset: false,
            is_numbered: false,
        };
        let mut left = f32::INFINITY;
        for (index, other) in setting.near(&bounds.grown(AROUND * size)) {
            if inner.binary_search(&index).is_ok() || other.is_turned {
                continue;
            }
            let (across, down) = (
                bounds.shared_width(&other.bounds),
                bounds.shared_height(&other.bounds),
            );
            let is_level = down > 0.5 * other.bounds.height();
            if other.is_number && is_level {
                found.is_numbered |= other.bounds.left > bounds.right;
            } else if is_level && !other.is_prose() && -across < BESIDE * size {
                found.beside += 1;
            }
            if other.is_text() && across > 0.0 && !is_level {
                found.apart = found.apart.min((-down / size).max(0.0));
            }
            if other.is_prose() && across > 0.0 {
                left = left.min(other.bounds.left);
            }
        }
        found.is_inset = left.is_finite() && bounds.left > left + INDENT * size;
        found
    }
}

/// Returns the feature of a candidate that is in a cell of a table.
pub(super) fn cell(bounds: &Rect, tables: &[Rect]) -> Feature {
    let is_part =
        |table: &Rect| table.contains(bounds.center()) && bounds.height() < PART * table.height();
    let is_in_cell = tables.iter().any(is_part);
    ("cell", f32::from(u8::from(is_in_cell)))
}

/// Returns the number of rules that reach into an area from outside the bounds and are no fraction bars, such as those of tables,
/// axes and circuits.
fn rules(bounds: &Rect, area: &Rect, setting: &Setting<'_>) -> usize {
    let near = setting.marks_by_place.near(area).into_iter();
    let marks = near.filter_map(|index| setting.marks.get(index));
    let inner = bounds.grown(1.0);
    let is_other = |mark: &&Mark| {
        mark.is_rule()
            && area.within(&mark.bounds).is_some()
            && inner.within(&mark.bounds) != Some(mark.bounds)
            && !setting.bars.contains(&mark.bounds)
    };
    marks.filter(is_other).count()
}

/// Returns the number of drawings in an area that are no rules.
fn drawings(bounds: &Rect, setting: &Setting<'_>) -> usize {
    let near = setting.marks_by_place.near(bounds).into_iter();
    let marks = near.filter_map(|index| setting.marks.get(index));
    let is_in = |mark: &&Mark| !mark.is_rule() && bounds.within(&mark.bounds).is_some();
    marks.filter(is_in).count()
}
