//! Checks converted documents: all letters and digits of the source are in the result.

mod characters;

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use domain::format::Format;
use domain::operation::TableNumber;
use inspect::structured::{open, task_error};
use layout::{Block, Content};
use markup::{Limits, Options, Reader};
use task::options::conversion;
use task::{Product, Task, TaskError, TaskResult, Verified, Warning};

use self::characters::{CharacterCounts, NoteLabels};
use super::markup_tokens::{Token, for_each_body_token, utf8};
use super::{bundle, json_model, office};

/// Checks that the result is valid, of its format, and has the text of the source; JSON must have an entry for each page.
/// In workbooks only the tables are counted, because numbers may be displayed differently.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn converted_document(task: &Task, product: &Product) -> TaskResult<Verified> {
    bundle::bundle(task, product)?;
    let mut found = CharacterCounts::default();
    let pages = match task.to {
        Format::Json => {
            json_model::for_each_text(&task.output(), &["text"], |text| found.add_text(text))?
        }
        Format::Docx => {
            office::office(task, product)?;
            count_document(task, &mut found)?
        }
        Format::Xlsx => return check_tables(task, office::office(task, product)?),
        Format::Html => count_html(task, &mut found)?,
        _ => count_lines(task, &mut found)?,
    };
    let is_truncated = |warning: &Warning| matches!(warning, Warning::CellsTruncated(_));
    let (source_pages, wanted) = source_text(task)?;
    if !product.warnings.iter().any(is_truncated) && !found.contains(&wanted) {
        return Err(TaskError::output_invalid("words are missing"));
    }
    match task.to == Format::Json && pages != source_pages {
        true => Err(TaskError::output_invalid("pages are missing")),
        false => Ok(Verified::complete(pages)),
    }
}

/// Checks that a workbook has at least one sheet per table of the source.
fn check_tables(task: &Task, found: Verified) -> TaskResult<Verified> {
    let mut reader = open(task)?;
    let mut tables = TableSelection {
        only: None,
        seen: 0,
    };
    while let Some(page) = reader.next_page().map_err(task_error)? {
        for block in &page.blocks {
            tables.selects(block);
        }
    }
    match found.pages >= tables.seen {
        true => Ok(found),
        false => Err(TaskError::output_invalid("tables are missing")),
    }
}

/// Returns the number of pages of the source, and its text; for CSV, only that of the selected tables.
fn source_text(task: &Task) -> TaskResult<(u32, CharacterCounts)> {
    let mut reader = open(task)?;
    let mut tables = match task.to {
        Format::Csv => Some(TableSelection::requested(task)?),
        _ => None,
    };
    let (mut pages, mut counts) = (0, CharacterCounts::default());
    while let Some(page) = reader.next_page().map_err(task_error)? {
        pages += 1;
        let is_wanted = |block: &&Block| match &mut tables {
            Some(tables) => tables.selects(block),
            None => true,
        };
        let wanted = page.blocks.iter().filter(is_wanted);
        counts.add(wanted, &NoteLabels::of(&page.blocks));
    }
    Ok((pages, counts))
}

/// Selects the tables that a CSV result contains.
struct TableSelection {
    /// Number of the selected table, from 1; `None` for all.
    only: Option<u32>,
    /// Number of tables so far.
    seen: u32,
}

impl TableSelection {
    fn requested(task: &Task) -> TaskResult<Self> {
        let only = conversion(&task.operation)?.table.map(TableNumber::value);
        Ok(Self { only, seen: 0 })
    }

    /// Returns whether the next block of the document is a selected table.
    fn selects(&mut self, block: &Block) -> bool {
        let Content::Table(table) = &block.content else {
            return false;
        };
        self.seen += u32::from(!table.continues || self.seen == 0);
        self.only.is_none_or(|only| only == self.seen)
    }
}

fn count_document(task: &Task, counts: &mut CharacterCounts) -> TaskResult<u32> {
    let unreadable = |_| TaskError::output_invalid("it does not open");
    let options = Options {
        // Our own output is bounded by the limits of the writer.
        limits: Limits {
            elements: u64::MAX,
            inflated_bytes: u64::MAX,
            ..Limits::default()
        },
        ..Options::default()
    };
    let mut reader = Reader::open(&task.output(), task.to, &options).map_err(unreadable)?;
    while let Some(page) = reader.next_page().map_err(unreadable)? {
        counts.add(page.blocks.iter(), &NoteLabels::default());
    }
    Ok(1)
}

/// Counts the text of HTML, which is written without character references.
fn count_html(task: &Task, counts: &mut CharacterCounts) -> TaskResult<u32> {
    let mut reader = BufReader::new(File::open(task.output())?);
    for_each_body_token(&mut reader, |token| {
        if let Token::Text(text) = token {
            counts.add_text(text);
        }
        Ok(())
    })?;
    Ok(1)
}

fn count_lines(task: &Task, counts: &mut CharacterCounts) -> TaskResult<u32> {
    let mut reader = BufReader::new(File::open(task.document())?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        counts.add_text(utf8(&line)?);
        line.clear();
    }
    Ok(1)
}
