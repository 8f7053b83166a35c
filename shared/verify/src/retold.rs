//! Checks documents that were made of what others say: whatever letter and digit a reader finds in the source is in the result.

mod letters;

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use domain::format::Format;
use domain::operation::TableNumber;
use inspect::structured::{open, refused};
use layout::{Block, Content};
use markup::{Limits, Options, Reader};
use task::options::conversion;
use task::{Fault, Outcome, Product, Remark, Task, Verified};

use self::letters::{Labels, Letters};
use super::tags::{Piece, each_shown, utf8};
use super::{model, office};

/// The result is whole and of its format, and says what the source says, opened anew; JSON has an entry for each of its pages.
/// Numbers of a sheet are shown as the sheet's reader likes, so that of those only the tables are counted.
pub fn retold(task: &Task, product: &Product) -> Outcome<Verified> {
    let mut found = Letters::default();
    let pages = match task.to {
        Format::Json => model::each_text(&task.output(), &["text"], |text| found.add_text(text))?,
        Format::Docx => {
            office::office(task, product)?;
            of_document(task, &mut found)?
        }
        Format::Xlsx => return with_tables(task, office::office(task, product)?),
        Format::Html => of_page(task, &mut found)?,
        _ => of_lines(task, &mut found)?,
    };
    let is_cut = |remark: &Remark| matches!(remark, Remark::CellsCut(_));
    let (told, wanted) = told(task)?;
    if !product.remarks.iter().any(is_cut) && !found.hold(&wanted) {
        return Err(Fault::output_invalid("words are missing"));
    }
    match task.to == Format::Json && pages != told {
        true => Err(Fault::output_invalid("pages are missing")),
        false => Ok(Verified { pages }),
    }
}

/// A workbook has a sheet at least for each table of the source.
fn with_tables(task: &Task, found: Verified) -> Outcome<Verified> {
    let mut reader = open(task)?;
    let mut tables = Tables { only: None, met: 0 };
    while let Some(page) = reader.next_page().map_err(refused)? {
        for block in &page.blocks {
            tables.hold(block);
        }
    }
    match found.pages >= tables.met {
        true => Ok(found),
        false => Err(Fault::output_invalid("tables are missing")),
    }
}

/// How many pages the source has, and what is to be in the result: of a table in text, what stands in the tables that it holds.
fn told(task: &Task) -> Outcome<(u32, Letters)> {
    let mut reader = open(task)?;
    let mut tables = match task.to {
        Format::Csv => Some(Tables::wanted(task)?),
        _ => None,
    };
    let (mut pages, mut letters) = (0, Letters::default());
    while let Some(page) = reader.next_page().map_err(refused)? {
        pages += 1;
        let is_wanted = |block: &&Block| match &mut tables {
            Some(tables) => tables.hold(block),
            None => true,
        };
        let wanted = page.blocks.iter().filter(is_wanted);
        letters.add(wanted, &Labels::of(&page.blocks));
    }
    Ok((pages, letters))
}

/// The tables that a table in text holds.
struct Tables {
    /// The number of the only one, from 1; all of them without it.
    only: Option<u32>,
    /// How many there were so far.
    met: u32,
}

impl Tables {
    fn wanted(task: &Task) -> Outcome<Self> {
        let only = conversion(&task.operation)?.table.map(TableNumber::value);
        Ok(Self { only, met: 0 })
    }

    /// Whether the next block of the document is one of them.
    fn hold(&mut self, block: &Block) -> bool {
        let Content::Table(table) = &block.content else {
            return false;
        };
        self.met += u32::from(!table.continues || self.met == 0);
        self.only.is_none_or(|only| only == self.met)
    }
}

fn of_document(task: &Task, letters: &mut Letters) -> Outcome<u32> {
    let unread = |_| Fault::output_invalid("it does not open");
    let options = Options {
        // What we wrote is bounded by what may be written.
        limits: Limits {
            elements: u64::MAX,
            inflated_bytes: u64::MAX,
            ..Limits::default()
        },
        speaker_notes: false,
    };
    let mut reader = Reader::open(&task.output(), task.to, &options).map_err(unread)?;
    while let Some(page) = reader.next_page().map_err(unread)? {
        letters.add(page.blocks.iter(), &Labels::default());
    }
    Ok(1)
}

/// What is shown of HTML: the result is written without references to letters.
fn of_page(task: &Task, letters: &mut Letters) -> Outcome<u32> {
    let mut reader = BufReader::new(File::open(task.output())?);
    each_shown(&mut reader, |piece| {
        if let Piece::Text(text) = piece {
            letters.add_text(text);
        }
        Ok(())
    })?;
    Ok(1)
}

fn of_lines(task: &Task, letters: &mut Letters) -> Outcome<u32> {
    let mut reader = BufReader::new(File::open(task.output())?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        letters.add_text(utf8(&line)?);
        line.clear();
    }
    Ok(1)
}
