//! Candidates without rules between columns: consecutive lines whose segments leave the same gaps (text edges, Nurminen 2013).

mod gaps;

use self::gaps::{GAP, Span, common, crossed, gaps, own_gaps, shared};
use crate::analysis::tables::content::Content;
use crate::analysis::tables::frames::frames;
use crate::analysis::tables::grid::Grid;
use crate::analysis::tables::row_bands::across::Across;
use crate::analysis::tables::row_bands::columns::Columns;
use crate::analysis::tables::row_bands::interval::Interval;
use crate::analysis::tables::row_bands::table::grid;
use crate::analysis::tables::segment::Text;
use crate::model::geometry::Rect;

/// Maximum distance of rows as a fraction of the font size, and as a multiple of the largest distance so far.
const FAR: f32 = 2.6;
const FARTHER: f32 = 1.7;
/// Maximum distance of rows that are equally far from each other, as a fraction of the font size, and tolerance for these.
const TALL: f32 = 5.0;
const EVEN: f32 = 0.04;
/// Maximum number of rows above the columns that cross gaps.
const HEADS: usize = 3;
/// Number of rows from which their distance is known, and maximum distance of a title of rows as a multiple of it.
const TITLED: usize = 3;
const TITLE: f32 = 1.35;
/// Number of rows from which the gaps are sure.
const SURE: usize = 4;
/// Maximum number of candidates of a frame.
const FOUND: usize = 50;

/// Returns the candidates of a page.
pub(super) fn grids(content: &Content<'_>, level: &[Across]) -> Vec<Grid> {
    let frames = frames(content);
    let found = frames.into_iter().flat_map(|frame| {
        let area = Rect {
            left: frame.0 - 40.0,
            right: frame.1 + 40.0,
            ..content.page
        };
        let lines = lines(content.texts_in(area, &[], GAP), frame);
        runs(&lines)
            .into_iter()
            .filter_map(|run| table(&run, level, &lines))
            .collect::<Vec<Grid>>()
    });
    found.collect()
}

/// A line of a frame, or what is in its place.
struct Line {
    text: Text,
    /// Whether it crosses an edge of the frame.
    is_outside: bool,
}

/// Returns the lines of a frame without the segments next to it.
fn lines(texts: Vec<Text>, (left, right): Span) -> Vec<Line> {
    let line = |mut text: Text| {
        let crosses = |x: f32| {
            let mut segments = text.segments.iter();
            segments.any(|segment| segment.left < x - 2.0 && x + 2.0 < segment.right)
        };
        let is_outside = crosses(left) || crosses(right);
        text.segments
            .retain(|segment| (left..=right).contains(&f32::midpoint(segment.left, segment.right)));
        (!text.segments.is_empty()).then_some(Line { text, is_outside })
    };
    texts.into_iter().filter_map(line).collect()
}

/// Lines with common gaps.
struct Run {
    from: usize,
    /// Exclusive.
    to: usize,
    gaps: Vec<Span>,
}

/// Returns runs of lines with common gaps, grown from the pairs with most gaps.
fn runs(lines: &[Line]) -> Vec<Run> {
    let mut seeds: Vec<(usize, usize, Vec<Span>)> = Vec::new();
    let several: Vec<usize> = (0..lines.len())
        .filter(|index| is_several(lines, *index))
        .collect();
    let apart = |one: usize, other: usize| {
        let pair = lines.get(one).zip(lines.get(other));
        pair.map(|(one, other)| other.text.baseline - one.text.baseline)
    };
    let steps: Vec<Option<f32>> = several
        .windows(2)
        .map(|pair| apart(*pair.first()?, *pair.last()?))
        .collect();
    // Tall rows have one distance.
    let is_even = |place: usize| {
        let step = steps.get(place).copied().flatten();
        let near = [place.checked_sub(1), Some(place + 1)]
            .into_iter()
            .flatten();
        let mut near = near.filter_map(|near| steps.get(near).copied().flatten());
        step.is_some_and(|step| near.any(|near| (near - step).abs() <= step * EVEN))
    };
    for (place, (one, other)) in several.iter().zip(several.iter().skip(1)).enumerate() {
        let (Some(above), Some(below)) = (lines.get(*one), lines.get(*other)) else {
            continue;
        };
        let between = lines.get(one + 1..*other).unwrap_or_default();
        let step = below.text.baseline - above.text.baseline;
        let is_near = step <= below.text.size * FAR
            || !between.is_empty() && between.len() < 4
            || step <= below.text.size * TALL && is_even(place);
        let gaps = shared(&own_gaps(&above.text), &own_gaps(&below.text));
        let is_free = between.iter().all(|line| crossed(&gaps, &line.text) == 0);
        if is_near && is_free && !gaps.is_empty() {
            seeds.push((*one, *other, gaps));
        }
    }
    seeds.sort_by(|one, other| other.2.len().cmp(&one.2.len()).then(one.0.cmp(&other.0)));
    let mut taken = vec![false; lines.len()];
    let mut runs = Vec::new();
    for (from, last, gaps) in seeds {
        let is_taken = taken
            .get(from..=last)
            .unwrap_or_default()
            .iter()
            .any(|taken| *taken);
        if is_taken || runs.len() >= FOUND {
            continue;
        }
        let run = grown(lines, &taken, from, last, gaps);
        for taken in taken.get_mut(run.from..run.to).unwrap_or_default() {
            *taken = true;
        }
        runs.push(run);
    }
    runs
}

fn is_several(lines: &[Line], index: usize) -> bool {
    lines
        .get(index)
        .is_some_and(|line| !line.is_outside && line.text.segments.len() > 1)
}

fn grown(lines: &[Line], taken: &[bool], from: usize, last: usize, gaps: Vec<Span>) -> Run {
    let mut run = Run {
        from,
        to: last + 1,
        gaps,
    };
    let free = |index: usize| {
        lines
            .get(index)
            .filter(|line| !line.is_outside && taken.get(index) == Some(&false))
    };
    let step = |one: usize, other: usize| {
        let pair = lines.get(one).zip(lines.get(other));
        pair.map_or(f32::INFINITY, |(one, other)| {
            (other.text.baseline - one.text.baseline).abs()
        })
    };
    let mut most = (from..last)
        .map(|index| step(index, index + 1))
        .fold(0.0, f32::max);
    let mut rows = 2;
    let mut is_loose = false;
    let mut next = last + 1;
    while let Some(line) = free(next) {
        let apart = step(next - 1, next);
        if apart > (line.text.size * FAR).max(most * FARTHER) {
            break;
        }
        let is_row = line.text.segments.len() > 1;
        let rest = common(&run.gaps, &line.text);
        let lost = run.gaps.len().saturating_sub(rest.len());
        // Text between two tables is further from them than a title of rows from these.
        let is_title = || lost > 0 && !is_row || is_loose;
        if rows >= TITLED && apart > most * TITLE && is_title() {
            break;
        }
        if lost > 0 && is_row {
            // A long cell may cross a gap, unless it shows that there is none.
            let is_kept = rest.len() * 2 >= run.gaps.len() && !rest.is_empty();
            if rows >= SURE && lost * 3 > run.gaps.len() || !is_kept {
                break;
            }
            if rows < SURE {
                run.gaps = rest;
            }
        } else if lost > 0 || is_loose && !is_row {
            // A single line across columns is a title of rows if rows follow.
            if is_loose {
                break;
            }
            is_loose = true;
            next += 1;
            continue;
        } else {
            run.gaps = rest;
        }
        is_loose = false;
        most = most.max(apart);
        rows += usize::from(is_row);
        next += 1;
        run.to = next;
    }
    // Lines in one column end a run only if they continue its last row.
    let is_single = |index: usize| {
        lines
            .get(index)
            .is_some_and(|line| line.text.segments.len() < 2)
    };
    let near = |index: usize| lines.get(index).map_or(0.0, |line| line.text.size * 1.5);
    while run.to > last + 1
        && is_single(run.to - 1)
        && step(run.to - 2, run.to - 1) > most.min(near(run.to - 1))
    {
        run.to -= 1;
    }
    run.from = head(lines, &mut run, most, free);
    while run.from < from && is_single(run.from) && step(run.from, run.from + 1) > near(run.from) {
        run.from += 1;
    }
    run
}

/// Returns the first line of a run with the lines above it; headers may cross gaps.
fn head<'l>(
    lines: &'l [Line],
    run: &mut Run,
    most: f32,
    free: impl Fn(usize) -> Option<&'l Line>,
) -> usize {
    let (mut from, mut index, mut heads) = (run.from, run.from, 0);
    while let Some((above, line)) = index
        .checked_sub(1)
        .and_then(|above| Some((above, free(above)?)))
    {
        let below = lines
            .get(index)
            .map_or(f32::INFINITY, |below| below.text.baseline);
        let apart = below - line.text.baseline;
        let rest = common(&run.gaps, &line.text);
        let lost = run.gaps.len().saturating_sub(rest.len());
        let is_row = line.text.segments.len() > 1;
        heads += usize::from(lost > 0);
        let is_head = is_row
            && lost <= HEADS.min(run.gaps.len() / 2)
            && heads <= HEADS
            && line.text.segments.iter().all(|segment| segment.words < 8);
        if apart > (line.text.size * FAR).max(most * FARTHER) || lost > 0 && !is_head {
            break;
        }
        if lost == 0 {
            run.gaps = rest;
        }
        index = above;
        if is_row || apart < line.text.size * 1.5 {
            from = index;
        }
    }
    from
}

fn extent(text: &Text) -> Span {
    let left = text
        .segments
        .first()
        .map_or(f32::INFINITY, |first| first.left);
    (
        left,
        text.segments
            .last()
            .map_or(f32::NEG_INFINITY, |last| last.right),
    )
}

/// Returns the table of a run; horizontal rules between its lines part rows.
fn table(run: &Run, level: &[Across], lines: &[Line]) -> Option<Grid> {
    let texts: Vec<Text> = lines
        .get(run.from..run.to)?
        .iter()
        .map(|line| line.text.clone())
        .collect();
    let (first, last) = (texts.first()?, texts.last()?);
    let (left, right) = texts
        .iter()
        .map(extent)
        .fold((f32::INFINITY, f32::NEG_INFINITY), |all, one| {
            (all.0.min(one.0), all.1.max(one.1))
        });
    let body: Vec<&Text> = texts
        .iter()
        .filter(|text| crossed(&run.gaps, text) == 0)
        .collect();
    let columns = Columns::with_gaps(gaps(&run.gaps, &body), &body);
    let size = first.size;
    let is_between = |rule: &&Across| {
        let shared = rule.right().min(right) - rule.left().max(left);
        !rule.is_weak
            && shared > (right - left) * 0.4
            && first.baseline < rule.y
            && rule.y < last.baseline - last.size * 0.5
    };
    let rules: Vec<&Across> = level.iter().filter(is_between).collect();
    let (top, bottom) = (first.baseline - size, last.baseline + last.size * 0.3);
    let ys = || rules.iter().map(|rule| rule.y);
    let tops = [top].into_iter().chain(ys());
    let bottoms = ys().chain([bottom]);
    let intervals: Vec<Interval<'_>> = tops
        .zip(bottoms)
        .enumerate()
        .map(|(index, (top, bottom))| {
            let from = texts.partition_point(|text| text.baseline < top);
            let to = texts.partition_point(|text| text.baseline < bottom);
            Interval {
                top,
                bottom,
                texts: texts.get(from..to.max(from)).unwrap_or_default(),
                above: index
                    .checked_sub(1)
                    .and_then(|above| rules.get(above).copied()),
                below: rules.get(index).copied(),
            }
        })
        .collect();
    grid(&intervals, &columns, false, (left - 1.0, right + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tables::segment::tests::text;

    fn found(rows: &[&[Span]]) -> Vec<(usize, usize, usize)> {
        let mut y = 0.0;
        let line = |segments: &&[Span]| {
            y += 14.0;
            Line {
                text: text(y, segments, false),
                is_outside: false,
            }
        };
        let lines: Vec<Line> = rows.iter().map(line).collect();
        let runs = runs(&lines).into_iter();
        runs.map(|run| (run.from, run.to, run.gaps.len())).collect()
    }

    #[test]
    fn rows_with_common_gaps_are_one_run_and_headers_may_cross_gaps() {
        let row: &[Span] = &[(0.0, 50.0), (100.0, 130.0), (200.0, 230.0)];
        let head: &[Span] = &[(0.0, 50.0), (100.0, 230.0)];
        let prose: &[Span] = &[(0.0, 300.0)];
        assert_eq!(found(&[prose, head, row, row, row, prose]), [(1, 5, 2)]);
    }

    #[test]
    fn lines_without_common_gaps_are_none() {
        let one: &[Span] = &[(0.0, 100.0), (110.0, 300.0)];
        let other: &[Span] = &[(0.0, 150.0), (160.0, 300.0)];
        assert!(found(&[one, other, one, other]).is_empty());
    }
}
