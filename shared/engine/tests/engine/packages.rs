//! Office packages that are bombs.

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::documents::{content_types, package};
use crate::rig;

/// A workbook of these parts, beside the list of content types.
fn workbook(parts: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let (name, types) = content_types("xl/workbook.xml", "spreadsheetml.sheet");
    package([(name, types.into_bytes())].into_iter().chain(parts))
}

fn refused(package: &[u8]) -> Option<JobErrorCode> {
    rig::refused(package, Format::Xlsx)
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
