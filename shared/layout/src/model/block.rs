//! Blocks of a page: headings, paragraphs, lists, tables with cell spans, images, rules and footnotes.

use serde::{Deserialize, Serialize};

use super::text::Run;
use crate::model::geometry::Rect;

/// A block of a page, in reading order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Bounding box on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    /// Nesting depth of block quotations, 0 for none.
    #[serde(rename = "quoted", default, skip_serializing_if = "is_zero")]
    pub quote_depth: u8,
    /// Content of the block.
    #[serde(flatten)]
    pub content: Content,
}

/// The content of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Content {
    /// A heading.
    Heading {
        /// Heading level, from 1 (highest) to 6.
        level: u8,
        /// Text, including its number.
        runs: Vec<Run>,
        /// Alignment of the lines.
        #[serde(default, skip_serializing_if = "Alignment::is_start")]
        alignment: Alignment,
    },
    /// A paragraph.
    Paragraph {
        /// Text without soft line breaks and without the hyphens of divided words.
        runs: Vec<Run>,
        /// Alignment of the lines.
        #[serde(default, skip_serializing_if = "Alignment::is_start")]
        alignment: Alignment,
        /// Whether it continues the last paragraph of the previous page.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        continues: bool,
        /// Whether white space and line breaks are significant, as in code.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        preformatted: bool,
    },
    /// A list.
    List {
        /// Items in reading order, each with its nesting level.
        items: Vec<Item>,
    },
    /// A table.
    Table(Table),
    /// An image.
    Image {
        /// Index of the image among the pictures of the document, from 0.
        image: usize,
        /// Alternative text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alternative: Option<String>,
    },
    /// A horizontal rule.
    Rule,
    /// A footnote.
    Footnote {
        /// Label that references it: a number or a symbol.
        label: String,
        /// Text without the label.
        runs: Vec<Run>,
    },
}

impl From<Content> for Block {
    /// A block without bounds and outside of quotations.
    fn from(content: Content) -> Self {
        Self {
            bounds: None,
            quote_depth: 0,
            content,
        }
    }
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Nesting level, from 0.
    pub level: u8,
    /// Whether the marker carries meaning, such as a number or a letter, and is not a bullet.
    pub ordered: bool,
    /// Marker as displayed, such as `•`, `3.` or `b)`; `☐` and `☑` mark open and completed tasks.
    pub marker: String,
    /// Text without the marker.
    pub runs: Vec<Run>,
}

/// A table: cells by row and column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Width of each column, points; its length is the number of columns.
    pub widths: Vec<f32>,
    /// Number of rows.
    pub rows: usize,
    /// Number of header rows at the top.
    pub header_rows: usize,
    /// Cells by row and column. Positions covered by a spanning cell and empty positions have none.
    pub cells: Vec<Cell>,
    /// Whether lines are drawn between the cells.
    pub ruled: bool,
    /// Confidence that the rows and columns are detected correctly, from 0 to 1; 1 if the document declares the table.
    pub confidence: f32,
    /// Whether it continues the last table of the previous page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// First row, from 0.
    pub row: usize,
    /// First column, from 0. In right-to-left tables columns count from the right.
    pub column: usize,
    /// Number of rows spanned, at least 1.
    pub row_span: usize,
    /// Number of columns spanned, at least 1.
    pub column_span: usize,
    /// Content.
    pub blocks: Vec<Block>,
    /// Color behind the content (RGB).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<[u8; 3]>,
    /// Lines around it; if no cell of the table has borders, [`Table::ruled`] applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub borders: Option<Borders>,
}

impl Default for Cell {
    /// An empty cell at the first position.
    fn default() -> Self {
        Self {
            row: 0,
            column: 0,
            row_span: 1,
            column_span: 1,
            blocks: Vec::new(),
            fill: None,
            borders: None,
        }
    }
}

/// The lines drawn at the sides of a cell, by color (RGB); `None` is no line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Borders {
    /// Above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<[u8; 3]>,
    /// On the right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<[u8; 3]>,
    /// Below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottom: Option<[u8; 3]>,
    /// On the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<[u8; 3]>,
}

impl Table {
    /// Whether lines are drawn around each cell: all cells without known borders have them in a ruled table.
    pub(crate) fn has_grid(&self) -> bool {
        self.ruled && self.cells.iter().all(|cell| cell.borders.is_none())
    }

    /// Mirrors the columns, for right-to-left tables.
    pub(crate) fn mirror_columns(&mut self) {
        let columns = self.widths.len();
        self.widths.reverse();
        for cell in &mut self.cells {
            cell.column = columns.saturating_sub(cell.column + cell.column_span);
        }
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
    }
}

/// Alignment of the lines of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alignment {
    /// At the edge where lines start.
    #[default]
    Start,
    /// Centered.
    #[serde(rename = "centre")]
    Center,
    /// At the edge where lines end.
    End,
    /// Justified.
    Justified,
}

impl Alignment {
    fn is_start(&self) -> bool {
        *self == Self::Start
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "signature of `skip_serializing_if`"
)]
fn is_zero(value: &u8) -> bool {
    *value == 0
}
