//! Gutters of a page: places where text begins on many baselines and which few lines between them cross. Evidence of all bands
//! counts, even if headings separate the bands (as in edgeparse's `xycut`).

use std::collections::HashMap;

use crate::analysis::lines::line::Line;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::Span;
use crate::model::geometry::Rect;

/// Tolerance for aligned edges, points.
const LEVEL: f32 = 1.5;
/// Minimum width of a gap within a line that may be a gutter, as a fraction of the font size.
const NARROW: f32 = 0.5;
/// Minimum number of lines with such a gap at one place, and their mean number of words before it.
const LINES: usize = 4;
const WORDS: usize = 3;

/// Returns the number of lines that are aligned at the edge of a gap where text begins, and of those that cross the gap.
fn next_to<'a>(
    lines: impl Iterator<Item = &'a Line>,
    gap: Span,
    from_right: bool,
) -> (usize, usize) {
    let middle = f32::midpoint(gap.0, gap.1);
    lines.fold((0, 0), |(aligned, crossing), line| {
        let Rect { left, right, .. } = line.bounds;
        let apart = if from_right {
            right - gap.0
        } else {
            left - gap.1
        };
        let is_crossing = left < middle && middle < right;
        (
            aligned + usize::from(apart.abs() <= LEVEL),
            crossing + usize::from(is_crossing),
        )
    })
}

/// A gap within a line: the line, the piece after it, where it is, and where text begins.
struct Opening {
    atom: usize,
    piece: usize,
    gap: Span,
    start: f32,
}

/// Splits lines that run across gutters.
pub(in crate::analysis) fn parted(atoms: Vec<Atom>, from_right: bool) -> Vec<Atom> {
    // Larger and smaller text, as of headings and figures, does not count against a gutter.
    let mut sizes: HashMap<i32, Vec<usize>> = HashMap::new();
    for (place, line) in atoms.iter().enumerate() {
        let line = line.line().filter(|line| !line.is_turned());
        line.into_iter()
            .for_each(|line| sizes.entry(half_points(line)).or_default().push(place));
    }
    let mut cuts: Vec<Vec<usize>> = vec![Vec::new(); atoms.len()];
    for places in sizes.values() {
        let lines = || {
            places
                .iter()
                .filter_map(|place| Some((*place, atoms.get(*place)?.line()?)))
        };
        let mut openings: Vec<Opening> = lines()
            .flat_map(|(place, line)| gaps(place, line, from_right))
            .collect();
        openings.sort_by(|one, other| one.start.total_cmp(&other.start));
        for same in openings.chunk_by(|one, other| other.start - one.start < LEVEL) {
            if is_gutter(same, &atoms, places, from_right) {
                for opening in same {
                    cuts.get_mut(opening.atom)
                        .into_iter()
                        .for_each(|cuts| cuts.push(opening.piece));
                }
            }
        }
    }
    let parted = atoms.into_iter().zip(cuts);
    parted.flat_map(|(atom, cuts)| split(atom, cuts)).collect()
}

fn half_points(line: &Line) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "sizes are limited")]
    let size = (line.size * 2.0).round() as i32;
    size
}

fn gaps(atom: usize, line: &Line, from_right: bool) -> impl Iterator<Item = Opening> {
    let pairs = line
        .pieces
        .iter()
        .zip(line.pieces.iter().skip(1))
        .enumerate();
    pairs.filter_map(move |(piece, (one, other))| {
        let gap = (one.bounds.right, other.bounds.left);
        let start = if from_right { gap.0 } else { gap.1 };
        (gap.1 - gap.0 >= line.size * NARROW).then_some(Opening {
            atom,
            piece: piece + 1,
            gap,
            start,
        })
    })
}

/// Whether at most an eighth of the lines cross gaps at one place, and most of the lines with a gap there begin at one place.
fn is_gutter(same: &[Opening], atoms: &[Atom], places: &[usize], from_right: bool) -> bool {
    if same.len() < LINES {
        return false;
    }
    let gap = same.iter().fold((0.0_f32, f32::INFINITY), |all, opening| {
        (all.0.max(opening.gap.0), all.1.min(opening.gap.1))
    });
    let lines = || {
        same.iter()
            .filter_map(|opening| atoms.get(opening.atom)?.line())
    };
    // Lines above and below, such as captions, belong to another layout.
    let (top, bottom) = lines().fold((f32::INFINITY, f32::NEG_INFINITY), |(top, bottom), line| {
        (top.min(line.baseline), bottom.max(line.baseline))
    });
    let between = places.iter().filter_map(|place| atoms.get(*place)?.line());
    let between = between.filter(|line| (top..=bottom).contains(&line.baseline));
    let (aligned, crossing) = next_to(between, gap, from_right);
    let mut starts: Vec<f32> = lines()
        .map(|line| {
            if from_right {
                line.bounds.right
            } else {
                line.bounds.left
            }
        })
        .collect();
    starts.sort_by(f32::total_cmp);
    let chunks = starts.chunk_by(|one, other| other - one < LEVEL);
    let most = chunks.map(<[f32]>::len).max().unwrap_or(0);
    let words = same.iter().filter_map(|opening| {
        let all = atoms.get(opening.atom)?.line()?.pieces.len();
        Some(opening.piece.min(all - opening.piece))
    });
    let words: usize = words.sum();
    gap.1 > gap.0
        && crossing.saturating_sub(same.len()) * 8 <= same.len() + aligned
        && most * 10 >= same.len() * 7
        && words >= same.len() * WORDS
}

fn split(atom: Atom, mut cuts: Vec<usize>) -> Vec<Atom> {
    cuts.sort_unstable();
    let mut parts = Vec::new();
    let mut rest = atom;
    for cut in cuts.into_iter().rev() {
        let Some([first, last]) = rest.line().and_then(|line| line.split_at(cut)) else {
            continue;
        };
        parts.push(Atom::Line(last));
        rest = Atom::Line(first);
    }
    parts.push(rest);
    parts.reverse();
    parts
}
