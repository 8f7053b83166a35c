//! Import options for plain text and CSV/TSV: UTF-8, without conversion of values.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use domain::format::Format;
use inspect::append_utf8;
use task::{Task, TaskResult, TextProperties};

/// LibreOffice's number of the character set UTF-8.
const UTF_8: u32 = 76;
/// Language identifier (LCID) of British English.
const ENGLISH_UK: u32 = 2057;
/// Further tokens: quoted fields are not forced to text, no detection of special numbers such as dates, three export
/// settings, spaces are kept, no sheet selection, formulas are not evaluated.
const FURTHER_TOKENS: &str = "false,false,false,false,false,0,false";
/// Column formats: text, and general (detected by value).
const TEXT: u32 = 2;
const GENERAL: u32 = 1;

/// Byte order mark, by which LibreOffice detects UTF-8 in plain text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How the cells of a CSV or TSV are imported.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Cells {
    /// As text: no numbers, dates or formulas.
    AsWritten,
    /// As numbers in columns where every value keeps its spelling; no dates or formulas.
    Typed,
}

/// Options of the import filter, if the source is CSV or TSV.
pub(super) fn filter(
    from: Format,
    properties: Option<&TextProperties>,
    cells: Cells,
) -> Option<String> {
    let properties = properties.filter(|_| from.is_delimited_text());
    properties.map(|properties| table(properties, cells))
}

/// Writes a text as UTF-8, so that LibreOffice does not guess its encoding.
pub(super) fn write_as_utf8(
    task: &Task,
    properties: &TextProperties,
    input: &Path,
) -> TaskResult<()> {
    let mut file = File::create(input)?;
    if !task.from.is_delimited_text() {
        file.write_all(BYTE_ORDER_MARK)?;
    }
    append_utf8(&task.source, properties, &mut file)
}

/// Returns the filter tokens: separator, quotation mark, character set, first line, a format for each column, language
/// [LibreOffice help, "Filter Options for CSV"].
fn table(properties: &TextProperties, cells: Cells) -> String {
    let separator = u32::from(properties.separator.unwrap_or(','));
    let quotation_mark = u32::from('"');
    let format = |column: &u64| match cells {
        Cells::Typed if properties.text_columns.binary_search(column).is_err() => GENERAL,
        _ => TEXT,
    };
    let columns: Vec<String> = (1..=properties.columns)
        .map(|column| format!("{column}/{}", format(&column)))
        .collect();
    let columns = columns.join("/");
    format!("{separator},{quotation_mark},{UTF_8},1,{columns},{ENGLISH_UK},{FURTHER_TOKENS}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: u64, cells: Cells) -> String {
        let properties = TextProperties {
            encoding: "UTF-8".to_owned(),
            separator: Some(';'),
            columns,
            text_columns: vec![2],
        };
        filter(Format::Csv, Some(&properties), cells).unwrap()
    }

    #[test]
    fn columns_are_text_where_numbers_would_change() {
        let expected = "59,34,76,1,1/2/2/2/3/2,2057,false,false,false,false,false,0,false";
        assert_eq!(of(3, Cells::AsWritten), expected);
        let expected = "59,34,76,1,1/1/2/2/3/1,2057,false,false,false,false,false,0,false";
        assert_eq!(of(3, Cells::Typed), expected);
    }
}
