//! Tables that are small as files and large as sheets.

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::documents::{binary_workbook, content_types, package};
use crate::poppler;
use crate::rig::{self, refused};

const LARGE: Option<JobErrorCode> = Some(JobErrorCode::InputTooLarge);

#[test]
fn cells_that_do_not_say_where_they_are_count_where_their_row_is() {
    let (list, types) = content_types("xl/workbook.xml", "spreadsheetml.sheet");
    let sheet = r#"<worksheet><sheetData><row r="1048576"><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>"#;
    let parts = [
        (list.as_str(), types.as_str()),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    assert_eq!(refused(&package(parts), Format::Xlsx), LARGE);
}

#[test]
fn repeated_cells_with_text_count_even_without_a_type() {
    let content = r#"<document-content><body><spreadsheet><table><table-row number-rows-repeated="1048576"><table-cell number-columns-repeated="1024"><p>x</p></table-cell></table-row></table></spreadsheet></body></document-content>"#;
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content),
    ];
    assert_eq!(refused(&package(parts), Format::Ods), LARGE);
}

#[test]
fn a_text_of_more_than_two_million_fields_is_no_table() {
    let line = ",".repeat(999) + "\n";
    assert_eq!(refused(line.repeat(2_000).as_bytes(), Format::Csv), LARGE);
}

#[test]
fn separators_in_quotation_marks_separate_nothing() {
    let line = format!("a,\"{}\"\n", "x,".repeat(1_500));
    let text = line.repeat(3);
    let padding = "1,2\n".repeat(1_400);
    let found = refused((text + &padding).as_bytes(), Format::Csv);
    assert_eq!(found, None);
}

#[test]
fn a_table_wider_than_a_sheet_is_refused_instead_of_cut() {
    let line = |fields: usize| vec!["1"; fields].join(";") + "\n";
    assert_eq!(refused(line(16_385).as_bytes(), Format::Csv), LARGE);
}

#[test]
fn a_binary_workbook_with_a_cell_in_its_last_corner_is_refused() {
    let cell = |row: u16, column: u16| [row, column, 0, 0, 0].map(u16::to_le_bytes).concat();
    let sheet = |last: Vec<u8>| binary_workbook(&[(0x027E, &cell(0, 0)), (0x027E, &last)]);
    assert_eq!(refused(&sheet(cell(65_535, 255)), Format::Xls), LARGE);
    assert_ne!(refused(&sheet(cell(65_535, 0)), Format::Xls), LARGE);
}

#[test]
fn cells_show_exactly_what_the_file_says() {
    let cells = [
        "007",
        "12345678901234567890",
        "2024-01-02",
        "1.50",
        "=1+1",
        "+49 30 1234",
        "TRUE",
        "1e3",
    ];
    for separator in [",", ";", "\t"] {
        let text = format!("{}\n", cells.join(separator)).repeat(3);
        let made = rig::run_bytes(text.as_bytes(), Format::Csv, &[rig::convert(Format::Pdf)]);
        let words = poppler::words(made.unwrap().path()).join(" ");
        for cell in cells {
            assert_eq!(words.matches(cell).count(), 3, "{cell} in {words}");
        }
    }
}

#[test]
fn every_column_of_a_wide_table_is_there_as_it_is_written() {
    let row = (1..=300)
        .map(|column| format!("{column:04}"))
        .collect::<Vec<_>>();
    let text = row.join(",") + "\n";
    let made = rig::run_bytes(text.as_bytes(), Format::Csv, &[rig::convert(Format::Pdf)]);
    let words = poppler::words(made.unwrap().path());
    let missing: Vec<_> = row.iter().filter(|cell| !words.contains(cell)).collect();
    assert_eq!(missing, Vec::<&String>::new());
}
