//! What stands on a page: blocks of text, tables of cells that may span rows and columns, images and rules.

use serde::{Deserialize, Serialize};

use super::text::Run;
use crate::model::geometry::Rect;

/// Something on a page that is read as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    /// How many quotations it stands in, the one within the other.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quoted: u8,
    /// What it is.
    #[serde(flatten)]
    pub content: Content,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Content {
    /// The title of what follows.
    Heading {
        /// 1 for the highest, up to 6.
        level: u8,
        /// What it says, its number included.
        runs: Vec<Run>,
        /// How its lines stand.
        #[serde(default, skip_serializing_if = "Alignment::is_start")]
        alignment: Alignment,
    },
    /// Sentences that belong together.
    Paragraph {
        /// What it says; lines are not ended where they were for want of room, and hyphens that divided words are gone.
        runs: Vec<Run>,
        /// How its lines stand.
        #[serde(default, skip_serializing_if = "Alignment::is_start")]
        alignment: Alignment,
        /// Whether it goes on with the last paragraph of the page before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        continues: bool,
        /// Whether its spaces and the ends of its lines count, as those of code do.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        preformatted: bool,
    },
    /// Items with markers.
    List {
        /// In reading order, each with its level.
        items: Vec<Item>,
    },
    /// Cells in rows and columns.
    Table(Table),
    /// A picture.
    Image {
        /// Which of the document's pictures, from 0.
        image: usize,
        /// What it shows, in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alternative: Option<String>,
    },
    /// A line across the text.
    Rule,
    /// A note at the foot of its page.
    Footnote {
        /// What refers to it: a number or a sign.
        label: String,
        /// What it says, without its label.
        runs: Vec<Run>,
    },
}

impl From<Content> for Block {
    /// Such a block whose place is not known, in no quotation.
    fn from(content: Content) -> Self {
        Self {
            bounds: None,
            quoted: 0,
            content,
        }
    }
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// How deep it is nested, from 0.
    pub level: u8,
    /// Whether its marker says something by itself, as a number or a word does, and is no mere sign.
    pub ordered: bool,
    /// Its marker as it is shown, such as `•`, `3.` or `b)`; `☐` and `☑` are those of tasks that are to be done, and done.
    pub marker: String,
    /// What it says, without its marker.
    pub runs: Vec<Run>,
}

/// Cells in rows and columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The width of each column, points; there are as many columns as widths.
    pub widths: Vec<f32>,
    /// How many rows there are.
    pub rows: usize,
    /// How many rows at the top say what is below them.
    pub header_rows: usize,
    /// By row and column; places that another cell reaches over, and empty places, have none.
    pub cells: Vec<Cell>,
    /// Whether lines are drawn between the cells.
    pub ruled: bool,
    /// How sure it is that this is a table of these rows and columns, from 0 to 1; 1 where the document says so.
    pub confidence: f32,
    /// Whether it goes on with the last table of the page before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// Its uppermost row, from 0.
    pub row: usize,
    /// Its leftmost column, from 0; the rightmost of a table that is read from the right.
    pub column: usize,
    /// How many rows it takes, 1 or more.
    pub row_span: usize,
    /// How many columns it takes, 1 or more.
    pub column_span: usize,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

impl Table {
    /// The same with its columns counted from the other side.
    pub(crate) fn turn_round(&mut self) {
        let columns = self.widths.len();
        self.widths.reverse();
        for cell in &mut self.cells {
            cell.column = columns.saturating_sub(cell.column + cell.column_span);
        }
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
    }
}

/// How the lines of a paragraph stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alignment {
    /// At the edge where reading begins.
    #[default]
    Start,
    /// In the middle.
    Centre,
    /// At the edge where lines end.
    End,
    /// At both edges.
    Justified,
}

impl Alignment {
    fn is_start(&self) -> bool {
        *self == Self::Start
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(value: &u8) -> bool {
    *value == 0
}
