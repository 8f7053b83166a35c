//! Tables that are not wanted: what they hold, as the text that it is.

use crate::model::block::{Block, Content};

/// What stands in cells takes the place of their tables, row by row.
pub(super) fn untable(blocks: &mut Vec<Block>) {
    let is_table = |block: &Block| matches!(block.content, Content::Table(_));
    if blocks.iter().any(is_table) {
        let found = std::mem::take(blocks);
        blocks.extend(found.into_iter().flat_map(contents));
    }
}

fn contents(block: Block) -> Vec<Block> {
    let Content::Table(table) = block.content else {
        return vec![block];
    };
    let mut contents: Vec<Block> = table
        .cells
        .into_iter()
        .flat_map(|cell| cell.blocks)
        .collect();
    untable(&mut contents);
    contents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::block::Alignment;
    use crate::model::table::{Cell, Table};
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
            row_span: 1,
            column_span: 1,
            blocks,
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
    fn what_stands_in_cells_stays_in_its_order() {
        let inner = table(vec![vec![paragraph("c")]]);
        let mut blocks = vec![
            paragraph("a"),
            table(vec![vec![paragraph("b"), inner], vec![paragraph("d")]]),
            paragraph("e"),
        ];
        untable(&mut blocks);
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
