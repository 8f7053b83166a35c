//! Tables that are small as files and large as sheets.

use std::io::{Cursor, Write as _};

use domain::format::Format;
use domain::job::JobErrorCode;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::rig;

fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn refused(bytes: &[u8], claimed: Format) -> Option<JobErrorCode> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let steps = [rig::convert(Format::Pdf)];
    rig::code(rig::run(file.path(), claimed, &steps)).err()
}

const LARGE: Option<JobErrorCode> = Some(JobErrorCode::InputTooLarge);

#[test]
fn cells_that_do_not_say_where_they_are_count_where_their_row_is() {
    let types = r#"<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"#;
    let sheet = r#"<worksheet><sheetData><row r="1048576"><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>"#;
    let parts = [
        ("[Content_Types].xml", types),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    assert_eq!(refused(&package(&parts), Format::Xlsx), LARGE);
}

#[test]
fn repeated_cells_with_text_count_even_without_a_type() {
    let content = r#"<document-content><body><spreadsheet><table><table-row number-rows-repeated="1048576"><table-cell number-columns-repeated="1024"><p>x</p></table-cell></table-row></table></spreadsheet></body></document-content>"#;
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content),
    ];
    assert_eq!(refused(&package(&parts), Format::Ods), LARGE);
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
