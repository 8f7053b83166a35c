//! The Markdown of chunks.

use super::tokens::tokens;
use crate::writers::{Metadata, NoPictures, Result, markdown};
use crate::{Basis, Block, Page, Size};

/// Returns the estimated number of tokens of the Markdown of a block.
pub(super) fn tokens_of(block: &Block) -> Result<usize> {
    Ok(tokens(&text_of(&[(1, block.clone())])?))
}

/// Returns the Markdown of blocks, each with the number of its page.
pub(super) fn text_of(blocks: &[(u32, Block)]) -> Result<String> {
    let mut text = Vec::new();
    let mut writer = markdown(&mut text, &Metadata::default(), &NoPictures)?;
    for blocks in blocks.chunk_by(|one, other| one.0 == other.0) {
        writer.page(Page {
            number: 1,
            size: Size::default(),
            basis: Basis::Geometry,
            header: Vec::new(),
            blocks: blocks.iter().map(|(_, block)| block.clone()).collect(),
            footer: Vec::new(),
        })?;
    }
    writer.finish()?;
    Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
}
