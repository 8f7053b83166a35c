//! Tables to a workbook [ECMA-376], row by row: a sheet for each table, called after the heading above it, and for each page
//! that has text but no table. What stands beside tables is left out.
//!
//! Numbers, percentages and dates become values where there is one way to read them, whatever the language: `1.5` is a number,
//! `1.234` is one where other cells of its table tell what a point is, and `007`, `+49 30`, `1.2.3` and formulas are texts.
//! Values look as they did, with the signs of the place where they are read. A text of more than 32,767 characters is cut, a cell
//! behind the 16,384th column left out, as the format asks, and both are counted. A table of more than 1,048,576 rows goes
//! on in another sheet. Sheets are written one after another straight into the archive, so any number of them needs the same memory.

mod marks;
mod number;
mod styles;
mod value;
mod worksheet;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{Seek, Write};

use self::marks::Marks;
use self::worksheet::Worksheet;
use super::direction::is_leftward_table;
use super::flow::{Flow, Flowing, Place};
use super::grid::Grid;
use super::notes::Notes;
use super::ooxml::package::{OFFICE, Package, Relations};
use super::xml::Escaped;
use super::{Metadata, Outcome, WriteReport, Writer, plain};
use crate::{Block, Content, Page, Table};

/// A writer of xlsx.
///
/// # Errors
/// If the output cannot be written.
pub fn xlsx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
) -> Outcome<Box<dyn Writer + 'a>> {
    let package = Package::begin(output, "xl/workbook.xml")?;
    Ok(Box::new(Flow::new(Workbook {
        package,
        metadata: metadata.clone(),
        names: Vec::new(),
        taken: HashSet::new(),
        counted: HashMap::new(),
        heading: None,
        name: String::new(),
        marks: Marks::default(),
        sheet: None,
        written: WriteReport::default(),
    })))
}

struct Workbook<W: Write + Seek> {
    package: Package<W>,
    metadata: Metadata,
    /// What the sheets are called.
    names: Vec<String>,
    /// The same in lower case, in which they must differ.
    taken: HashSet<String>,
    /// By such a name: the last number that made one of it that no other sheet has.
    counted: HashMap<String, u32>,
    /// The last heading above the next table.
    heading: Option<String>,
    /// What the open table is called.
    name: String,
    /// How the open table writes numbers.
    marks: Marks,
    sheet: Option<Worksheet>,
    written: WriteReport,
}

impl<W: Write + Seek> Workbook<W> {
    fn begin(&mut self, name: &str, sheet: Worksheet) -> Outcome {
        let name = self.unlike(name);
        self.names.push(name);
        self.package
            .part(&part(self.names.len()), &kind("worksheet"))?;
        self.package.write_all(sheet.head().as_bytes())?;
        self.sheet = Some(sheet);
        Ok(())
    }

    fn end(&mut self) -> Outcome {
        if let Some(sheet) = self.sheet.take() {
            self.written.cut += sheet.cut;
            self.package.write_all(sheet.tail().as_bytes())?;
        }
        Ok(())
    }

    /// A page without tables: a row for each block and each item.
    fn text(&mut self, page: &Page) -> Outcome {
        let rows: Vec<_> = page
            .blocks
            .iter()
            .flat_map(rows_of)
            .filter(|text| !text.is_empty())
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        self.begin(&format!("Page {}", page.number), Worksheet::of_text())?;
        for text in rows {
            if let Some(sheet) = &mut self.sheet {
                self.package.write_all(sheet.line(&text).as_bytes())?;
            }
        }
        self.end()
    }

    /// A name that no other sheet has, of what names may hold.
    fn unlike(&mut self, name: &str) -> String {
        let name: String = name.chars().filter(|c| is_of_name(*c)).collect();
        let name = name.trim_matches(|c: char| c.is_whitespace() || c == '\'');
        let name = if name.is_empty() || name.eq_ignore_ascii_case("history") {
            "Table"
        } else {
            name
        };
        // Names that differ only behind what fits are counted as one.
        let short = shortened(name, LONGEST);
        let short = short.trim_end_matches('\'');
        let counted = self.counted.entry(short.to_lowercase()).or_default();
        loop {
            *counted = counted.saturating_add(1);
            let candidate = numbered(short, *counted);
            if self.taken.insert(candidate.to_lowercase()) || *counted == u32::MAX {
                return candidate;
            }
        }
    }

    fn workbook(&self) -> (String, Relations) {
        let (mut relations, mut sheets) = (Relations::default(), String::new());
        for (name, number) in self.names.iter().zip(1..) {
            let relation = relations.part("worksheet", &format!("worksheets/sheet{number}.xml"));
            let name = Escaped(name);
            write!(
                sheets,
                "<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"{relation}\"/>"
            )
            .ok();
        }
        relations.part("styles", "styles.xml");
        (
            format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><bookViews><workbookView/></bookViews><sheets>{sheets}</sheets></workbook>"
            ),
            relations,
        )
    }
}

impl<W: Write + Seek> Flowing for Workbook<W> {
    fn page(&mut self, page: &Page, place: Place) -> Outcome {
        self.written.pages += 1;
        let is_table = |block: &Block| matches!(block.content, Content::Table(_));
        if place != Place::InTable {
            self.heading = None;
        }
        if page.blocks.iter().any(is_table) {
            Ok(())
        } else {
            self.text(page)
        }
    }

    fn block(&mut self, block: &Block, _: &Notes) -> Outcome {
        if let Content::Heading { .. } = block.content {
            self.heading = Some(plain::of_block(block).replace('\n', " "));
        }
        Ok(())
    }

    fn table(&mut self, _: &Block, table: &Table) -> Outcome {
        self.written.tables += 1;
        self.marks = Marks::default();
        let numbered = format!("Table {}", self.written.tables);
        self.name = self.heading.take().unwrap_or(numbered);
        let name = self.name.clone();
        self.begin(&name, Worksheet::of_table(table, is_leftward_table(table)))
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, _: &Notes) -> Outcome {
        self.marks = self.marks.and(Marks::of(table));
        for row in first..grid.rows {
            if self.sheet.as_ref().is_some_and(Worksheet::is_full) {
                self.end()?;
                let name = self.name.clone();
                self.begin(&name, Worksheet::of_table(table, is_leftward_table(table)))?;
            }
            if let Some(sheet) = &mut self.sheet {
                let row = sheet.row(table, grid, row, self.marks);
                self.package.write_all(row.as_bytes())?;
            }
        }
        Ok(())
    }

    fn end_table(&mut self) -> Outcome {
        self.end()
    }

    fn finish(mut self) -> Outcome<WriteReport> {
        if self.names.is_empty() {
            // A workbook has a sheet.
            self.begin("Sheet1", Worksheet::of_text())?;
            self.end()?;
        }
        let (workbook, relations) = self.workbook();
        self.package
            .whole("xl/workbook.xml", &kind("sheet.main"), &workbook)?;
        self.package.relations("xl/workbook.xml", &relations)?;
        self.package
            .whole("xl/styles.xml", &kind("styles"), &styles::xml())?;
        self.package.finish(&self.metadata)?;
        Ok(self.written)
    }
}

/// Whether a name of a sheet may hold a character; those that turn the way of what is beside it may not.
fn is_of_name(character: char) -> bool {
    let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_none = character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}');
    !turns && !is_none && !"[]:*?/\\".contains(character)
}

/// The namespace of SpreadsheetML.
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

fn kind(part: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.spreadsheetml.{part}+xml")
}

fn part(number: usize) -> String {
    format!("xl/worksheets/sheet{number}.xml")
}

fn rows_of(block: &Block) -> Vec<String> {
    let text = plain::of_block(block);
    match block.content {
        Content::List { .. } => text.lines().map(str::to_owned).collect(),
        _ => vec![text],
    }
}

/// Most units of UTF-16 in the name of a sheet.
const LONGEST: usize = 31;

/// A name with a number behind it, save for the first.
fn numbered(name: &str, number: u32) -> String {
    let behind = match number {
        1 => String::new(),
        _ => format!(" ({number})"),
    };
    let short = shortened(name, LONGEST - behind.len());
    format!("{}{behind}", short.trim_end_matches('\''))
}

/// The beginning of a text, of at most so many units of UTF-16.
fn shortened(text: &str, most: usize) -> String {
    let mut units = 0;
    let fits = |character: &char| {
        units += character.len_utf16();
        units <= most
    };
    text.chars()
        .take_while(fits)
        .collect::<String>()
        .trim_end()
        .to_owned()
}
