//! Writes pages of fixed layout as plain text: horizontal distances become spaces. UTF-8, a line feed at the end of each page
//! and a form feed between pages.
//!
//! A column has the median character width of the page. Lines at about the same height share a line of text; empty lines
//! represent larger gaps. Rotated lines are placed at their start.

use std::io::Write;

use crate::FixedPage;
use crate::writers::direction::is_wide;
use crate::writers::page_transform::PageTransform;
use crate::writers::plain;
use crate::writers::positioned_line::PositionedLine;
use crate::writers::{Result, WriteReport, Writer, length};

/// Creates a plain text writer for fixed layout.
///
/// # Errors
/// None: nothing is written before the first page.
pub fn text<'a>(output: impl Write + 'a) -> Result<Box<dyn Writer<FixedPage> + 'a>> {
    let written = WriteReport::default();
    Ok(Box::new(Text { output, written }))
}

struct Text<W> {
    output: W,
    written: WriteReport,
}

impl<W: Write> Writer<FixedPage> for Text<W> {
    fn page(&mut self, page: FixedPage) -> Result {
        if self.written.pages > 0 {
            self.output.write_all(b"\x0c")?;
        }
        self.written.pages += 1;
        let pieces = positioned_texts(&page);
        let column = median(pieces.iter().map(|piece| piece.width), 6.0);
        let mut above: Option<f32> = None;
        for row in rows(pieces) {
            let first = row.first().map_or(0.0, |piece| piece.baseline);
            let size = row.iter().map(|piece| piece.size).fold(1.0, f32::max);
            let gap = above.map_or(0, |above| rounded((first - above) / (size * 1.3)));
            self.output.write_all(
                "\n".repeat(gap.saturating_sub(1).min(MOST_EMPTY))
                    .as_bytes(),
            )?;
            writeln!(self.output, "{}", line(row, column))?;
            above = Some(first);
        }
        if above.is_none() {
            writeln!(self.output)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<WriteReport> {
        self.output.flush()?;
        Ok(self.written)
    }
}

/// A line with its position.
struct PositionedText {
    left: f32,
    baseline: f32,
    size: f32,
    /// Average character width, points.
    width: f32,
    text: String,
}

/// Maximum number of consecutive empty lines, and of columns before a text.
const MOST_EMPTY: usize = 20;
const MOST_COLUMNS: usize = 1_000;

fn positioned_texts(page: &FixedPage) -> Vec<PositionedText> {
    let size = length::size(page.size, 1.0, length::MAX_DISTANCE);
    let frame = PageTransform::between(size, size);
    let piece = |line| {
        let positioned = PositionedLine::of(line, frame);
        let text = plain::clean(&crate::plain(&positioned.runs)).replace('\t', " ");
        let columns = columns(&text);
        (columns > 0).then(|| PositionedText {
            left: positioned.left,
            baseline: positioned.baseline,
            size: positioned.size,
            #[expect(clippy::cast_precision_loss, reason = "lines are short")]
            width: (positioned.right - positioned.left) / columns as f32,
            text,
        })
    };
    page.lines.iter().filter_map(piece).collect()
}

/// Groups the lines into rows from top to bottom, each sorted from left to right.
fn rows(mut pieces: Vec<PositionedText>) -> Vec<Vec<PositionedText>> {
    pieces.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut rows: Vec<Vec<PositionedText>> = Vec::new();
    for piece in pieces {
        match rows.last_mut() {
            Some(row) if is_on_same_row(row, &piece) => row.push(piece),
            _ => rows.push(vec![piece]),
        }
    }
    for row in &mut rows {
        row.sort_by(|one, other| one.left.total_cmp(&other.left));
    }
    rows
}

fn is_on_same_row(row: &[PositionedText], piece: &PositionedText) -> bool {
    row.first().is_some_and(|first| {
        (piece.baseline - first.baseline).abs() < 0.4 * piece.size.min(first.size)
    })
}

fn line(row: Vec<PositionedText>, column: f32) -> String {
    let (mut line, mut filled) = (String::new(), 0);
    for piece in row {
        let wanted = rounded(piece.left / column).min(MOST_COLUMNS);
        let least = if filled > 0 { filled + 1 } else { 0 };
        let place = wanted.max(least);
        line.push_str(&" ".repeat(place - filled));
        line.push_str(&piece.text);
        filled = place + columns(&piece.text);
    }
    line
}

/// Returns the number of columns that a text takes.
fn columns(text: &str) -> usize {
    let of = |c| {
        if is_wide(c) || matches!(c, '\u{ac00}'..='\u{d7a3}') {
            2
        } else {
            1
        }
    };
    text.chars().map(of).sum()
}

/// Returns the median of the positive numbers, or `otherwise` if there are none.
fn median(all: impl Iterator<Item = f32>, otherwise: f32) -> f32 {
    let mut all: Vec<f32> = all.filter(|one| *one > 0.5).collect();
    all.sort_by(f32::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(otherwise)
}

fn rounded(number: f32) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float out of range becomes the nearest number"
    )]
    let number = number.round() as usize;
    number
}
