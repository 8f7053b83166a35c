//! Splits blocks that are larger than a chunk: text between sentences or words, lists between items, tables between rows.

use super::tokens::{tokens, tokens_of};
use crate::{Alignment, Block, Cell, Content, Item, Run, Table};

/// Returns the parts of a block, each of at most `max` tokens; a table row is never split.
pub(super) fn parts(block: &Block, max: usize) -> Vec<Block> {
    if tokens_of(block) <= max {
        return vec![block.clone()];
    }
    let with = |content: Content| Block {
        content,
        ..block.clone()
    };
    match &block.content {
        Content::Paragraph {
            runs,
            alignment,
            continues,
            preformatted,
        } => texts(runs, max)
            .into_iter()
            .enumerate()
            .map(|(index, runs)| {
                with(Content::Paragraph {
                    runs,
                    alignment: *alignment,
                    continues: *continues && index == 0,
                    preformatted: *preformatted,
                })
            })
            .collect(),
        Content::List { items } => items
            .iter()
            .flat_map(|item| item_parts(item, max))
            .map(with)
            .collect(),
        Content::Table(table) => tables(table, max)
            .into_iter()
            .map(|table| with(Content::Table(table)))
            .collect(),
        Content::Footnote { label, runs } => texts(runs, max)
            .into_iter()
            .enumerate()
            .map(|(index, runs)| {
                with(match index {
                    0 => Content::Footnote {
                        label: label.clone(),
                        runs,
                    },
                    _ => paragraph(runs),
                })
            })
            .collect(),
        Content::Heading { .. } | Content::Image { .. } | Content::Rule => vec![block.clone()],
    }
}

fn item_parts(item: &Item, max: usize) -> Vec<Content> {
    let texts = texts(&item.runs, max).into_iter().enumerate();
    let part = |(index, runs): (usize, Vec<Run>)| match index {
        0 => Content::List {
            items: vec![Item {
                runs,
                ..item.clone()
            }],
        },
        _ => paragraph(runs),
    };
    texts.map(part).collect()
}

fn paragraph(runs: Vec<Run>) -> Content {
    Content::Paragraph {
        runs,
        alignment: Alignment::Start,
        continues: false,
        preformatted: false,
    }
}

/// Splits runs into texts of at most `max` tokens, after a sentence if one ends in the second half, else after a word.
fn texts(runs: &[Run], max: usize) -> Vec<Vec<Run>> {
    let words: Vec<(usize, &str)> = runs
        .iter()
        .enumerate()
        .flat_map(|(index, run)| {
            let words = run.text.split_inclusive(char::is_whitespace);
            words
                .flat_map(move |word| pieces(word, max))
                .map(move |word| (index, word))
        })
        .collect();
    let mut texts = Vec::new();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let (mut count, mut end, mut sentence) = (0, 0, None);
        for (_, word) in rest {
            count += tokens(word);
            if count > max && end > 0 {
                break;
            }
            end += 1;
            let ends = word.trim_end().ends_with(['.', '!', '?', '。', '؟']);
            if ends && count * 2 > max {
                sentence = Some(end);
            }
        }
        let end = match sentence {
            Some(sentence) if end < rest.len() => sentence,
            _ => end,
        };
        let (text, more) = rest.split_at(end);
        texts.push(joined(runs, text));
        rest = more;
    }
    texts
}

/// Splits a word that is larger than a chunk, such as text without spaces. A character counts at most one token.
fn pieces(word: &str, max: usize) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = match tokens(rest) <= max {
            true => rest.len(),
            false => rest
                .char_indices()
                .nth(max)
                .map_or(rest.len(), |(end, _)| end),
        };
        let (piece, more) = rest.split_at(end);
        rest = more;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns the runs of consecutive words; each has the number of its run.
fn joined(runs: &[Run], words: &[(usize, &str)]) -> Vec<Run> {
    let same = words.chunk_by(|one, other| one.0 == other.0);
    let run = |words: &[(usize, &str)]| {
        let (index, _) = words.first()?;
        Some(Run {
            text: words.iter().map(|(_, word)| *word).collect(),
            ..runs.get(*index)?.clone()
        })
    };
    same.filter_map(run).collect()
}

/// Splits a table between rows that no cell spans; each part repeats the header rows.
fn tables(table: &Table, max: usize) -> Vec<Table> {
    let mut sizes = vec![0; table.rows];
    let mut is_joined = vec![false; table.rows];
    for cell in &table.cells {
        if let Some(size) = sizes.get_mut(cell.row) {
            *size += cell.blocks.iter().map(tokens_of).sum::<usize>();
        }
        let below = is_joined.iter_mut().skip(cell.row + 1);
        below
            .take(cell.row_span.saturating_sub(1))
            .for_each(|row| *row = true);
    }
    let head = table.header_rows.min(table.rows);
    let header: usize = sizes.iter().take(head).sum();
    let (mut begin, mut count, mut ranges) = (head, header, Vec::new());
    for (row, (size, is_joined)) in sizes.iter().zip(&is_joined).enumerate().skip(head) {
        if row > begin && !is_joined && count + size > max {
            ranges.push(begin..row);
            (begin, count) = (row, header);
        }
        count += size;
    }
    ranges.push(begin..table.rows);
    ranges
        .into_iter()
        .map(|rows| with_rows(table, head, &rows))
        .collect()
}

/// Returns a table of the header and these rows.
fn with_rows(table: &Table, head: usize, rows: &std::ops::Range<usize>) -> Table {
    let cells = table.cells.iter().filter_map(|cell| {
        let row = match cell.row {
            row if row < head => row,
            row if rows.contains(&row) => row - rows.start + head,
            _ => return None,
        };
        Some(Cell {
            row,
            ..cell.clone()
        })
    });
    Table {
        rows: head + rows.len(),
        cells: cells.collect(),
        continues: table.continues && rows.start == head,
        ..table.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Style, plain};

    fn run(text: &str) -> Run {
        Run {
            text: text.to_owned(),
            style: Style::default(),
            link: None,
        }
    }

    #[test]
    fn text_is_split_after_sentences_and_within_long_words() {
        let runs = [
            run("One two three. "),
            run("Four five six seven eight nine."),
        ];
        let split = texts(&runs, 6);
        assert_eq!(plain(&split[0]), "One two three. ");
        let long = [run(&"書".repeat(25))];
        let split = texts(&long, 10);
        assert_eq!(split.len(), 3);
        assert_eq!(
            split
                .concat()
                .iter()
                .map(|run| run.text.len())
                .sum::<usize>(),
            75
        );
    }

    #[test]
    fn tables_are_split_between_rows_with_their_header() {
        let cell = |row, row_span, text: &str| Cell {
            row,
            column: 0,
            row_span,
            blocks: vec![Block::from(paragraph(vec![run(text)]))],
            ..Cell::default()
        };
        let table = Table {
            widths: vec![100.0],
            rows: 5,
            header_rows: 1,
            cells: vec![
                cell(0, 1, "Name"),
                cell(1, 1, "one"),
                cell(2, 2, "two"),
                cell(4, 1, "four"),
            ],
            ruled: true,
            confidence: 1.0,
            continues: false,
        };
        let split = tables(&table, 2);
        let rows: Vec<Vec<(usize, String)>> = split
            .iter()
            .map(|table| {
                let text = |cell: &Cell| match &cell.blocks[0].content {
                    Content::Paragraph { runs, .. } => plain(runs),
                    _ => String::new(),
                };
                table
                    .cells
                    .iter()
                    .map(|cell| (cell.row, text(cell)))
                    .collect()
            })
            .collect();
        let name = || (0, "Name".to_owned());
        assert_eq!(
            rows,
            [
                vec![name(), (1, "one".to_owned())],
                vec![name(), (1, "two".to_owned())],
                vec![name(), (1, "four".to_owned())],
            ]
        );
        assert_eq!(split[1].rows, 3);
    }
}
