//! Joins adjacent texts of one sentence: links and emphasized words may be siblings of texts instead of children.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::plan::{Entry, Part, Plan, Text};
use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::is_turned;
use crate::model::structure::Tag;

/// Maximum horizontal and vertical distance of texts to be joined, as a fraction of the font size.
const GAP: f32 = 0.6;
/// As before, after a monospaced character: its spaces are wide.
const FIXED_GAP: f32 = 0.75;
const LEVEL: f32 = 0.1;
/// Distance of the baselines of code, as a fraction of the font size.
const LEADING: RangeInclusive<f32> = 0.9..=1.7;

impl Plan {
    /// Joins texts that continue on the same line.
    pub(super) fn join(&mut self, glyphs: &[Glyph]) {
        let mut joins = Joins {
            ends: ends(glyphs, self),
            leaves: HashMap::new(),
        };
        joins.parts(&mut self.parts);
        for (leaf, _) in self.contents.values_mut() {
            *leaf = joins.leaves.get(leaf).copied().unwrap_or(*leaf);
        }
    }
}

struct Joins<'a> {
    /// First and last character of each leaf.
    ends: HashMap<usize, (&'a Glyph, &'a Glyph)>,
    /// The leaf that each joined leaf belongs to.
    leaves: HashMap<usize, usize>,
}

impl Joins<'_> {
    fn parts(&mut self, parts: &mut Vec<Part>) {
        let mut kept: Vec<Part> = Vec::new();
        for mut part in std::mem::take(parts) {
            self.within(&mut part);
            if let Part::Text(next) = &part
                && let Some(Part::Text(text)) = kept.last_mut()
                && may_join(text, next)
                && self.join(text.leaf, next.leaf)
            {
                text.is_loose = next.is_loose;
                continue;
            }
            kept.push(part);
        }
        *parts = kept;
    }

    fn within(&mut self, part: &mut Part) {
        match part {
            Part::Text(_) | Part::Figure { .. } => {}
            Part::List(entries) => entries.iter_mut().for_each(|entry| self.entry(entry)),
            Part::Table(rows) => {
                let cells = rows.rows.iter_mut().flat_map(|row| &mut row.cells);
                cells.for_each(|cell| self.parts(&mut cell.parts));
            }
            Part::Note { parts, .. } => self.parts(parts),
        }
    }

    fn entry(&mut self, entry: &mut Entry) {
        let mut kept: Vec<usize> = Vec::new();
        for leaf in std::mem::take(&mut entry.texts) {
            if !kept.last().is_some_and(|last| self.join(*last, leaf)) {
                kept.push(leaf);
            }
        }
        entry.texts = kept;
        self.parts(&mut entry.others);
    }

    /// Joins a leaf to the previous one if it continues on the same line or is without visible text.
    fn join(&mut self, leaf: usize, next: usize) -> bool {
        let Some((begin, end)) = self.ends.get(&next) else {
            self.leaves.insert(next, leaf);
            return true;
        };
        let Some((first, last)) = self.ends.get(&leaf) else {
            return false;
        };
        let goes_on = is_behind(last, begin) || is_code_below(last, begin);
        if goes_on {
            let all = (*first, *end);
            self.ends.insert(leaf, all);
            self.leaves.insert(next, leaf);
        }
        goes_on
    }
}

/// Whether texts may be joined: declared paragraphs are not, unless one of the texts is inline content.
fn may_join(text: &Text, next: &Text) -> bool {
    (text.is_loose || next.is_loose)
        && text.heading.is_none()
        && next.heading.is_none()
        && next.alignment.is_none_or(|own| text.alignment == Some(own))
        && !next.continues
}

fn ends<'a>(glyphs: &'a [Glyph], plan: &Plan) -> HashMap<usize, (&'a Glyph, &'a Glyph)> {
    let mut seen: Vec<(usize, usize, &Glyph)> = Vec::new();
    for glyph in glyphs.iter().filter(|glyph| !glyph.text.is_whitespace()) {
        if let Tag::Content(id) = glyph.tag
            && let Some((leaf, order)) = plan.contents.get(&id)
        {
            seen.push((*leaf, *order, glyph));
        }
    }
    seen.sort_by_key(|(_, order, _)| *order);
    let mut ends: HashMap<usize, (&Glyph, &Glyph)> = HashMap::new();
    for (leaf, _, glyph) in seen {
        ends.entry(leaf).or_insert((glyph, glyph)).1 = glyph;
    }
    ends
}

/// Whether a character begins the next line of code.
fn is_code_below(last: &Glyph, next: &Glyph) -> bool {
    let size = last.size.max(next.size);
    last.font.is_monospaced
        && next.font.is_monospaced
        && !is_turned(last)
        && !is_turned(next)
        && (size * LEADING.start()..=size * LEADING.end())
            .contains(&(next.baseline - last.baseline))
}

/// Whether a character directly follows another one in reading direction.
fn is_behind(last: &Glyph, next: &Glyph) -> bool {
    let size = last.size.max(next.size);
    let has_right = [last, next]
        .iter()
        .any(|glyph| bidi::is_right_to_left(glyph.text));
    let from_right = has_right != last.is_mirrored;
    let gap = match from_right {
        true => last.bounds.left - next.bounds.right,
        false => next.bounds.left - last.bounds.right,
    };
    let most = match last.font.is_monospaced {
        true => size * FIXED_GAP,
        false => size * GAP,
    };
    !is_turned(last)
        && !is_turned(next)
        && (last.baseline - next.baseline).abs() <= size * LEVEL
        && (-size * GAP / 2.0..=most).contains(&gap)
}
