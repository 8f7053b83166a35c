//! Tables within one another, of which readers of results allow only so many.

use domain::limits::NESTED_TABLES;
use layout::{Block, Content};

/// Puts what stands in tables that lie too deep in the place of these tables, cell by cell. Returns how many these were.
pub(crate) fn dissolve(blocks: &mut Vec<Block>) -> u32 {
    within(blocks, NESTED_TABLES)
}

/// The same where so many tables may still lie within one another.
fn within(blocks: &mut Vec<Block>, room: usize) -> u32 {
    let mut count = 0;
    for block in std::mem::take(blocks) {
        match block.content {
            Content::Table(table) if room == 0 => {
                count += 1;
                for cell in table.cells {
                    let mut held = cell.blocks;
                    count += within(&mut held, 0);
                    blocks.extend(held.into_iter().map(|inner| quoted(inner, block.quoted)));
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

/// A block of a table in as many quotations more.
fn quoted(block: Block, depth: u8) -> Block {
    Block {
        quoted: block.quoted.saturating_add(depth),
        ..block
    }
}
