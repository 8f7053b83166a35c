//! Fixed-layout pages to plain text: what stands beside each other stays so, by as many spaces as there is room; UTF-8, a line feed at
//! the end of every page and a form feed between pages.
//!
//! A column is as wide as most of a page's characters are. Lines of about the same height are one line of text, empty lines stand
//! for larger gaps. Lines that are turned stand where they begin.

use std::io::Write;

use crate::FixedPage;
use crate::writers::direction::is_wide;
use crate::writers::frame::Frame;
use crate::writers::plain;
use crate::writers::standing::Standing;
use crate::writers::{Outcome, WriteReport, Writer, length};

/// A writer of plain text in which everything keeps its place.
///
/// # Errors
/// None yet: nothing is written before the first page.
pub fn text<'a>(output: impl Write + 'a) -> Outcome<Box<dyn Writer<FixedPage> + 'a>> {
    let written = WriteReport::default();
    Ok(Box::new(Text { output, written }))
}

struct Text<W> {
    output: W,
    written: WriteReport,
}

impl<W: Write> Writer<FixedPage> for Text<W> {
    fn page(&mut self, page: FixedPage) -> Outcome {
        if self.written.pages > 0 {
            self.output.write_all(b"\x0c")?;
        }
        self.written.pages += 1;
        let pieces = pieces(&page);
        let column = usual(pieces.iter().map(|piece| piece.width), 6.0);
        let mut above: Option<f32> = None;
        for row in rows(pieces) {
            let first = row.first().map_or(0.0, |piece| piece.baseline);
            let size = row.iter().map(|piece| piece.size).fold(1.0, f32::max);
            let gap = above.map_or(0, |above| whole((first - above) / (size * 1.3)));
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

    fn finish(mut self: Box<Self>) -> Outcome<WriteReport> {
        self.output.flush()?;
        Ok(self.written)
    }
}

/// A line with its place.
struct Piece {
    left: f32,
    baseline: f32,
    size: f32,
    /// How wide its characters are on average, points.
    width: f32,
    text: String,
}

/// Most empty lines in a row, and most columns before a text.
const MOST_EMPTY: usize = 20;
const MOST_COLUMNS: usize = 1_000;

fn pieces(page: &FixedPage) -> Vec<Piece> {
    let size = length::size(page.size, 1.0, length::FARTHEST);
    let frame = Frame::between(size, size);
    let piece = |line| {
        let standing = Standing::of(line, frame);
        let text = plain::clean(&crate::plain(&standing.runs)).replace('\t', " ");
        let columns = columns(&text);
        (columns > 0).then(|| Piece {
            left: standing.left,
            baseline: standing.baseline,
            size: standing.size,
            #[expect(clippy::cast_precision_loss, reason = "lines are short")]
            width: (standing.right - standing.left) / columns as f32,
            text,
        })
    };
    page.lines.iter().filter_map(piece).collect()
}

/// The pieces of each row, from above and from the left.
fn rows(mut pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    pieces.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        match rows.last_mut() {
            Some(row) if is_beside(row, &piece) => row.push(piece),
            _ => rows.push(vec![piece]),
        }
    }
    for row in &mut rows {
        row.sort_by(|one, other| one.left.total_cmp(&other.left));
    }
    rows
}

fn is_beside(row: &[Piece], piece: &Piece) -> bool {
    row.first().is_some_and(|first| {
        (piece.baseline - first.baseline).abs() < 0.4 * piece.size.min(first.size)
    })
}

fn line(row: Vec<Piece>, column: f32) -> String {
    let (mut line, mut filled) = (String::new(), 0);
    for piece in row {
        let wanted = whole(piece.left / column).min(MOST_COLUMNS);
        let least = if filled > 0 { filled + 1 } else { 0 };
        let place = wanted.max(least);
        line.push_str(&" ".repeat(place - filled));
        line.push_str(&piece.text);
        filled = place + columns(&piece.text);
    }
    line
}

/// How many columns a text takes.
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

/// The one in the middle of those that are above 0, or this one if there is none.
fn usual(all: impl Iterator<Item = f32>, otherwise: f32) -> f32 {
    let mut all: Vec<f32> = all.filter(|one| *one > 0.5).collect();
    all.sort_by(f32::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(otherwise)
}

fn whole(number: f32) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float out of range becomes the nearest number"
    )]
    let number = number.round() as usize;
    number
}
