//! Merges table rows that continue on the next page.

use crate::analysis::warning::Reading;
use crate::model::block::{Block, Content, Table};
use crate::model::seam::{Seam, Words};
use crate::model::text::{Run, plain};

/// Readings with merged rows. One reading is buffered.
pub struct RowsAcrossPages<I, E> {
    readings: I,
    held: Option<Result<Reading, E>>,
}

/// Merges table rows across pages. The readings must be those of one document, in order.
pub fn rows_across_pages<I, E>(readings: I) -> RowsAcrossPages<I::IntoIter, E>
where
    I: IntoIterator<Item = Result<Reading, E>>,
{
    RowsAcrossPages {
        readings: readings.into_iter(),
        held: None,
    }
}

impl<I: Iterator<Item = Result<Reading, E>>, E> Iterator for RowsAcrossPages<I, E> {
    type Item = Result<Reading, E>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut here = match self.held.take() {
            Some(held) => held,
            None => self.readings.next()?,
        };
        let mut next = self.readings.next();
        if let (Ok(here), Some(Ok(next))) = (&mut here, &mut next)
            && next.is_row_open
        {
            join(&mut here.page.blocks, &mut next.page.blocks);
        }
        self.held = next;
        Some(here)
    }
}

/// Moves the first row of the table at the beginning of a page into the last row of the table at the end of the previous page.
pub(in crate::analysis) fn join(before: &mut [Block], next: &mut Vec<Block>) {
    let words = Words::of(&[before, next]);
    let open = before.iter_mut().rev().find_map(table);
    let Some((index, rest)) = next
        .iter_mut()
        .enumerate()
        .find_map(|(index, block)| Some((index, table(block)?)))
    else {
        return;
    };
    let Some(open) = open.filter(|open| open.rows > 0) else {
        return;
    };
    let row = rest.header_rows;
    let (moved, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut rest.cells)
        .into_iter()
        .partition(|cell| cell.row == row);
    rest.cells = kept;
    rest.cells
        .iter_mut()
        .filter(|cell| cell.row > row)
        .for_each(|cell| cell.row -= 1);
    rest.rows = rest.rows.saturating_sub(1);
    let last = open.rows - 1;
    for mut cell in moved {
        let reaches = |known: &&mut crate::Cell| {
            known.column == cell.column && known.row + known.row_span > last
        };
        match open.cells.iter_mut().find(reaches) {
            Some(known) => append(&mut known.blocks, cell.blocks, &words),
            None => {
                (cell.row, cell.row_span) = (last, 1);
                open.cells.push(cell);
                open.cells.sort_by_key(|cell| (cell.row, cell.column));
            }
        }
    }
    if rest.rows <= rest.header_rows {
        next.remove(index);
    }
}

fn table(block: &mut Block) -> Option<&mut Table> {
    match &mut block.content {
        Content::Table(table) => Some(table),
        _ => None,
    }
}

/// Appends blocks to those of a cell; the first paragraph continues the last one.
fn append(blocks: &mut Vec<Block>, mut more: Vec<Block>, words: &Words) {
    let last = blocks.last_mut().map(|block| &mut block.content);
    if let (Some(Content::Paragraph { runs, .. }), Some(Content::Paragraph { runs: rest, .. })) =
        (last, more.first().map(|block| &block.content))
    {
        let seam = Seam::between(&plain(runs), &plain(rest), words);
        sew(runs, seam);
        runs.extend_from_slice(rest);
        more.remove(0);
    }
    blocks.append(&mut more);
}

/// Ends runs according to a seam.
fn sew(runs: &mut [Run], seam: Seam) {
    let Some(last) = runs.last_mut() else { return };
    match seam {
        Seam::Space => last.text.push(' '),
        Seam::Dehyphenated => drop(last.text.pop()),
        Seam::Nothing => {}
    }
}

#[cfg(test)]
mod tests {
    use super::append;
    use crate::model::block::{Alignment, Block, Content};
    use crate::model::seam::Words;
    use crate::model::text::{Run, Style, plain};

    fn paragraph(text: &str) -> Vec<Block> {
        let run = Run {
            text: text.to_owned(),
            style: Style::default(),
            link: None,
        };
        vec![Block::from(Content::Paragraph {
            runs: vec![run],
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        })]
    }

    #[test]
    fn rows_continue_within_and_between_words() {
        let words = Words::of(&[&paragraph("A Well-known word.")]);
        for (before, after, expected) in [
            ("inter-", "national", "international"),
            ("well-", "known", "well-known"),
            ("word—", "next", "word—next"),
            ("a word", "next", "a word next"),
        ] {
            let mut blocks = paragraph(before);
            append(&mut blocks, paragraph(after), &words);
            let [
                Block {
                    content: Content::Paragraph { runs, .. },
                    ..
                },
            ] = blocks.as_slice()
            else {
                panic!("{blocks:?}");
            };
            assert_eq!(plain(runs), expected);
        }
    }
}
