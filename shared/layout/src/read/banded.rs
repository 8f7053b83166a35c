//! Tables with lines between their rows, or above and below them, and none between their columns.

mod columns;
mod rows;
mod segment;

use self::columns::Columns;
use self::rows::{Row, rows};
use self::segment::{Text, texts};
use super::glyph::Glyph;
use super::grid::{Area, Grid};
use super::strokes::Lines;
use crate::geometry::Rect;
use crate::sheet::Stroke;

/// The shortest lines that are looked at, and how unlike the ends of lines are that belong together, points.
const SHORTEST: f32 = 50.0;
const UNLIKE: f32 = 3.0;
/// Lines that are nearer to each other are one, points.
const DOUBLE: f32 = 3.0;
/// Most lines, and most groups of lines, of a page.
const LINES: usize = 2_000;
const GROUPS: usize = 32;
/// The highest row without anything in it, points.
const EMPTY: f32 = 40.0;
/// Most lines of a row that has something in one column only.
const ROW_LINES: usize = 3;
/// From how many rows on with a line below each, lines are taken to be between all rows.
const RULED: usize = 4;

/// Level lines of the same ends.
struct Group {
    left: f32,
    right: f32,
    ys: Vec<f32>,
}

/// The tables that level lines bound, outside of grids that are known.
pub(super) fn grids(strokes: &[Stroke], glyphs: &[Glyph], known: &[Grid]) -> Vec<Grid> {
    let is_free = |line: &Rect| {
        !known
            .iter()
            .any(|grid| grid.bounds.grown(2.0).contains(line.centre()))
    };
    let level = Lines::of(strokes).level;
    let level = level
        .into_iter()
        .filter(|line| line.width() >= SHORTEST && is_free(line));
    let mut grids: Vec<Grid> = Vec::new();
    for group in groups(level.take(LINES)) {
        let area = Rect::between(
            (
                group.left - UNLIKE,
                group.ys.first().copied().unwrap_or(0.0),
            ),
            (
                group.right + UNLIKE,
                group.ys.last().copied().unwrap_or(0.0),
            ),
        );
        let inside = glyphs
            .iter()
            .filter(|glyph| glyph.zone == 0 && area.contains(glyph.bounds.centre()));
        grids.extend(group.tables(&texts(inside)));
    }
    grids
}

fn groups(level: impl Iterator<Item = Rect>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for line in level {
        let like = |group: &&mut Group| {
            (group.left - line.left).abs() <= UNLIKE && (group.right - line.right).abs() <= UNLIKE
        };
        let (y, count) = (line.centre().1, groups.len());
        match groups.iter_mut().find(like) {
            Some(group) => group.ys.push(y),
            None if count < GROUPS => groups.push(Group {
                left: line.left,
                right: line.right,
                ys: vec![y],
            }),
            None => {}
        }
    }
    for group in &mut groups {
        group.ys.sort_by(f32::total_cmp);
        group.ys.dedup_by(|next, before| *next - *before < DOUBLE);
    }
    groups.retain(|group| group.ys.len() > 1);
    groups
}

/// What stands between two lines that follow each other.
struct Interval<'t> {
    top: f32,
    bottom: f32,
    texts: &'t [Text],
}

impl Interval<'_> {
    /// Whether something stands side by side, and nothing reaches across.
    fn is_tabular(&self, width: f32) -> bool {
        self.texts.iter().any(|text| text.segments.len() > 1)
            && self.texts.iter().all(|text| text.widest() < width * 0.75)
    }

    /// Whether it may stand between rows: a title of some of them, or nothing.
    fn may_be_between(&self) -> bool {
        match self.texts {
            [] => self.bottom - self.top < EMPTY,
            [only] => self.bottom - self.top < only.size * 2.2,
            _ => false,
        }
    }

    /// Whether it may be a row that has something in one column only.
    fn is_row(&self, width: f32) -> bool {
        (1..=ROW_LINES).contains(&self.texts.len())
            && self.is_filled()
            && self.texts.iter().all(|text| text.widest() < width * 0.75)
    }

    /// Whether it is filled from the line above to the line below.
    fn is_filled(&self) -> bool {
        let (Some(first), Some(last)) = (self.texts.first(), self.texts.last()) else {
            return false;
        };
        let above = first.baseline - first.size * 0.75 - self.top;
        let below = self.bottom - last.baseline - last.size * 0.25;
        above < first.size && below < last.size
    }
}

impl Group {
    fn tables(&self, texts: &[Text]) -> Vec<Grid> {
        let pairs = self.ys.iter().zip(self.ys.iter().skip(1));
        let intervals: Vec<Interval<'_>> = pairs
            .map(|(top, bottom)| {
                let from = texts.partition_point(|text| text.baseline < *top);
                let to = texts.partition_point(|text| text.baseline < *bottom);
                Interval {
                    top: *top,
                    bottom: *bottom,
                    texts: texts.get(from..to).unwrap_or_default(),
                }
            })
            .collect();
        let width = self.right - self.left;
        let mut tables = Vec::new();
        let mut open: &[Interval<'_>] = &intervals;
        while let Some(first) = open.iter().position(|interval| interval.is_tabular(width)) {
            let before = open.get(..first).unwrap_or_default();
            let rows = before
                .iter()
                .rev()
                .take_while(|interval| interval.is_row(width));
            let rest = open.get(first - rows.count()..).unwrap_or_default();
            let end = rest
                .iter()
                .position(|interval| {
                    !interval.is_tabular(width)
                        && !interval.may_be_between()
                        && !interval.is_row(width)
                })
                .unwrap_or(rest.len());
            let run = rest.get(..end).unwrap_or_default();
            let last = run
                .iter()
                .rposition(|interval| interval.is_tabular(width) || interval.is_row(width))
                .unwrap_or(0);
            tables.extend(self.table(run.get(..=last).unwrap_or_default()));
            open = rest.get(end..).unwrap_or_default();
        }
        tables
    }

    fn table(&self, run: &[Interval<'_>]) -> Option<Grid> {
        if run.len() < 2
            && !run
                .iter()
                .all(|only| only.texts.len() > 1 && only.is_filled())
        {
            return None;
        }
        let texts = || run.iter().flat_map(|interval| interval.texts);
        let columns = Columns::of(texts())?;
        if run.iter().any(|interval| columns.is_prose(interval.texts)) {
            return None;
        }
        let mut found: Vec<Vec<Row>> = run
            .iter()
            .map(|interval| rows(interval.texts, &columns))
            .collect();
        let several = run
            .iter()
            .filter(|interval| columns.are_several(interval.texts))
            .count();
        if run.len() >= RULED && several * 2 < run.len() {
            found.iter_mut().for_each(Row::join);
        }
        let head = match run.len() > 1 && run.len() < RULED {
            true => found.first().map_or(0, Vec::len),
            false => 0,
        };
        let mut ys: Vec<f32> = run.first().map(|first| first.top).into_iter().collect();
        let mut all: Vec<Row> = Vec::new();
        for (interval, rows) in run.iter().zip(found) {
            let starts = rows.iter().skip(1).zip(&rows);
            ys.extend(starts.map(|(next, before)| f32::midpoint(before.bottom, next.top)));
            ys.push(interval.bottom);
            all.extend(match rows.is_empty() {
                true => vec![Row::default()],
                false => rows,
            });
        }
        let xs = columns.edges(self.left, self.right);
        let cells = all.iter().enumerate().flat_map(|(row, found)| {
            found
                .spans(columns.count())
                .into_iter()
                .map(move |(column, column_span)| (row, column, column_span))
        });
        let cells: Vec<(usize, usize, usize)> = cells.collect();
        Grid::of_rows(xs, ys, &cells, head)
    }
}

impl Grid {
    /// One of rows whose cells are told by row, column and the columns that they take.
    fn of_rows(
        xs: Vec<f32>,
        ys: Vec<f32>,
        cells: &[(usize, usize, usize)],
        head: usize,
    ) -> Option<Self> {
        let is_rising = |edges: &[f32]| edges.is_sorted_by(|one, other| one < other);
        if !is_rising(&xs) || !is_rising(&ys) || xs.len() * ys.len() > super::grid::PLACES {
            return None;
        }
        let cells = cells.iter().map(|(row, column, column_span)| {
            Some(Area {
                row: *row,
                column: *column,
                row_span: 1,
                column_span: *column_span,
                bounds: Rect::between(
                    (*xs.get(*column)?, *ys.get(*row)?),
                    (*xs.get(column + column_span)?, *ys.get(row + 1)?),
                ),
            })
        });
        let cells = cells.collect::<Option<Vec<Area>>>()?;
        Self::of_areas(xs, ys, cells, Some(head))
    }
}
