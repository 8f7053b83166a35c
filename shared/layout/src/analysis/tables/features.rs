//! Features of a table candidate: how far its text and rules look like those of a table.

use crate::analysis::candidates::weights::Feature;
use crate::analysis::lines::entry;
use crate::analysis::lines::write::ends_sentence;
use crate::analysis::tables::caption;
use crate::analysis::tables::content::Content;
use crate::analysis::tables::grid::Grid;
use crate::analysis::tables::row_bands::across::Across;
use crate::analysis::tables::segment::{Segment, Text, WIDE};
use crate::model::geometry::Rect;

/// Tolerance for aligned segments, points.
const ALIGNED: f32 = 2.0;
/// Minimum relative size of a heading.
const LARGER: f32 = 1.08;
/// Width of a word space, points.
const SPACE: f32 = 2.0;
/// Number of cells of a row that are many. Cells of several columns count once: edges of columns that hardly any row has are no
/// sign of a table.
const COLUMNS: f32 = 8.0;
/// Number of empty cells that are added to those without rules: a few aligned texts are there by chance.
const CHANCE: usize = 4;
/// Minimum number of digits of an amount, and of amounts of a column; maximum number of characters of a list marker.
const DIGITS: usize = 3;
const AMOUNTS: usize = 3;
const MARKER: usize = 3;
/// Maximum mean number of characters of a label.
const LABEL: usize = 8;
/// Number of rows from which their ends are certain.
const ENTRIES: usize = 4;
/// Minimum number of names of a column, and maximum mean number of their characters.
const NAMES: usize = 3;
const NAME: usize = 20;
/// Certainty of entries by their names alone.
const NAMED: f32 = 0.4;
/// Tolerance for equal baselines, as a fraction of the font size.
const BASELINE: f32 = 0.1;
/// Minimum number of lines that break where the next word did not fit, of a column and of all columns of prose, and of these
/// for each line that breaks elsewhere.
const BROKEN: usize = 3;
const CERTAIN: usize = 8;
const ROOMY: usize = 3;

/// Text of a cell.
#[derive(Clone, Default)]
struct Filled {
    lines: Vec<FilledLine>,
}

/// A line of a cell.
#[derive(Clone, Copy)]
struct FilledLine {
    baseline: f32,
    size: f32,
    segment: Segment,
}

impl Filled {
    fn count(&self, count: impl Fn(&Segment) -> usize) -> usize {
        self.lines.iter().map(|line| count(&line.segment)).sum()
    }

    fn is_numeric(&self) -> bool {
        self.lines.iter().all(|line| !line.segment.has_letters)
            && self.lines.iter().any(|line| line.segment.digits > 0)
    }

    /// Whether it contains lines of a paragraph.
    fn is_prose(&self, width: f32) -> bool {
        let full = self
            .lines
            .iter()
            .map(|line| &line.segment)
            .filter(|line| line.characters >= 25 && line.right - line.left >= width * 0.7);
        full.count() * 3 >= self.lines.len() * 2 && self.lines.len() > 2
    }
}

/// Returns the features of a candidate.
pub(super) fn features(grid: &Grid, content: &Content<'_>, level: &[Across]) -> Vec<Feature> {
    let joints = grid.xs.get(1..grid.xs.len() - 1).unwrap_or_default();
    let texts = content.texts_in(grid.bounds, joints, WIDE);
    let size = median(texts.iter().map(|text| text.size)).max(1.0);
    let cells = filled(grid, &texts);
    let (rows, columns) = (grid.ys.len() - 1, grid.xs.len() - 1);
    let is_filled = |cell: &&Filled| !cell.lines.is_empty();
    let all = || cells.iter().filter(is_filled);
    let count = all().count();
    let share = |part: usize, whole: usize| ratio(part, whole.max(1));
    let characters: usize = all().map(|cell| cell.count(|line| line.characters)).sum();
    let prose: usize = grid
        .cells
        .iter()
        .zip(&cells)
        .filter(|(area, cell)| cell.is_prose(area.bounds.width()))
        .map(|(_, cell)| cell.count(|line| line.characters))
        .sum();
    let is_ruled = grid.head.is_none();
    let chance = if is_ruled { 0 } else { CHANCE };
    let along = rules(grid, level, size);
    let has_rules = is_ruled || along > 0.0;
    let has_head = has_head(grid, &cells);
    vec![
        ("row_count", ratio(rows, 1)),
        ("column_count", ratio(columns, 1)),
        ("rows", ratio(rows.min(10), 10)),
        ("columns", (ratio(cells.len(), rows) / COLUMNS).min(1.0)),
        ("lone", flag(columns == 1 || rows == 1)),
        ("filled", share(count, cells.len() + chance)),
        ("gap", gap(&texts, size)),
        ("head", flag(has_head)),
        ("rules", along),
        ("prose", share(prose, characters)),
        ("flow", flow(grid, &cells)),
        ("aligned", aligned(grid, &cells)),
        ("rising", flag(is_rising(grid, &cells))),
        ("continued", flag(is_continued(grid, &cells))),
        ("amounts", amounts(grid, &cells)),
        ("entries", entries(grid, &cells)),
        (
            "restarts",
            if has_rules || !has_head {
                0.0
            } else {
                restarts(grid, &cells)
            },
        ),
        ("ruled", flag(is_ruled)),
        ("caption", flag(caption::near(content, grid.bounds, size))),
        ("open", open(grid, content, size)),
    ]
}

/// Returns the median gap between segments; half of the largest one if no line has several segments.
fn gap(texts: &[Text], size: f32) -> f32 {
    let pairs = texts
        .iter()
        .flat_map(|text| text.segments.iter().zip(text.segments.iter().skip(1)));
    let gaps: Vec<f32> = pairs.map(|(one, next)| next.left - one.right).collect();
    match gaps.is_empty() {
        true => 0.5,
        false => (median(gaps.into_iter()) / size / 5.0).clamp(0.0, 1.0),
    }
}

/// Whether the first row has another look than the others: bold, or words above numbers.
fn has_head(grid: &Grid, cells: &[Filled]) -> bool {
    let rows = |is_first: bool| {
        let own = grid
            .cells
            .iter()
            .zip(cells)
            .filter(move |(area, _)| (area.row == 0) == is_first);
        own.map(|(_, cell)| cell)
            .filter(|cell| !cell.lines.is_empty())
    };
    let is_bold = |cell: &&Filled| cell.lines.iter().all(|line| line.segment.is_bold);
    let below = rows(false).count();
    let bold =
        rows(true).all(|cell| is_bold(&cell)) && rows(false).filter(is_bold).count() * 2 < below;
    let words = rows(true).all(|cell| !cell.is_numeric())
        && rows(false).filter(|cell| cell.is_numeric()).count() * 3 >= below;
    // Larger lines above a single row are the headings of columns of text.
    let sizes = |is_first| rows(is_first).flat_map(|cell| cell.lines.iter().map(|line| line.size));
    let is_heading = grid.ys.len() < 4
        && sizes(true).fold(f32::INFINITY, f32::min) > sizes(false).fold(0.0, f32::max) * LARGER;
    rows(true).count() > 1 && below > 0 && (bold || words) && !is_heading
}

/// Returns the number of horizontal rules and edges of fills along the width, up to three.
fn rules(grid: &Grid, level: &[Across], size: f32) -> f32 {
    let area = grid.bounds.grown(size);
    let along = level.iter().filter(|rule| {
        let shared = rule.right().min(area.right) - rule.left().max(area.left);
        (area.top..=area.bottom).contains(&rule.y)
            && shared > grid.bounds.width() * 0.6
            && rule.right() - rule.left() < grid.bounds.width() * 1.5
    });
    ratio(along.take(3).count(), 3)
}

/// Returns the fraction of the sides above and below where lines with several segments follow: it is a part of something.
fn open(grid: &Grid, content: &Content<'_>, size: f32) -> f32 {
    let bounds = grid.bounds;
    let above = content.texts_in(
        Rect {
            top: bounds.top - size * 2.0,
            bottom: bounds.top,
            ..bounds
        },
        &[],
        WIDE,
    );
    let below = content.texts_in(
        Rect {
            top: bounds.bottom,
            bottom: bounds.bottom + size * 2.0,
            ..bounds
        },
        &[],
        WIDE,
    );
    let nearest = [above.last(), below.first()];
    let several = nearest
        .into_iter()
        .flatten()
        .filter(|text| text.segments.len() > 1);
    ratio(several.count(), 2)
}

/// Returns the fraction of lines that go on a full line in the row above: columns of prose. They begin in lower case; without
/// case, lines of at least two columns break where the next word did not fit, as lines of entries do by chance only.
fn flow(grid: &Grid, cells: &[Filled]) -> f32 {
    let (mut pairs, mut flowing) = (0_usize, 0_usize);
    let mut caseless: Vec<(usize, usize)> = Vec::new();
    for column in 0..grid.xs.len() - 1 {
        let own = grid
            .cells
            .iter()
            .zip(cells)
            .filter(|(area, _)| area.column == column && area.column_span == 1);
        let mut lines: Vec<(usize, f32, Segment)> = own
            .flat_map(|(area, cell)| {
                cell.lines
                    .iter()
                    .map(|line| (area.row, line.baseline, line.segment))
            })
            .collect();
        lines.sort_by(|one, other| one.1.total_cmp(&other.1));
        let left = lines
            .iter()
            .map(|(.., line)| line.left)
            .fold(f32::INFINITY, f32::min);
        let right = lines
            .iter()
            .map(|(.., line)| line.right)
            .fold(f32::NEG_INFINITY, f32::max);
        let (mut broken, mut roomy) = (0_usize, 0_usize);
        let steps = lines.iter().zip(lines.iter().skip(1));
        for ((row, _, above), (next, _, below)) in steps {
            let width = above.right - above.left;
            let is_full = width > (right - left) * 0.75 && above.characters > 11;
            let has_room = width + below.first + SPACE <= right - left;
            let is_step = row != next;
            pairs += usize::from(is_step);
            flowing += usize::from(is_step && is_full && below.is_small);
            let is_open = below.is_caseless && !ends_sentence(above.last);
            broken += usize::from(is_step && is_open && is_full && !has_room);
            roomy += usize::from(is_open && has_room);
        }
        if broken >= BROKEN {
            caseless.push((broken, roomy));
        }
    }
    let (broken, roomy) = caseless.iter().fold((0, 0), |(broken, roomy), column| {
        (broken + column.0, roomy + column.1)
    });
    if caseless.len() > 1 && broken >= CERTAIN && roomy * ROOMY <= broken {
        flowing += broken;
    }
    ratio(flowing, pairs.max(1))
}

/// Returns the lines of each column from top to bottom, with their rows.
fn columns<'c>(grid: &Grid, cells: &'c [Filled]) -> Vec<Vec<(usize, &'c Segment)>> {
    let mut columns = vec![Vec::new(); grid.xs.len() - 1];
    let own = grid.cells.iter().zip(cells);
    for (area, cell) in own.filter(|(area, _)| area.column_span == 1) {
        let lines = cell.lines.iter().map(|line| (area.row, &line.segment));
        let column = columns.get_mut(area.column);
        column
            .into_iter()
            .for_each(|column| column.extend(lines.clone()));
    }
    columns
}

/// Whether the columns are those of an index or of contents, whose entries go on in the next column.
fn is_continued(grid: &Grid, cells: &[Filled]) -> bool {
    let columns = columns(grid, cells).into_iter();
    let columns = columns.map(|column| column.iter().map(|(_, line)| line.entry).collect());
    entry::go_on(&columns.collect::<Vec<_>>())
}

/// Returns the fraction of columns of amounts or dates, in at least half of the rows.
fn amounts(grid: &Grid, cells: &[Filled]) -> f32 {
    let (rows, columns) = (grid.ys.len() - 1, columns(grid, cells));
    let is_amount = |line: &Segment| !line.has_letters && line.digits >= DIGITS;
    let are_amounts = |column: &&Vec<(usize, &Segment)>| {
        let own = column.iter().filter(|(_, line)| is_amount(line)).count();
        own >= AMOUNTS && own * 2 >= rows && own * 5 >= column.len() * 4
    };
    ratio(columns.iter().filter(are_amounts).count(), columns.len())
}

/// Returns how certain rows are entries with a column of names, which are short texts without sentences: more than half of the
/// rows end although the next one would have begun in their line. 0 with a column of list markers.
fn entries(grid: &Grid, cells: &[Filled]) -> f32 {
    let (rows, columns) = (grid.ys.len() - 1, columns(grid, cells));
    let are_markers = |column: &Vec<(usize, &Segment)>| {
        !column.is_empty() && column.iter().all(|(_, line)| line.characters <= MARKER)
    };
    if columns.iter().any(are_markers) || !columns.iter().any(|column| are_names(column, rows)) {
        return 0.0;
    }
    let mut roomy = vec![None; grid.ys.len()];
    for column in &columns {
        let lefts = column.iter().map(|(_, line)| line.left);
        let rights = column.iter().map(|(_, line)| line.right);
        let width = rights.fold(f32::NEG_INFINITY, f32::max) - lefts.fold(f32::INFINITY, f32::min);
        let steps = column.iter().zip(column.iter().skip(1));
        for ((row, above), (_, below)) in steps.filter(|((row, _), (next, _))| *next == row + 1) {
            let has_room = above.right - above.left + below.first + SPACE <= width;
            if let Some(roomy) = roomy.get_mut(*row) {
                *roomy = Some(has_room || *roomy == Some(true));
            }
        }
    }
    let known: Vec<bool> = roomy.into_iter().flatten().collect();
    let roomy = known.iter().filter(|roomy| **roomy).count();
    let certainty = ratio(known.len().min(ENTRIES), ENTRIES);
    let ended = (ratio(roomy, known.len().max(1)) * 2.0 - 1.0).max(0.0) * certainty;
    NAMED + (1.0 - NAMED) * ended
}

/// Returns the fraction of rows with adjacent cells that begin on one baseline below cells of different numbers of lines, as columns
/// of text do by chance only; 0 for one row, and with a column of labels, as those of list items are.
fn restarts(grid: &Grid, cells: &[Filled]) -> f32 {
    let is_short = |column: &Vec<(usize, &Segment)>| {
        let characters: usize = column.iter().map(|(_, line)| line.characters).sum();
        characters <= column.len() * LABEL
    };
    if columns(grid, cells).iter().any(is_short) {
        return 0.0;
    }
    let mut rows: Vec<Vec<&Filled>> = vec![Vec::new(); grid.ys.len()];
    let own = grid.cells.iter().zip(cells);
    for (area, cell) in own.filter(|(area, cell)| area.row_span == 1 && !cell.lines.is_empty()) {
        rows.get_mut(area.row)
            .into_iter()
            .for_each(|row| row.push(cell));
    }
    let differ = |row: &[&Filled]| {
        row.windows(2)
            .any(|pair| matches!(pair, [one, other] if one.lines.len() != other.lines.len()))
    };
    let begins = |row: &[&Filled]| {
        let first = |cell: &Filled| cell.lines.first().map(|line| (line.baseline, line.size));
        let first: Vec<(f32, f32)> = row.iter().filter_map(|cell| first(cell)).collect();
        first
            .windows(2)
            .any(|pair| matches!(pair, [one, other] if (one.0 - other.0).abs() < one.1 * BASELINE))
    };
    let steps = rows.iter().zip(rows.iter().skip(1));
    let restarts = steps
        .filter(|(above, row)| differ(above) && begins(row))
        .count();
    match restarts > 1 {
        true => ratio(restarts, rows.len() - 2),
        false => 0.0,
    }
}

/// Whether a column has one short text in at least half of the rows, with hardly any punctuation, and not in lower case as the
/// words of a line are.
fn are_names(column: &[(usize, &Segment)], rows: usize) -> bool {
    let pairs = column.iter().zip(column.iter().skip(1));
    let wrapped = pairs.filter(|((row, _), (next, _))| row == next).count();
    let characters: usize = column.iter().map(|(_, line)| line.characters).sum();
    let small = column.iter().filter(|(_, line)| line.is_small).count();
    let stops: usize = column.iter().map(|(_, line)| line.stops).sum();
    column.len() >= NAMES
        && column.len() * 2 >= rows
        && wrapped * 5 <= column.len()
        && characters <= column.len() * NAME
        && stops * 5 <= column.len()
        && small * 2 <= column.len()
}

/// Returns the text of each cell.
fn filled(grid: &Grid, texts: &[Text]) -> Vec<Filled> {
    let mut cells = vec![Filled::default(); grid.cells.len()];
    for text in texts {
        let y = text.baseline - text.size * 0.3;
        for segment in &text.segments {
            let x = f32::midpoint(segment.left, segment.right);
            let cell = grid.cell_at((x, y)).and_then(|cell| cells.get_mut(cell));
            cell.into_iter().for_each(|cell| {
                cell.lines.push(FilledLine {
                    baseline: text.baseline,
                    size: text.size,
                    segment: *segment,
                });
            });
        }
    }
    cells
}

/// Returns the mean fraction of the cells of a column that share their left edge, right edge or center. In
/// two rows, nothing is against columns with a single line each.
fn aligned(grid: &Grid, cells: &[Filled]) -> f32 {
    let columns = grid.xs.len() - 1;
    let (mut shares, mut counted, mut single) = (0.0, 0.0, 0);
    for column in 0..columns {
        let own: Vec<&Segment> = grid
            .cells
            .iter()
            .zip(cells)
            .filter(|(area, _)| area.column == column && area.column_span == 1)
            .filter(|(area, _)| area.row > 0 || grid.ys.len() < 4)
            .flat_map(|(_, cell)| cell.lines.iter().map(|line| &line.segment))
            .collect();
        if own.len() < 2 {
            single += own.len();
            continue;
        }
        let places: [fn(&Segment) -> f32; 3] = [
            |line| line.left,
            |line| line.right,
            |line| f32::midpoint(line.left, line.right),
        ];
        let best = places.iter().map(|place| {
            let values: Vec<f32> = own.iter().map(|line| place(line)).collect();
            let middle = median(values.iter().copied());
            let near = values
                .iter()
                .filter(|value| (**value - middle).abs() <= ALIGNED);
            ratio(near.count(), values.len())
        });
        shares += best.fold(0.0, f32::max);
        counted += 1.0;
    }
    match counted > 0.0 {
        true => shares / counted,
        false if grid.ys.len() < 4 => ratio(single, columns),
        false => 0.0,
    }
}

/// Whether the last column consists of rising numbers, as page numbers of contents do.
fn is_rising(grid: &Grid, cells: &[Filled]) -> bool {
    let last = grid.xs.len() - 2;
    let own = grid
        .cells
        .iter()
        .zip(cells)
        .filter(|(area, _)| area.column == last);
    let lines: Vec<&Segment> = own
        .flat_map(|(_, cell)| cell.lines.iter().map(|line| &line.segment))
        .collect();
    let numbers: Vec<u32> = lines.iter().filter_map(|line| line.number).collect();
    numbers.len() > 2
        && numbers.len() * 5 >= lines.len() * 4
        && numbers.is_sorted()
        && numbers.first() != numbers.last()
}

fn flag(is_set: bool) -> f32 {
    if is_set { 1.0 } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "counts are limited")]
fn ratio(part: usize, whole: usize) -> f32 {
    part as f32 / whole as f32
}

fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
