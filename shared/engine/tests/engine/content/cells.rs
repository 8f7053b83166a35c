//! Mutations of single cells.

use domain::format::Format;

use super::{Change, Family, binary_sources, check_sample};

/// Rows of a table without a text and a number, which the changed ones have.
const ROWS: [&str; 4] = [
    "Island,Harbour,Passengers,Freight",
    "Juist town,northern pier,1204,88.5",
    "Baltrum village,,,12.25",
    "Norderney beach,eastern quay,5520,610.75",
];
const WITH_TEXT: &str = "Baltrum village,southern mole,,12.25";
const WITH_NUMBER: &str = "Baltrum village,,847,12.25";

/// Formats of results that have cells or text.
const TARGETS: [Format; 7] = [
    Format::Xlsx,
    Format::Ods,
    Format::Csv,
    Format::Tsv,
    Format::Html,
    Format::Markdown,
    Format::Json,
];

/// A table in a format of text.
fn table(rows: [&str; 4], format: Format) -> Vec<u8> {
    let row = |row: &str| format!("<tr><td>{}</tr>", row.replace(',', "<td>"));
    let line = |row: &str| format!("|{}|\n", row.replace(',', "|"));
    match format {
        Format::Html => format!("<table border=1>{}</table>", rows.map(row).concat()).into(),
        Format::Markdown => {
            let [header, rest @ ..] = rows.map(line);
            format!("{header}|---|---|---|---|\n{}", rest.concat()).into()
        }
        _ => binary_sources::table(&rows.map(|row| format!("{row}\n")).concat(), format),
    }
}

#[test]
fn a_cell_that_a_result_misses_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let family = |format| {
        let with = |row: &'static str| {
            let [header, first, _, last] = ROWS;
            table([header, first, row, last], format)
        };
        let changed = [
            (Change::Cell, with(WITH_TEXT)),
            (Change::Number, with(WITH_NUMBER)),
        ];
        Family::written(directory.path(), format, table(ROWS, format), &changed)
    };
    let page = family(Format::Html);
    let pages = page.converted(Format::Pdf);
    let mut families = page.chain(&[Format::Docx, Format::Odt, Format::Rtf]);
    families.extend(pages.chain(&[Format::Pptx, Format::Odp]));
    let workbooks = family(Format::Csv).chain(&[Format::Xlsx, Format::Ods]);
    families.push(workbooks[1].saved(Format::Xls));
    families.extend(workbooks);
    families.extend([Format::Xlsb, Format::Tsv, Format::Markdown].map(family));
    check_sample(0, &families, |change, from, to, found| {
        let is_text = !matches!(to, Format::Xlsx | Format::Ods | Format::Csv | Format::Tsv);
        let has_typed_cells = matches!(
            from,
            Format::Xlsx | Format::Ods | Format::Xls | Format::Xlsb
        );
        match change {
            _ if !TARGETS.contains(&to) || from == Format::Pdf => None,
            Change::Cell => Some(found.words == 2),
            _ if is_text && has_typed_cells => None,
            _ => Some(found.words + found.numbers == 1),
        }
    });
}
