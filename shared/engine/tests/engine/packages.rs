//! Office packages that are bombs.

use std::io::{Cursor, Write as _};

use domain::format::Format;
use domain::job::JobErrorCode;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::rig;

const TYPES: &str = r#"<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"#;

/// A workbook of these parts, beside the list of content types.
fn workbook(parts: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let types = ("[Content_Types].xml".to_owned(), TYPES.as_bytes().to_vec());
    for (name, bytes) in [types].into_iter().chain(parts) {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn refused(package: &[u8]) -> Option<JobErrorCode> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), package).unwrap();
    rig::code(rig::run(
        file.path(),
        Format::Xlsx,
        &[rig::convert(Format::Pdf)],
    ))
    .err()
}

#[test]
fn a_package_that_inflates_without_measure_is_refused() {
    let part = |bytes: Vec<u8>| workbook([("xl/media/image1.bin".to_owned(), bytes)]);
    let large = Some(JobErrorCode::InputTooLarge);
    assert_eq!(refused(&part(vec![0; 20_000_000])), large);
    let parts = (0..10_001).map(|index| (format!("part{index}"), Vec::new()));
    assert_eq!(refused(&workbook(parts)), large);
}

#[test]
fn a_sheet_with_a_cell_in_its_last_corner_is_refused() {
    let sheet = r#"<worksheet><sheetData><row r="1"><c r="A1"/></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>"#;
    let package = workbook([("xl/worksheets/sheet1.xml".to_owned(), sheet.into())]);
    assert_eq!(refused(&package), Some(JobErrorCode::InputTooLarge));
}

#[test]
fn nesting_and_document_types_are_refused() {
    let part = |text: String| workbook([("xl/workbook.xml".to_owned(), text.into_bytes())]);
    assert_eq!(
        refused(&part("<a>".repeat(300))),
        Some(JobErrorCode::InputTooLarge)
    );
    let entity = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>";
    assert_eq!(
        refused(&part(entity.to_owned())),
        Some(JobErrorCode::InputCorrupt)
    );
}
