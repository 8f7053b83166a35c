//! Horizontal rules of tables: where they are drawn, and the joints between their parts.

use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// Maximum number of rule parts of a page that are examined.
const PARTS: usize = 20_000;
/// Tolerance for parts of one rule, across and along it, points.
const ASIDE: f32 = 1.5;
const ALONG: f32 = 3.0;
/// Maximum gap or overlap of parts that form a joint, and their minimum length, points.
const MEET: f32 = 0.75;
const LONG: f32 = 4.0;
/// Maximum height of a fill that is the background of a cell, points.
const HIGH: f32 = 200.0;

/// Maximum number of joints of a rule or bundle: a rule with more is dashed, not drawn cell by cell.
pub(in crate::analysis::tables) const JOINTS: usize = 200;

/// A horizontal rule, or several at the same height.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::analysis::tables) struct Across {
    pub(in crate::analysis::tables) y: f32,
    /// Drawn intervals from left to right; at least one.
    pub(in crate::analysis::tables) drawn: Vec<(f32, f32)>,
    /// Joints: programs that draw cell by cell start a new part at each column.
    pub(in crate::analysis::tables) joints: Vec<f32>,
    /// Whether it is the edge of an isolated fill, which bounds rows only if other rules do.
    pub(in crate::analysis::tables) is_weak: bool,
}

impl Across {
    pub(in crate::analysis::tables) fn left(&self) -> f32 {
        self.drawn.first().map_or(0.0, |span| span.0)
    }

    pub(in crate::analysis::tables) fn right(&self) -> f32 {
        self.drawn.last().map_or(0.0, |span| span.1)
    }

    /// Whether it is drawn between two positions.
    pub(in crate::analysis::tables) fn covers(&self, from: f32, to: f32) -> bool {
        let middle = f32::midpoint(from, to);
        self.drawn
            .iter()
            .any(|(begin, end)| (*begin..=*end).contains(&middle))
    }
}

/// Returns the horizontal rules of strokes and of the edges of fills, from top to bottom.
pub(in crate::analysis::tables) fn level(strokes: &[Stroke], fills: &[Rect]) -> Vec<Across> {
    let level = strokes.iter().filter(|stroke| stroke.is_horizontal());
    let mut lines = chains(level.map(|stroke| stroke.bounds).collect(), false);
    let (neighbors, alone) = next_to(fills);
    lines.extend(chains(edges(&neighbors), false));
    lines.extend(chains(edges(&alone), true));
    let dashed = lines.iter_mut().filter(|line| line.joints.len() > JOINTS);
    dashed.for_each(|line| line.joints.clear());
    lines.sort_by(|one, other| one.y.total_cmp(&other.y));
    lines
}

/// Returns the vertical rules of strokes, from left to right, with x and y swapped.
pub(in crate::analysis::tables) fn upright(strokes: &[Stroke]) -> Vec<Across> {
    let upright = strokes.iter().filter(|stroke| !stroke.is_horizontal());
    let flipped = upright.map(|stroke| Rect {
        left: stroke.bounds.top,
        top: stroke.bounds.left,
        right: stroke.bounds.bottom,
        bottom: stroke.bounds.right,
    });
    chains(flipped.collect(), false)
}

/// Splits fills into those that touch another fill of the same height at the side, and the others.
fn next_to(fills: &[Rect]) -> (Vec<Rect>, Vec<Rect>) {
    let is_cell = |fill: &&Rect| fill.height() < HIGH && fill.height() > LONG;
    let mut fills: Vec<Rect> = fills.iter().take(PARTS).filter(is_cell).copied().collect();
    let near = |one: f32, other: f32| (one - other).abs() <= MEET;
    fills.sort_by(|one, other| {
        let (top, left) = (
            one.top.total_cmp(&other.top),
            one.left.total_cmp(&other.left),
        );
        top.then(left)
    });
    fills.dedup();
    let meet = |one: &Rect, other: &Rect| {
        near(one.top, other.top) && near(one.bottom, other.bottom) && near(one.right, other.left)
    };
    let pairs = || fills.iter().zip(fills.iter().skip(1));
    let before = pairs().map(|(one, other)| meet(one, other));
    let is_met: Vec<bool> = [false].into_iter().chain(before).chain([false]).collect();
    let is_beside = |index: usize| is_met.iter().skip(index).take(2).any(|met| *met);
    let (neighbors, alone): (Vec<_>, Vec<_>) = fills
        .iter()
        .enumerate()
        .partition(|(index, _)| is_beside(*index));
    let rects = |found: Vec<(usize, &Rect)>| found.into_iter().map(|(_, fill)| *fill).collect();
    (rects(neighbors), rects(alone))
}

/// Returns the upper and lower edges of fills as rules.
fn edges(fills: &[Rect]) -> Vec<Rect> {
    let at = |fill: &Rect, y: f32| Rect {
        top: y,
        bottom: y,
        ..*fill
    };
    let edges = fills
        .iter()
        .flat_map(|fill| [at(fill, fill.top), at(fill, fill.bottom)]);
    edges.collect()
}

/// Merges horizontal parts that are on one line and touch.
fn chains(mut parts: Vec<Rect>, is_weak: bool) -> Vec<Across> {
    parts.truncate(PARTS);
    parts.sort_by(|one, other| one.center().1.total_cmp(&other.center().1));
    let mut chains: Vec<Across> = Vec::new();
    let mut rest = parts.as_slice();
    while let Some(first) = rest.first() {
        let y = first.center().1;
        let height = rest.partition_point(|part| part.center().1 <= y + ASIDE);
        let (strip, others) = rest.split_at(height.max(1));
        let mut strip = strip.to_vec();
        strip.sort_by(|one, other| one.left.total_cmp(&other.left));
        chains.extend(chained(&strip, y, is_weak));
        rest = others;
    }
    chains
}

/// Merges parts at the same height, from left to right.
fn chained(strip: &[Rect], y: f32, is_weak: bool) -> Vec<Across> {
    let mut chains: Vec<Across> = Vec::new();
    for part in strip {
        match chains.last_mut().and_then(|chain| {
            let span = chain.drawn.last_mut()?;
            (part.left <= span.1 + ALONG).then_some((span, &mut chain.joints))
        }) {
            Some((span, joints)) => {
                let meets = (part.left - span.1).abs() <= MEET;
                let is_long = part.width() >= LONG && span.1 - span.0 >= LONG;
                if meets && is_long {
                    joints.push(f32::midpoint(part.left, span.1));
                }
                span.1 = span.1.max(part.right);
            }
            None => chains.push(Across {
                y,
                drawn: vec![(part.left, part.right)],
                joints: Vec::new(),
                is_weak,
            }),
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of joints of a rule that is drawn in this number of parts.
    fn joints(parts: u16) -> usize {
        let part = |index| Stroke {
            bounds: Rect::between(
                (f32::from(index) * 5.0, 10.0),
                (f32::from(index) * 5.0 + 5.0, 10.5),
            ),
        };
        let strokes: Vec<Stroke> = (0..parts).map(part).collect();
        match level(&strokes, &[]).as_slice() {
            [line] => line.joints.len(),
            others => panic!("{others:?}"),
        }
    }

    #[test]
    fn rules_with_too_many_parts_have_no_joints() {
        assert_eq!(joints(201), JOINTS);
        assert_eq!(joints(202), 0);
        assert_eq!(joints(5_000), 0);
    }
}
