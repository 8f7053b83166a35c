//! How LibreOffice is to read plain text and tables in text: as UTF-8, and as what is written there.

use domain::format::Format;

use crate::task::TextFacts;

/// UTF-8 among LibreOffice's character sets.
const UTF_8: u32 = 76;
/// British English among Microsoft's identifiers of languages.
const BRITISH: u32 = 2057;
/// A column whose cells are text: nothing becomes a number, a date or a formula.
const TEXT: u32 = 2;

/// The argument that says how the source is to be read, if it is text.
pub(super) fn input_filter(from: Format, facts: Option<&TextFacts>) -> Option<String> {
    match from {
        Format::Csv => facts.map(table),
        Format::Txt => Some("--infilter=Text (encoded):UTF8,LF,Liberation Mono,en-GB".to_owned()),
        _ => None,
    }
}

/// Separator, quotation mark, character set, first line, a format for each column, language
/// [LibreOffice help, "Filter Options for CSV"].
fn table(facts: &TextFacts) -> String {
    let separator = u32::from(facts.separator.unwrap_or(','));
    let quotation_mark = u32::from('"');
    let columns: Vec<String> = (1..=facts.columns)
        .map(|column| format!("{column}/{TEXT}"))
        .collect();
    let columns = columns.join("/");
    format!(
        "--infilter=Text - txt - csv (StarCalc):{separator},{quotation_mark},{UTF_8},1,{columns},{BRITISH}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: u64) -> String {
        let facts = TextFacts {
            encoding: "UTF-8".to_owned(),
            separator: Some(';'),
            columns,
        };
        input_filter(Format::Csv, Some(&facts)).unwrap()
    }

    #[test]
    fn every_column_is_text() {
        let expected = "--infilter=Text - txt - csv (StarCalc):59,34,76,1,1/2/2/2/3/2,2057";
        assert_eq!(of(3), expected);
    }

    #[test]
    fn the_widest_table_still_makes_an_argument_that_the_kernel_takes() {
        assert!(of(16_384).len() < 128 * 1024);
    }
}
