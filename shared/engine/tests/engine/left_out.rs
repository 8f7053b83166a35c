//! Warnings about text that a conversion leaves out on purpose, and about results whose content was not compared.

use domain::format::Format;
use domain::operation::{ConvertOptions, Operation, PageRanges, TableNumber};
use serde_json::{Map, Value, json};

use crate::corpus;
use crate::harness::{self, Converted};
use crate::sample_documents::with_part;

/// Five words outside of two tables.
const PAGE: &str = "<h1>Ferries</h1><p>Boats leave at noon.</p>\
    <table border=1><tr><td>Island</td><td>Passengers</td></tr><tr><td>Juist</td><td>1204</td></tr></table>\
    <table border=1><tr><td>Pier</td></tr><tr><td>North</td></tr></table>";

fn convert(source: &[u8], from: Format, to: Format) -> Converted {
    harness::run_bytes(source, from, &[harness::convert(to)]).unwrap()
}

/// The data of a warning.
fn data(result: &Converted, code: &str) -> Option<Map<String, Value>> {
    let mut warnings = result.artifact.warnings.iter();
    let found = warnings.find(|warning| warning.code == code);
    found.map(|warning| warning.data.clone())
}

fn count(result: &Converted, code: &str) -> Option<Value> {
    data(result, code).map(|data| data["count"].clone())
}

#[test]
fn words_outside_tables_are_counted() {
    let page = PAGE.as_bytes();
    let docx = convert(page, Format::Html, Format::Docx).bytes();
    let pdf = convert(page, Format::Html, Format::Pdf).bytes();
    let cases = [
        (page, Format::Html),
        (&docx, Format::Docx),
        (&pdf, Format::Pdf),
    ];
    for (source, from) in cases {
        for to in [Format::Xlsx, Format::Csv] {
            let result = convert(source, from, to);
            let words = count(&result, "text_outside_tables");
            assert_eq!(words, Some(json!(5)), "{from} to {to}");
            assert!(!result.warnings().contains(&"content_missing"));
        }
        let complete = convert(source, from, Format::Markdown);
        assert_eq!(count(&complete, "text_outside_tables"), None, "{from}");
    }
}

#[test]
fn sheets_other_than_the_active_one_are_counted() {
    let workbook = convert(PAGE.as_bytes(), Format::Html, Format::Xlsx).bytes();
    let result = convert(&workbook, Format::Xlsx, Format::Csv);
    assert_eq!(count(&result, "sheets_left_out"), Some(json!(1)));
    let result = convert(&workbook, Format::Xlsx, Format::Ods);
    assert_eq!(count(&result, "sheets_left_out"), None);
}

#[test]
fn charts_that_csv_cannot_contain_are_counted() {
    let workbook = std::fs::read(corpus::file("xlsx/WithThreeCharts.xlsx")).unwrap();
    let workbook = with_part(&workbook, "xl/workbook.xml", |part| {
        part.replace("<workbookView ", "<workbookView activeTab=\"1\" ")
    });
    let result = convert(&workbook, Format::Xlsx, Format::Csv);
    assert_eq!(count(&result, "chart_left_out"), Some(json!(2)));
}

#[test]
fn a_result_that_cannot_be_compared_says_why() {
    let to = |format, pages: Option<&str>, table: Option<i64>| ConvertOptions {
        pages: pages.and_then(|pages| PageRanges::try_from(pages.to_owned()).ok()),
        table: table.and_then(|table| TableNumber::try_from(table).ok()),
        ..ConvertOptions::to(format)
    };
    let cases = [
        (to(Format::Pdf, Some("1"), None), Some(json!("pages"))),
        (to(Format::Csv, None, Some(2)), Some(json!("table"))),
        (to(Format::Csv, None, None), None),
    ];
    for (options, expected) in cases {
        let format = options.format;
        let steps = [Operation::Convert(options)];
        let result = harness::run_bytes(PAGE.as_bytes(), Format::Html, &steps).unwrap();
        let reason = data(&result, "content_not_verified").map(|data| data["reason"].clone());
        assert_eq!(reason, expected, "{format}");
    }
}
