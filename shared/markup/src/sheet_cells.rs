//! Where the cells of a worksheet are and how much space their content needs, to find content that a sheet would cut.

use std::collections::HashSet;

use layout::{Alignment, Run, Size, Style};

/// Font size of cells without one, points.
const FONT_SIZE: f32 = 11.0;
/// Number of decimals from which a number is assumed to have no format: applications round such a number to the cell's width.
const UNFORMATTED_DECIMALS: usize = 3;

/// Number of digits of a number that applications display.
const MAX_DIGITS: usize = 15;

/// The cells of a worksheet.
#[derive(Clone, Debug, Default)]
pub struct SheetCells {
    /// The name of the sheet.
    pub name: String,
    /// The size of its pages, points.
    pub page: Size,
    /// The cells of visible rows, sorted by row and column. Of merged cells only the left and the right one of each row.
    pub cells: Vec<PlacedCell>,
    /// Hidden columns, from 0.
    pub hidden_columns: HashSet<usize>,
}

/// A cell and the space that its content needs. Sizes are upper bounds for common fonts, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedCell {
    /// From 0.
    pub row: usize,
    /// From 0.
    pub column: usize,
    /// Horizontal alignment of text.
    pub alignment: Alignment,
    /// What happens to content that is wider than the cell.
    pub overflow: Overflow,
    /// Whether the text contains letters of a right-to-left script.
    pub right_to_left: bool,
    /// The longest line.
    pub width: f32,
    /// The longest word.
    pub word: f32,
    /// All lines together.
    pub length: f32,
    /// Number of lines.
    pub lines: usize,
    /// The largest font.
    pub font_size: f32,
}

/// What happens to content that is wider than its cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// Text continues over empty cells and is cut at the next cell with content.
    #[default]
    Continue,
    /// Numbers are replaced by `###`.
    Hide,
    /// Text continues in further lines.
    Wrap,
    /// The font is shrunk, or the cell is merged or hidden: nothing is known.
    Other,
}

impl Overflow {
    /// That of text in a style.
    pub(crate) fn of(is_wrapped: bool, is_shrunk: bool) -> Self {
        match (is_wrapped, is_shrunk) {
            (true, _) => Self::Wrap,
            (false, true) => Self::Other,
            (false, false) => Self::Continue,
        }
    }
}

impl PlacedCell {
    /// A cell of which only the place is known.
    pub(crate) fn unknown((row, column): (usize, usize)) -> Self {
        Self::of((row, column), &[], Alignment::Start, Overflow::Other)
    }

    /// A cell whose content is not known, but may be a number of as many digits as applications display.
    pub(crate) fn longest_number(place: (usize, usize)) -> Self {
        let digits = Run {
            text: "0".repeat(MAX_DIGITS),
            style: Style::default(),
            link: None,
        };
        Self::of(place, &[digits], Alignment::End, Overflow::Hide)
    }

    pub(crate) fn of(
        (row, column): (usize, usize),
        runs: &[Run],
        alignment: Alignment,
        overflow: Overflow,
    ) -> Self {
        let mut cell = Self {
            row,
            column,
            alignment,
            overflow,
            right_to_left: false,
            width: 0.0,
            word: 0.0,
            length: 0.0,
            lines: 1,
            font_size: 0.0,
        };
        match runs {
            [only] if cell.overflow == Overflow::Hide => cell.measure(only, number(&only.text)),
            _ => runs.iter().for_each(|run| cell.measure(run, &run.text)),
        }
        cell
    }

    fn measure(&mut self, run: &Run, text: &str) {
        let size = match run.style.size > 0.0 {
            true => run.style.size,
            false => FONT_SIZE,
        };
        self.font_size = self.font_size.max(size);
        let weight = if run.style.bold { 1.1 } else { 1.0 };
        let (mut line, mut word) = (0.0, 0.0);
        for letter in text.chars() {
            let width = advance(letter) * size * weight;
            (line, word) = match letter {
                '\n' => (0.0, 0.0),
                letter if letter.is_whitespace() => (line + width, 0.0),
                _ => (line + width, word + width),
            };
            self.lines += usize::from(letter == '\n');
            self.length += width;
            self.width = self.width.max(line);
            self.word = self.word.max(word);
            self.right_to_left |= matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}');
        }
    }
}

/// The part of a number that must be shown: without the decimals of one that seems to have no format.
fn number(text: &str) -> &str {
    match text.split_once('.') {
        Some((whole, decimals))
            if decimals.len() >= UNFORMATTED_DECIMALS
                && decimals.bytes().all(|byte| byte.is_ascii_digit())
                && whole
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'-') =>
        {
            whole
        }
        _ => text,
    }
}

/// An upper bound of a character's width in units of the font size.
fn advance(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.35,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' => 0.75,
        letter if letter >= '\u{1100}' => 1.1,
        _ => 0.62,
    }
}
