//! Writes tables as SpreadsheetML [ECMA-376], row by row: a worksheet for each table, named after the heading above it, and for
//! each page with text but without tables. Text next to tables is dropped.
//!
//! Numbers, amounts, percentages and dates become values if they are unambiguous in all languages: `1.5` is a number, `1.234` only
//! if other cells of its table determine the decimal separator, `01/02/2024` a date only if its column determines the order;
//! `007`, `+49 30`, `1.2.3` and formulas are text. Values keep their format, with the separators of the reader's locale. Text beyond 32,767 characters is truncated and cells beyond the 16,384th
//! column are dropped, as the format requires; both are counted. A table of more than 1,048,576 rows continues on another
//! worksheet. Worksheets are streamed into the archive, so memory does not grow with their number.

mod amount;
mod column;
mod date;
mod links;
mod notation;
mod number;
mod styles;
mod value;
mod worksheet;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{Seek, Write};

use self::worksheet::{Context, Worksheet};
use super::direction::is_rtl_table;
use super::flow::{Flow, Flowing, PageStart};
use super::grid::Grid;
use super::notes::Notes;
use super::ooxml::package::{OFFICE, Package, Relations};
use super::outside_tables::is_sheet_of_text;
use super::xml::Escaped;
use super::{Metadata, Result, WriteReport, Writer, plain};
use crate::{Block, Content, Item, Page, Table};

/// Creates an xlsx writer.
///
/// # Errors
/// If the output cannot be written.
pub fn xlsx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
) -> Result<Box<dyn Writer + 'a>> {
    let package = Package::begin(output, "xl/workbook.xml")?;
    Ok(Box::new(Flow::new(Workbook {
        package,
        metadata: metadata.clone(),
        names: Vec::new(),
        taken: HashSet::new(),
        counted: HashMap::new(),
        heading: None,
        name: String::new(),
        context: Context::default(),
        sheet: None,
        written: WriteReport::default(),
    })))
}

struct Workbook<W: Write + Seek> {
    package: Package<W>,
    metadata: Metadata,
    /// Names of the worksheets.
    names: Vec<String>,
    /// The names in lower case, in which they must be unique.
    taken: HashSet<String>,
    /// By lowercase name: the last number appended to make it unique.
    counted: HashMap<String, u32>,
    /// The last heading above the next table.
    heading: Option<String>,
    /// Worksheet name of the open table.
    name: String,
    context: Context,
    sheet: Option<Worksheet>,
    written: WriteReport,
}

impl<W: Write + Seek> Workbook<W> {
    fn begin(&mut self, name: &str, sheet: Worksheet) -> Result {
        let name = self.unique_name(name);
        self.names.push(name);
        self.package
            .part(&part(self.names.len()), &content_type("worksheet"))?;
        self.package.write_all(sheet.head().as_bytes())?;
        self.sheet = Some(sheet);
        Ok(())
    }

    fn end(&mut self) -> Result {
        if let Some(sheet) = self.sheet.take() {
            self.written.truncated_cells += sheet.truncated_cells;
            self.package.write_all(sheet.tail().as_bytes())?;
            let part = part(self.names.len());
            self.package.relations(&part, &sheet.links.relations)?;
        }
        Ok(())
    }

    /// Writes a page without tables: a row for each block or item.
    fn text(&mut self, page: &Page) -> Result {
        let rows: Vec<_> = page
            .blocks
            .iter()
            .flat_map(rows_of)
            .filter(|(text, _)| !text.is_empty())
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        self.begin(&format!("Page {}", page.number), Worksheet::of_text())?;
        for (text, targets) in rows {
            if let Some(sheet) = &mut self.sheet {
                self.package
                    .write_all(sheet.line(&text, targets).as_bytes())?;
            }
        }
        self.end()
    }

    /// Returns a valid and unique worksheet name.
    fn unique_name(&mut self, name: &str) -> String {
        let name: String = name.chars().filter(|c| is_of_name(*c)).collect();
        let name = name.trim_matches(|c: char| c.is_whitespace() || c == '\'');
        let name = if name.is_empty() || name.eq_ignore_ascii_case("history") {
            "Table"
        } else {
            name
        };
        // Names that are equal up to the maximum length share a counter.
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
    fn page(&mut self, page: &Page, place: PageStart) -> Result {
        self.written.pages += 1;
        if place != PageStart::InTable {
            self.heading = None;
        }
        match is_sheet_of_text(page) {
            true => self.text(page),
            false => Ok(()),
        }
    }

    fn block(&mut self, block: &Block, _: &Notes) -> Result {
        if let Content::Heading { .. } = block.content {
            self.heading = Some(plain::of_block(block).replace('\n', " "));
        }
        Ok(())
    }

    fn table(&mut self, _: &Block, table: &Table) -> Result {
        self.written.tables += 1;
        self.context.begin();
        let numbered = format!("Table {}", self.written.tables);
        self.name = self.heading.take().unwrap_or(numbered);
        let name = self.name.clone();
        self.begin(&name, Worksheet::of_table(table, is_rtl_table(table)))
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, _: &Notes) -> Result {
        self.context.add(table);
        for row in first..grid.rows {
            if self.sheet.as_ref().is_some_and(Worksheet::is_full) {
                self.end()?;
                let name = self.name.clone();
                self.begin(&name, Worksheet::of_table(table, is_rtl_table(table)))?;
            }
            if let Some(sheet) = &mut self.sheet {
                let row = sheet.row(table, grid, row, &mut self.context);
                self.package.write_all(row.as_bytes())?;
            }
        }
        Ok(())
    }

    fn end_table(&mut self) -> Result {
        self.end()
    }

    fn finish(mut self, _footers: &[Block]) -> Result<WriteReport> {
        if self.names.is_empty() {
            // A workbook must have a worksheet.
            self.begin("Sheet1", Worksheet::of_text())?;
            self.end()?;
        }
        let (workbook, relations) = self.workbook();
        self.package
            .write_whole("xl/workbook.xml", &content_type("sheet.main"), &workbook)?;
        self.package.relations("xl/workbook.xml", &relations)?;
        self.package.write_whole(
            "xl/styles.xml",
            &content_type("styles"),
            &self.context.styles.xml(),
        )?;
        self.package.finish(&self.metadata)?;
        Ok(self.written)
    }
}

/// Whether a worksheet name may contain a character; directional formatting characters are excluded.
fn is_of_name(character: char) -> bool {
    let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_none = character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}');
    !turns && !is_none && !"[]:*?/\\".contains(character)
}

/// Namespace of SpreadsheetML.
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

fn content_type(part: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.spreadsheetml.{part}+xml")
}

fn part(number: usize) -> String {
    format!("xl/worksheets/sheet{number}.xml")
}

/// The text of each row of a block, with the targets of its links.
fn rows_of(block: &Block) -> Vec<(String, Vec<&str>)> {
    let Content::List { items } = &block.content else {
        let targets = links::targets(std::slice::from_ref(block));
        return vec![(plain::of_block(block), targets)];
    };
    items.iter().flat_map(rows_of_item).collect()
}

fn rows_of_item(item: &Item) -> Vec<(String, Vec<&str>)> {
    let text = plain::of_items(std::slice::from_ref(item));
    let lines = text.lines().map(str::to_owned);
    lines
        .map(|line| (line, links::of_runs(&item.runs)))
        .collect()
}

/// Maximum length of a worksheet name in UTF-16 code units.
const LONGEST: usize = 31;

/// Returns a name with a number, except for the first.
fn numbered(name: &str, number: u32) -> String {
    let behind = match number {
        1 => String::new(),
        _ => format!(" ({number})"),
    };
    let short = shortened(name, LONGEST - behind.len());
    format!("{}{behind}", short.trim_end_matches('\''))
}

/// Truncates a text to a number of UTF-16 code units.
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
