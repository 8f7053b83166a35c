//! The parts of a row of a header or footer: at the start, in the center, and at the end.

use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::model::block::{Alignment, Block, Content};
use crate::model::text::{Run, Style};

/// Minimum gap between parts, and maximum distance of an outer part from its margin, as fractions of the font size.
const GAP: f32 = 3.0;
const NEAR: f32 = 2.0;
/// Number of parts that a row may have.
const PARTS: usize = 3;

/// Splits a row at its wide gaps. Returns its parts in reading order, each with the number of tab stops before it: 0 at the start,
/// 1 in the center, 2 at the end; `None` if it has one part, or parts at other places.
pub(super) fn parts(row: &Line, margins: Margins) -> Option<Vec<(usize, Line)>> {
    let pairs = row.pieces.iter().zip(row.pieces.iter().skip(1));
    let gaps = pairs.map(|(one, next)| next.bounds.left - one.bounds.right);
    let wide = gaps.enumerate().filter(|(_, gap)| *gap > row.size * GAP);
    let places: Vec<usize> = wide.map(|(index, _)| index + 1).collect();
    // The direction of the paragraph will be that of its text.
    let is_other = row.is_from_right() != margins.from_right;
    if is_other || places.is_empty() || places.len() >= PARTS {
        return None;
    }
    let mut parts = Vec::new();
    let mut rest = row.clone();
    for place in places.into_iter().rev() {
        let [before, part] = rest.split_at(place)?;
        parts.push(part);
        rest = before;
    }
    parts.push(rest);
    if !margins.from_right {
        parts.reverse();
    }
    let stop = |part: &Line| {
        if margins.start_of(part) - margins.start < row.size * NEAR {
            0
        } else if margins.end - margins.end_of(part) < row.size * NEAR {
            2
        } else {
            1
        }
    };
    let parts: Vec<(usize, Line)> = parts.into_iter().map(|part| (stop(&part), part)).collect();
    let mut stops = parts.iter().zip(parts.iter().skip(1));
    stops
        .all(|((one, _), (next, _))| one < next)
        .then_some(parts)
}

/// Joins the paragraphs of parts to one with tabs between them; `None` if they are something else.
pub(super) fn joined(parts: Vec<(usize, Vec<Block>)>) -> Option<Block> {
    let mut all: Vec<Run> = Vec::new();
    let mut bounds: Option<crate::Rect> = None;
    let mut reached = 0;
    for (stop, blocks) in parts {
        let [block] = blocks.try_into().ok()?;
        let Content::Paragraph { mut runs, .. } = block.content else {
            return None;
        };
        if let Some(Style { size, font, .. }) = runs.first().map(|run| run.style.clone())
            && stop > reached
        {
            let text = "\t".repeat(stop - reached);
            let style = Style {
                size,
                font,
                ..Style::default()
            };
            all.push(Run {
                text,
                style,
                link: None,
            });
        }
        reached = stop;
        all.append(&mut runs);
        bounds = match (bounds, block.bounds) {
            (Some(one), Some(other)) => Some(one.union(&other)),
            (one, other) => one.or(other),
        };
    }
    Some(Block {
        bounds,
        ..Block::from(Content::Paragraph {
            runs: all,
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        })
    })
}
