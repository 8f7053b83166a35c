//! Text outside tables, which formats of tables leave out.

use super::plain;
use crate::{Block, Content, Page};

/// Whether XLSX has a worksheet with the text of a page, because the page has no table.
#[must_use]
pub fn is_sheet_of_text(page: &Page) -> bool {
    !page.blocks.iter().any(is_table)
}

/// The texts of the blocks that are no tables.
#[must_use]
pub fn text_outside_tables(blocks: &[Block]) -> Vec<String> {
    let blocks = blocks.iter().filter(|block| !is_table(block));
    blocks.map(plain::of_block).collect()
}

fn is_table(block: &Block) -> bool {
    matches!(block.content, Content::Table(_))
}
