//! Displayed formulas that a line of text cannot show, such as fractions, sums with limits and matrices.
//!
//! Parts of lines that are stacked or adjacent form groups around fraction bars, tall signs and limits. Each group is a candidate
//! with features of its signs, layout and surroundings (as in Lin et al., "Mathematical formula identification in PDF documents",
//! 2011).

mod features;
mod fragments;
mod groups;
mod signs;
mod strips;

use self::features::candidate;
use self::fragments::{Fragment, fragments};
use self::groups::{Group, groups};
use super::marks::Mark;
use crate::analysis::candidates::candidate::{Candidate, Trace};
use crate::analysis::candidates::weights::formulas::FORMULA;
use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::lines::line::Line;
use crate::model::geometry::Rect;
use crate::model::page_content::PageContent;

pub(super) use self::fragments::core;

/// Maximum number of formulas of a page.
const FORMULAS: usize = 60;

/// Whether a page may have formulas: text from left to right that is not recognized, with signs of formulas. Takes linear time.
pub(super) fn may_have_some(sheet: &PageContent, glyphs: &[Glyph]) -> bool {
    !sheet.is_recognized
        && glyphs.iter().any(signs::is_of_formula)
        && !glyphs.iter().any(|glyph| glyph.is_mirrored)
        && !bidi::is_text_from_right(glyphs.iter().map(|glyph| glyph.text))
}

/// Returns the regions of formulas from top to bottom, apart from each other. `tables` returns the tables with rules around them,
/// whose cells stay text.
pub(super) fn regions(
    (page, marks): (&Rect, &[Mark]),
    lines: &[Line],
    tables: impl FnOnce() -> Vec<Rect>,
    trace: &Trace,
) -> Vec<Rect> {
    let fragments = fragments(lines);
    let groups = groups(page, &fragments, marks);
    if groups.is_empty() {
        return Vec::new();
    }
    let setting = Setting::new(&fragments, marks, &groups);
    let candidates = groups.iter().map(|group| candidate(group, &setting));
    let mut candidates: Vec<Candidate> = candidates.collect();
    if candidates.iter().any(|candidate| candidate.is_chosen) {
        let tables = tables();
        for candidate in &mut candidates {
            candidate.add(features::cell(&candidate.bounds, &tables), &FORMULA);
        }
    }
    candidates.sort_by(|one, other| one.bounds.top.total_cmp(&other.bounds.top));
    let mut regions: Vec<Rect> = Vec::new();
    for mut candidate in candidates {
        candidate.is_chosen &= regions.len() < FORMULAS;
        if candidate.is_chosen {
            add(candidate.bounds, &mut regions);
        }
        trace.note(|| candidate);
    }
    regions
}

/// Adds a region, joined with those that it overlaps.
fn add(region: Rect, regions: &mut Vec<Rect>) {
    let mut joined = region;
    let is_apart = |known: &Rect, joined: &Rect| known.within(joined).is_none();
    while let Some(index) = regions.iter().position(|known| !is_apart(known, &joined)) {
        joined = joined.union(&regions.swap_remove(index));
    }
    regions.push(joined);
}

/// What a page shows around its formulas.
struct Setting<'a> {
    fragments: &'a [Fragment],
    marks: &'a [Mark],
    /// All fraction bars.
    bars: Vec<Rect>,
    by_place: strips::Strips,
    marks_by_place: strips::Strips,
}

impl<'a> Setting<'a> {
    fn new(fragments: &'a [Fragment], marks: &'a [Mark], groups: &[Group]) -> Self {
        Self {
            fragments,
            marks,
            bars: groups
                .iter()
                .flat_map(|group| &group.bars)
                .copied()
                .collect(),
            by_place: strips::Strips::of(fragments.iter().map(|one| one.bounds)),
            marks_by_place: strips::Strips::of(marks.iter().map(|mark| mark.bounds)),
        }
    }

    /// Returns the fragments near an area, with their indices.
    fn near(&self, area: &Rect) -> Vec<(usize, &'a Fragment)> {
        let near = self.by_place.near(area).into_iter();
        near.filter_map(|index| Some((index, self.fragments.get(index)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests;
