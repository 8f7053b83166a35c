//! Limits the nesting of tables.

use domain::limits::NESTED_TABLES;
use layout::{Block, Content};

/// Replaces tables nested too deeply by the content of their cells. Returns the number of replaced tables.
pub(crate) fn flatten_deep_tables(blocks: &mut Vec<Block>) -> u32 {
    within(blocks, NESTED_TABLES)
}

/// Replaces tables below `room` more levels of tables by the content of their cells.
fn within(blocks: &mut Vec<Block>, room: usize) -> u32 {
    let mut count = 0;
    for block in std::mem::take(blocks) {
        match block.content {
            Content::Table(table) if room == 0 => {
                count += 1;
                for cell in table.cells {
                    let mut held = cell.blocks;
                    count += within(&mut held, 0);
                    blocks.extend(
                        held.into_iter()
                            .map(|inner| quoted(inner, block.quote_depth)),
                    );
                }
            }
            Content::Table(mut table) => {
                let cells = table.cells.iter_mut();
                count += cells
                    .map(|cell| within(&mut cell.blocks, room - 1))
                    .sum::<u32>();
                blocks.push(Block {
                    content: Content::Table(table),
                    ..block
                });
            }
            _ => blocks.push(block),
        }
    }
    count
}

/// Adds the quotation depth of the table to a block from its cells.
fn quoted(block: Block, depth: u8) -> Block {
    Block {
        quote_depth: block.quote_depth.saturating_add(depth),
        ..block
    }
}
