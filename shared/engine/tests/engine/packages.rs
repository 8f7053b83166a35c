//! Decompression bombs and other hostile office packages.

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::harness;
use crate::sample_documents::{content_types, package};

/// A workbook of these parts and `[Content_Types].xml`.
fn workbook(parts: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let (name, types) = content_types("xl/workbook.xml", "spreadsheetml.sheet");
    package([(name, types.into_bytes())].into_iter().chain(parts))
}

fn rejected(package: &[u8]) -> Option<JobErrorCode> {
    harness::rejection_code(package, Format::Xlsx)
}

#[test]
fn zip_bombs_are_rejected() {
    let part = |bytes: Vec<u8>| workbook([("xl/media/image1.bin".to_owned(), bytes)]);
    let large = Some(JobErrorCode::InputTooLarge);
    assert_eq!(rejected(&part(vec![0; 20_000_000])), large);
    let parts = (0..10_001).map(|index| (format!("part{index}"), Vec::new()));
    assert_eq!(rejected(&workbook(parts)), large);
}

#[test]
fn sheets_with_a_cell_in_the_last_corner_are_rejected() {
    let sheet = r#"<worksheet><sheetData><row r="1"><c r="A1"/></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>"#;
    let package = workbook([("xl/worksheets/sheet1.xml".to_owned(), sheet.into())]);
    assert_eq!(rejected(&package), Some(JobErrorCode::InputTooLarge));
}

#[test]
fn deep_nesting_and_doctypes_are_rejected() {
    let part = |text: String| workbook([("xl/workbook.xml".to_owned(), text.into_bytes())]);
    assert_eq!(
        rejected(&part("<a>".repeat(300))),
        Some(JobErrorCode::InputTooLarge)
    );
    let entity = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>";
    assert_eq!(
        rejected(&part(entity.to_owned())),
        Some(JobErrorCode::InputCorrupt)
    );
}
