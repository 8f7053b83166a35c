//! Tables that are small files but large sheets.

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::harness::{self, rejection_code};
use crate::poppler;
use crate::sample_documents::{binary_workbook, content_types, package};

const LARGE: Option<JobErrorCode> = Some(JobErrorCode::InputTooLarge);

#[test]
fn cells_without_a_reference_count_by_their_row() {
    let (list, types) = content_types("xl/workbook.xml", "spreadsheetml.sheet");
    let sheet = r#"<worksheet><sheetData><row r="1048576"><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>"#;
    let parts = [
        (list.as_str(), types.as_str()),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    assert_eq!(rejection_code(&package(parts), Format::Xlsx), LARGE);
}

#[test]
fn untyped_repeated_cells_count() {
    let content = r#"<document-content><body><spreadsheet><table><table-row number-rows-repeated="1048576"><table-cell number-columns-repeated="1024"><p>x</p></table-cell></table-row></table></spreadsheet></body></document-content>"#;
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content),
    ];
    assert_eq!(rejection_code(&package(parts), Format::Ods), LARGE);
}

#[test]
fn csv_above_two_million_fields_is_rejected() {
    let line = ",".repeat(999) + "\n";
    assert_eq!(
        rejection_code(line.repeat(2_000).as_bytes(), Format::Csv),
        LARGE
    );
}

#[test]
fn quoted_separators_do_not_count() {
    let line = format!("a,\"{}\"\n", "x,".repeat(1_500));
    let text = line.repeat(3);
    let padding = "1,2\n".repeat(1_400);
    let found = rejection_code((text + &padding).as_bytes(), Format::Csv);
    assert_eq!(found, None);
}

#[test]
fn tables_wider_than_a_sheet_are_rejected() {
    let line = |fields: usize| vec!["1"; fields].join(";") + "\n";
    assert_eq!(rejection_code(line(16_385).as_bytes(), Format::Csv), LARGE);
}

#[test]
fn xls_with_a_cell_in_the_last_corner_is_rejected() {
    let cell = |row: u16, column: u16| [row, column, 0, 0, 0].map(u16::to_le_bytes).concat();
    let sheet = |last: Vec<u8>| binary_workbook(&[(0x027E, &cell(0, 0)), (0x027E, &last)]);
    assert_eq!(
        rejection_code(&sheet(cell(65_535, 255)), Format::Xls),
        LARGE
    );
    assert_ne!(rejection_code(&sheet(cell(65_535, 0)), Format::Xls), LARGE);
}

#[test]
fn csv_cells_keep_their_text() {
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
        let result = harness::run_bytes(
            text.as_bytes(),
            Format::Csv,
            &[harness::convert(Format::Pdf)],
        );
        let words = poppler::words(result.unwrap().path()).join(" ");
        for cell in cells {
            assert_eq!(words.matches(cell).count(), 3, "{cell} in {words}");
        }
    }
}

#[test]
fn wide_tables_keep_every_column() {
    let row = (1..=300)
        .map(|column| format!("{column:04}"))
        .collect::<Vec<_>>();
    let text = row.join(",") + "\n";
    let result = harness::run_bytes(
        text.as_bytes(),
        Format::Csv,
        &[harness::convert(Format::Pdf)],
    );
    let words = poppler::words(result.unwrap().path());
    let missing: Vec<_> = row.iter().filter(|cell| !words.contains(cell)).collect();
    assert_eq!(missing, Vec::<&String>::new());
}
