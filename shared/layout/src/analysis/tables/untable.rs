//! Replaces tables that are not requested by their content.

use crate::model::block::{Block, Content, Table};

/// Replaces tables for which `is_wanted` is false by the content of their cells, row by row.
pub(in crate::analysis) fn untable(blocks: &mut Vec<Block>, is_wanted: fn(&Table) -> bool) {
    let is_table = |block: &Block| matches!(block.content, Content::Table(_));
    if blocks.iter().any(is_table) {
        let found = std::mem::take(blocks);
        let found = found.into_iter();
        blocks.extend(found.flat_map(|block| contents(block, is_wanted)));
    }
}

fn contents(block: Block, is_wanted: fn(&Table) -> bool) -> Vec<Block> {
    match block.content {
        Content::Table(mut table) if is_wanted(&table) => {
            let cells = table.cells.iter_mut();
            cells.for_each(|cell| untable(&mut cell.blocks, is_wanted));
            vec![Block {
                content: Content::Table(table),
                ..block
            }]
        }
        Content::Table(table) => {
            let cells = table.cells.into_iter();
            let mut contents: Vec<Block> = cells.flat_map(|cell| cell.blocks).collect();
            untable(&mut contents, is_wanted);
            contents
        }
        _ => vec![block],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::block::{Alignment, Cell};
    use crate::model::text::{Run, Style, plain};

    fn paragraph(text: &str) -> Block {
        let run = Run {
            text: text.to_owned(),
            style: Style::default(),
            link: None,
        };
        Block::from(Content::Paragraph {
            runs: vec![run],
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        })
    }

    fn table(cells: Vec<Vec<Block>>) -> Block {
        let cell = |(row, blocks)| Cell {
            row,
            column: 0,
            blocks,
            ..Cell::default()
        };
        Block::from(Content::Table(Table {
            widths: vec![1.0],
            rows: cells.len(),
            header_rows: 0,
            cells: cells.into_iter().enumerate().map(cell).collect(),
            ruled: true,
            confidence: 1.0,
            continues: false,
        }))
    }

    #[test]
    fn cell_content_keeps_its_order() {
        let inner = table(vec![vec![paragraph("c")]]);
        let mut blocks = vec![
            paragraph("a"),
            table(vec![vec![paragraph("b"), inner], vec![paragraph("d")]]),
            paragraph("e"),
        ];
        untable(&mut blocks, |_| false);
        let said: Vec<String> = blocks
            .iter()
            .map(|block| match &block.content {
                Content::Paragraph { runs, .. } => plain(runs),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(said, ["a", "b", "c", "d", "e"]);
    }
}
