//! Restores the rows of tables without rules. Tesseract treats their columns as text columns and recognizes them one after the
//! other, which separates the cells of a row.
//!
//! Two regions are columns of one table if they are side by side, their lines are aligned, and one of them has only a few words
//! per line: text columns have more.

use super::ocr_page::{Block, Line, Rectangle, to_upright};
use super::picture::number;

/// Maximum mean words per line of a table column.
const FEW: f64 = 3.0;
/// Minimum lines of a table column next to running text.
const LINES: usize = 3;
/// Minimum fraction of the lines of the shorter column that are aligned with a line of the other.
const MIN_ALIGNED: f64 = 0.8;
/// Maximum vertical offset of aligned lines, in letter heights.
const TOLERANCE: f64 = 0.3;
/// Maximum gap between parts of a single line, in letter heights.
const GAP: f64 = 2.0;

/// Merges columns of tables into rows; other blocks stay. Empty lines are removed.
pub(super) fn joined(mut blocks: Vec<Block>) -> Vec<Block> {
    for block in &mut blocks {
        block.lines.retain(|line| !line.words.is_empty());
    }
    blocks.retain(|block| !block.lines.is_empty());
    if to_upright(&blocks) != 0 {
        return blocks;
    }
    let slope = slope(&blocks);
    let regions = regions(blocks, slope);
    let tables = tables(&regions);
    let mut done = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        // A table takes the position of its first region.
        let members = tables
            .iter()
            .zip(&regions)
            .filter(|(other, _)| *other == table);
        let members: Vec<&Region> = members.map(|(_, region)| region).collect();
        match (members.as_slice(), *table == index) {
            ([region], _) => done.extend(region.blocks.iter().cloned()),
            (members, true) => done.push(rows(members, slope)),
            _ => {}
        }
    }
    done
}

/// A column or other region that Tesseract recognized as one.
struct Region {
    blocks: Vec<Block>,
    /// Vertical position of the baseline of each line, corrected for skew.
    heights: Vec<f64>,
    rectangle: Rectangle,
    /// Mean letter height.
    size: f64,
    words: f64,
}

impl Region {
    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.blocks.iter().flat_map(|block| &block.lines)
    }

    fn holds_few(&self) -> bool {
        self.words <= FEW
    }

    /// Returns whether two regions are columns of one table, or parts of one line.
    fn is_beside(&self, other: &Self) -> bool {
        let gap = (other.rectangle.left - self.rectangle.right)
            .max(self.rectangle.left - other.rectangle.right);
        let size = self.size.min(other.size);
        if gap < 0.0 || !self.is_level_with(other) {
            return false;
        }
        match (self.heights.len(), other.heights.len()) {
            (1, 1) => gap <= GAP * size,
            (own, others) => match (self.holds_few(), other.holds_few()) {
                (true, true) => own.min(others) >= 2,
                (true, false) => own >= LINES && own * 2 >= others,
                (false, true) => others >= LINES && others * 2 >= own,
                (false, false) => false,
            },
        }
    }

    fn is_level_with(&self, other: &Self) -> bool {
        let (short, long) = match self.heights.len() <= other.heights.len() {
            true => (self, other),
            false => (other, self),
        };
        let most = TOLERANCE * self.size.min(other.size);
        let has_neighbor = |height: &&f64| {
            long.heights
                .iter()
                .any(|other| (other - **height).abs() <= most)
        };
        let aligned = short.heights.iter().filter(has_neighbor).count();
        number(aligned) >= MIN_ALIGNED * number(short.heights.len())
    }
}

/// Returns the mean slope of the baselines.
fn slope(blocks: &[Block]) -> f64 {
    let (mut fall, mut run) = (0.0, 0.0);
    for line in blocks.iter().flat_map(|block| &block.lines) {
        if let Some([x, y, u, v]) = line.baseline {
            fall += v - y;
            run += u - x;
        }
    }
    if run > 0.0 { fall / run } else { 0.0 }
}

/// Returns the vertical position of the baseline of a line, corrected for skew.
fn height(line: &Line, slope: f64) -> f64 {
    let Rectangle { left, bottom, .. } = line.rectangle;
    let [x, y, u, v] = line.baseline.unwrap_or([left, bottom, left, bottom]);
    (y + v) / 2.0 - slope * (x + u) / 2.0
}

fn regions(blocks: Vec<Block>, slope: f64) -> Vec<Region> {
    let mut regions: Vec<(usize, Vec<Block>)> = Vec::new();
    for block in blocks {
        match regions
            .last_mut()
            .filter(|(region, _)| *region == block.region)
        {
            Some((_, blocks)) => blocks.push(block),
            None => regions.push((block.region, vec![block])),
        }
    }
    let regions = regions.into_iter().map(|(_, blocks)| {
        let lines: Vec<&Line> = blocks.iter().flat_map(|block| &block.lines).collect();
        let count = number(lines.len()).max(1.0);
        let words: usize = lines.iter().map(|line| line.words.len()).sum();
        let sizes: f64 = lines.iter().map(|line| letters_height(line)).sum();
        Region {
            heights: lines.iter().map(|line| height(line, slope)).collect(),
            rectangle: around(&lines),
            size: sizes / count,
            words: number(words) / count,
            blocks,
        }
    });
    regions.collect()
}

/// Returns the letter height of a line: that of its highest word, as the box of a skewed line is higher.
fn letters_height(line: &Line) -> f64 {
    let heights = line
        .words
        .iter()
        .map(|word| word.rectangle.bottom - word.rectangle.top);
    heights.fold(1.0, f64::max)
}

fn around(lines: &[&Line]) -> Rectangle {
    let rectangles = lines.iter().map(|line| line.rectangle);
    rectangles.reduce(Rectangle::union).unwrap_or_default()
}

/// Returns for each region the index of the first region of its table.
fn tables(regions: &[Region]) -> Vec<usize> {
    let mut tables: Vec<usize> = (0..regions.len()).collect();
    for (index, region) in regions.iter().enumerate() {
        for (other, _) in regions
            .iter()
            .enumerate()
            .take(index)
            .filter(|(_, other)| region.is_beside(other))
        {
            let pair = (tables.get(index).copied(), tables.get(other).copied());
            if let (Some(one), Some(two)) = pair {
                let (first, second) = (one.min(two), one.max(two));
                tables
                    .iter_mut()
                    .filter(|table| **table == second)
                    .for_each(|table| *table = first);
            }
        }
    }
    tables
}

/// Merges the lines of several regions by their vertical position.
fn rows(regions: &[&Region], slope: f64) -> Block {
    let mut lines: Vec<&Line> = regions.iter().flat_map(|region| region.lines()).collect();
    lines.sort_by(|one, two| height(one, slope).total_cmp(&height(two, slope)));
    let size = regions
        .iter()
        .map(|region| region.size)
        .fold(f64::INFINITY, f64::min);
    let mut rows: Vec<Vec<&Line>> = Vec::new();
    let mut last = f64::NEG_INFINITY;
    for line in &lines {
        let here = height(line, slope);
        match rows
            .last_mut()
            .filter(|_| here - last <= 2.0 * TOLERANCE * size)
        {
            Some(row) => row.push(line),
            None => rows.push(vec![line]),
        }
        last = here;
    }
    Block {
        region: regions
            .iter()
            .flat_map(|region| &region.blocks)
            .map(|block| block.region)
            .min()
            .unwrap_or(0),
        rectangle: around(&lines),
        lines: rows.into_iter().map(row).collect(),
    }
}

fn row(mut cells: Vec<&Line>) -> Line {
    cells.sort_by(|one, two| one.rectangle.left.total_cmp(&two.rectangle.left));
    let right_to_left = cells.iter().filter(|cell| cell.right_to_left).count() * 2 > cells.len();
    let (first, last) = (cells.first(), cells.last());
    let begin = first.and_then(|cell| cell.baseline);
    let end = last.and_then(|cell| cell.baseline);
    let baseline = match (begin, end) {
        (Some([x, y, _, _]), Some([_, _, u, v])) => Some([x, y, u, v]),
        _ => None,
    };
    let rectangle = around(&cells);
    if right_to_left {
        cells.reverse();
    }
    Line {
        rectangle,
        baseline,
        right_to_left,
        is_vertical: false,
        words: cells.iter().flat_map(|cell| cell.words.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::Word;
    use super::*;

    /// A region of lines 40 pixels apart.
    fn region(region: usize, left: f64, top: f64, lines: &[&str]) -> Block {
        let line = |(index, text): (usize, &&str)| {
            let top = top + 40.0 * index as f64;
            let at = |position: usize| left + 15.0 * position as f64;
            let mut position = 0;
            let words: Vec<Word> = text
                .split(' ')
                .map(|word| {
                    let from = at(position);
                    position += word.len() + 1;
                    let rectangle = Rectangle {
                        left: from,
                        top,
                        right: at(position - 1),
                        bottom: top + 25.0,
                    };
                    Word::new(word, rectangle, Some(90.0)).unwrap()
                })
                .collect();
            let rectangle = words
                .iter()
                .map(|word| word.rectangle)
                .reduce(Rectangle::union)
                .unwrap();
            Line {
                baseline: Some([rectangle.left, top + 20.0, rectangle.right, top + 20.0]),
                rectangle,
                right_to_left: false,
                is_vertical: false,
                words,
            }
        };
        let lines: Vec<Line> = lines.iter().enumerate().map(line).collect();
        let all: Vec<&Line> = lines.iter().collect();
        Block {
            region,
            rectangle: around(&all),
            lines,
        }
    }

    fn texts(blocks: Vec<Block>) -> Vec<String> {
        let blocks = joined(blocks);
        blocks
            .iter()
            .flat_map(|block| &block.lines)
            .map(Line::text)
            .collect()
    }

    #[test]
    fn columns_of_a_table_become_rows() {
        let names = region(1, 0.0, 100.0, &["Copper pipe", "Elbow joint", "Labour"]);
        let counts = region(2, 300.0, 104.0, &["12 m", "8 pcs"]);
        let prices = region(3, 500.0, 96.0, &["54.60", "23.92", "96.00"]);
        let after = region(4, 0.0, 300.0, &["Please pay soon."]);
        assert_eq!(
            texts(vec![names, counts, prices, after]),
            [
                "Copper pipe 12 m 54.60",
                "Elbow joint 8 pcs 23.92",
                "Labour 96.00",
                "Please pay soon."
            ]
        );
    }

    #[test]
    fn newspaper_columns_are_not_merged() {
        let line = "the museum keeps a small room for";
        let left = region(1, 0.0, 100.0, &[line; 8]);
        let right = region(2, 700.0, 100.0, &[line; 8]);
        let heading = region(3, 700.0, 420.0, &["Visitors"]);
        let address = region(4, 700.0, 500.0, &["Harbour Street", "Norwich", "England"]);
        let whole = vec![left, right, heading, address];
        let before: Vec<String> = whole
            .iter()
            .flat_map(|block| &block.lines)
            .map(Line::text)
            .collect();
        assert_eq!(texts(whole), before);
    }
}
