//! How LibreOffice is to read plain text and tables in text: as UTF-8, and as what is written there.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use domain::format::Format;
use inspect::append_utf8;
use task::{Outcome, Task, TextFacts};

/// UTF-8 among LibreOffice's character sets.
const UTF_8: u32 = 76;
/// British English among Microsoft's identifiers of languages.
const BRITISH: u32 = 2057;
/// Quoted fields count as others, nothing looks like a date, three settings of exports, no spaces removed, no choice of sheets,
/// no formulas.
const NOTHING_ELSE: &str = "false,false,false,false,false,0,false";
/// Columns whose cells are text, and columns whose cells are what they look like.
const TEXT: u32 = 2;
const GENERAL: u32 = 1;

/// What LibreOffice knows UTF-8 by in a text that says nothing else of itself: the byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// What becomes of the cells of a table in text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Cells {
    /// Text, as it is written: nothing becomes a number, a date or a formula.
    AsWritten,
    /// Numbers in columns where all of them stay as they are written; no dates and no formulas.
    Typed,
}

/// Options of the filter that reads the source, if it is a table.
pub(super) fn filter(from: Format, facts: Option<&TextFacts>, cells: Cells) -> Option<String> {
    let facts = facts.filter(|_| from.is_table_in_text());
    facts.map(|facts| table(facts, cells))
}

/// Lays a text out as UTF-8, so that LibreOffice need not guess.
pub(super) fn lay_out(task: &Task, facts: &TextFacts, input: &Path) -> Outcome<()> {
    let mut file = File::create(input)?;
    if !task.from.is_table_in_text() {
        file.write_all(MARK)?;
    }
    append_utf8(&task.source, facts, &mut file)
}

/// Separator, quotation mark, character set, first line, a format for each column, language
/// [LibreOffice help, "Filter Options for CSV"].
fn table(facts: &TextFacts, cells: Cells) -> String {
    let separator = u32::from(facts.separator.unwrap_or(','));
    let quotation_mark = u32::from('"');
    let format = |column: &u64| match cells {
        Cells::Typed if facts.texts.binary_search(column).is_err() => GENERAL,
        _ => TEXT,
    };
    let columns: Vec<String> = (1..=facts.columns)
        .map(|column| format!("{column}/{}", format(&column)))
        .collect();
    let columns = columns.join("/");
    format!("{separator},{quotation_mark},{UTF_8},1,{columns},{BRITISH},{NOTHING_ELSE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: u64, cells: Cells) -> String {
        let facts = TextFacts {
            encoding: "UTF-8".to_owned(),
            separator: Some(';'),
            columns,
            texts: vec![2],
        };
        filter(Format::Csv, Some(&facts), cells).unwrap()
    }

    #[test]
    fn columns_are_text_where_numbers_would_change() {
        let expected = "59,34,76,1,1/2/2/2/3/2,2057,false,false,false,false,false,0,false";
        assert_eq!(of(3, Cells::AsWritten), expected);
        let expected = "59,34,76,1,1/1/2/2/3/1,2057,false,false,false,false,false,0,false";
        assert_eq!(of(3, Cells::Typed), expected);
    }
}
