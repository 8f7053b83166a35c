//! Output of the text writers for a sample document, byte by byte.

use std::path::Path;

use layout::Page;
use layout::writers::{
    NoPictures, Result, TableSelection, WriteReport, Writer, csv, html, json, markdown, text,
};

use crate::document::{OnePicture, chapters, facts, marked, rich};

/// Writes pages with the writer that `make` creates.
pub(crate) fn written<'a>(
    pages: Vec<Page>,
    make: impl FnOnce(&'a mut Vec<u8>) -> Result<Box<dyn Writer + 'a>>,
    output: &'a mut Vec<u8>,
) -> WriteReport {
    let mut writer = make(output).unwrap();
    for page in pages {
        writer.page(page).unwrap();
    }
    writer.finish().unwrap()
}

/// Compares with `golden/<name>`, or writes the file if OCTAVO_GOLDEN is `write`.
pub(crate) fn compare(name: &str, made: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/write/golden")
        .join(name);
    if std::env::var("OCTAVO_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&path, made).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected.as_bytes() == made,
        "{name} is now:\n{}",
        String::from_utf8_lossy(made)
    );
}

#[test]
fn text_matches_its_golden_file() {
    let mut made = Vec::new();
    let report = written(rich(), text, &mut made);
    compare("rich.txt", &made);
    assert_eq!((report.pages, report.tables), (4, 3));
}

#[test]
fn markdown_matches_its_golden_file() {
    let mut made = Vec::new();
    let report = written(
        rich(),
        |output| markdown(output, &facts(), &NoPictures),
        &mut made,
    );
    compare("rich.md", &made);
    assert_eq!((report.pages, report.tables), (4, 2));
}

#[test]
fn html_matches_its_golden_file() {
    let mut made = Vec::new();
    written(
        rich(),
        |output| html(output, &facts(), &OnePicture),
        &mut made,
    );
    compare("rich.html", &made);
}

#[test]
fn quotations_tasks_and_code_match_their_golden_files() {
    let mut made = Vec::new();
    written(marked(), text, &mut made);
    compare("marked.txt", &made);
    let mut made = Vec::new();
    written(
        marked(),
        |output| markdown(output, &facts(), &NoPictures),
        &mut made,
    );
    compare("marked.md", &made);
    let mut made = Vec::new();
    written(
        marked(),
        |output| html(output, &facts(), &OnePicture),
        &mut made,
    );
    compare("marked.html", &made);
    let mut made = Vec::new();
    written(
        marked(),
        |output| json(output, &facts(), &OnePicture),
        &mut made,
    );
    compare("marked.json", &made);
    let read: serde_json::Value = serde_json::from_slice(&made).unwrap();
    let pages: Vec<Page> = serde_json::from_value(read["pages"].clone()).unwrap();
    assert_eq!(pages, marked());
}

#[test]
fn json_is_the_model() {
    let mut made = Vec::new();
    written(
        rich(),
        |output| json(output, &facts(), &OnePicture),
        &mut made,
    );
    compare("rich.json", &made);
    let read: serde_json::Value = serde_json::from_slice(&made).unwrap();
    let pages: Vec<Page> = serde_json::from_value(read["pages"].clone()).unwrap();
    assert_eq!(pages, rich());
    assert_eq!(read["images"][1], serde_json::Value::Null);
}

#[test]
fn csv_matches_its_golden_file() {
    let mut made = Vec::new();
    written(rich(), |output| csv(output, TableSelection::All), &mut made);
    compare("rich.csv", &made);
}

#[test]
fn csv_of_one_table_contains_no_other() {
    let (mut second, mut third) = (Vec::new(), Vec::new());
    let report = written(
        rich(),
        |output| csv(output, TableSelection::Only(2)),
        &mut second,
    );
    let rows =
        "Name,Amount\r\nAnt,\"1,234.50\"\r\n=Bee,0042\r\n\"Cat, \"\"big\"\"\",2024-03-05\r\n";
    assert_eq!((report.tables, second.as_slice()), (1, rows.as_bytes()));
    let report = written(
        rich(),
        |output| csv(output, TableSelection::Only(3)),
        &mut third,
    );
    assert_eq!((report.tables, third.as_slice()), (0, b"".as_slice()));
}

#[test]
fn documents_without_pages_are_documents() {
    let mut made = Vec::new();
    written(
        Vec::new(),
        |output| json(output, &facts(), &OnePicture),
        &mut made,
    );
    let read: serde_json::Value = serde_json::from_slice(&made).unwrap();
    assert_eq!(read["pages"], serde_json::json!([]));
    let mut made = Vec::new();
    written(
        Vec::new(),
        |output| html(output, &facts(), &OnePicture),
        &mut made,
    );
    assert!(
        String::from_utf8(made)
            .unwrap()
            .ends_with("<main>\n</main>\n</body>\n</html>\n")
    );
}

#[test]
fn each_different_header_and_footer_is_written_once_between_blocks() {
    let mut made = Vec::new();
    written(
        chapters(),
        |output| markdown(output, &facts(), &NoPictures),
        &mut made,
    );
    compare("chapters.md", &made);
    let mut made = Vec::new();
    written(
        chapters(),
        |output| html(output, &facts(), &NoPictures),
        &mut made,
    );
    compare("chapters.html", &made);
}
