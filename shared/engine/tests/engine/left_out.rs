//! Warnings about text that a conversion leaves out on purpose, and about results whose content was not compared.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation, PageRanges, TableNumber};
use engine::EngineError;
use serde_json::{Map, Value, json};

use crate::harness::{self, Converted};
use crate::office_content::content;
use crate::sample_documents::{sheets, with_part};
use crate::{corpus, poppler};

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
    let workbook = sheets(&[("words", false), ("secret", true)], 0);
    let result = convert(&workbook, Format::Xlsx, Format::Csv);
    assert_eq!(count(&result, "hidden_left_out"), Some(json!(1)));
}

#[test]
fn an_active_sheet_without_content_fails() {
    let code = |workbook: &[u8], to| {
        let result = harness::run_bytes(workbook, Format::Xlsx, &[harness::convert(to)]);
        harness::code(result).map(|result| result.bytes())
    };
    let invalid = Some(JobErrorCode::OutputInvalid);
    let two = |in_front| sheets(&[("words", false), ("", false)], in_front);
    for to in [Format::Csv, Format::Tsv] {
        assert_eq!(code(&two(0), to), Ok(b"words\n".to_vec()), "{to}");
        assert_eq!(code(&two(1), to).err(), invalid, "{to}");
        let empty = sheets(&[("", false)], 0);
        assert_eq!(code(&empty, to).err(), invalid, "{to}");
    }
    let steps = [harness::convert(Format::Csv)];
    match harness::run_bytes(&two(1), Format::Xlsx, &steps) {
        Err(EngineError::Document(error)) => {
            assert!(error.message.contains("another sheet"), "{}", error.message);
        }
        other => panic!("{:?}", other.map(|result| result.artifact)),
    }
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

#[test]
fn notes_of_markdown_are_complete() {
    let page = "Text with a note[^1] and one more[^long].\n\n[^1]: First note words.\n\n[^long]: Second note\n    with two lines.\n\nThe end.\n";
    for to in [Format::Docx, Format::Html, Format::Txt, Format::Pdf] {
        let result = convert(page.as_bytes(), Format::Markdown, to);
        assert_eq!(result.warnings(), [""; 0], "{to}");
        let text = match to {
            Format::Pdf => poppler::texts(result.path()).concat(),
            _ => content(result.path()),
        };
        assert!(
            ["First note words", "Second note", "two lines"]
                .iter()
                .all(|words| text.contains(words))
                && !text.contains("[^"),
            "{to}: {text}"
        );
    }
}

#[test]
fn cells_beyond_the_header_of_a_markdown_table_are_missing() {
    let page = "| A | B |\n|---|---|\n| one | two | three |\n";
    for to in [Format::Pdf, Format::Docx] {
        let result = convert(page.as_bytes(), Format::Markdown, to);
        let missing = data(&result, "content_missing").map(|data| data["missing"].clone());
        assert_eq!(missing, Some(json!(1)), "{to}");
    }
}

#[test]
fn images_in_urls_are_kept_or_counted() {
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20'/></svg>";
    let image = |data: &str| format!("<p>text<img src=\"data:image/{data}\">");
    let missing = |page: &str| {
        let result = convert(page.as_bytes(), Format::Html, Format::Docx);
        assert!(!result.warnings().contains(&"content_missing"), "{page}");
        count(&result, "picture_missing")
    };
    assert_eq!(missing(&image(&format!("svg+xml;utf8,{drawing}"))), None);
    assert_eq!(
        missing(&image(
            "svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"
        )),
        None
    );
    assert_eq!(missing(&image("png;base64,!")), Some(json!(1)));
    assert_eq!(missing("<p>text<img src='data:,'>"), None);
    let both = format!(
        "{}{drawing}<svg aria-hidden=true></svg>",
        image("png;base64,")
    );
    assert_eq!(missing(&both), Some(json!(2)));
}

#[test]
fn words_of_hidden_shapes_are_counted_with_their_slides() {
    let page = convert(b"<p>visible words here", Format::Html, Format::Pdf).bytes();
    let slides = convert(&page, Format::Pdf, Format::Pptx).bytes();
    let hidden = with_part(&slides, "ppt/slides/slide1.xml", |slide| {
        let (before, shapes) = slide.split_once("<p:sp>").unwrap();
        let shapes = shapes.replace("<p:cNvPr ", "<p:cNvPr hidden=\"1\" ");
        format!("{before}<p:sp>{shapes}")
    });
    let odp = convert(&hidden, Format::Pptx, Format::Odp);
    assert_eq!(data(&odp, "hidden_left_out"), None);
    for (source, from) in [(hidden, Format::Pptx), (odp.bytes(), Format::Odp)] {
        let result = convert(&source, from, Format::Pdf);
        assert_eq!(data(&result, "content_missing"), None, "{from}");
        let found = data(&result, "hidden_left_out").map(Value::Object);
        assert_eq!(
            found,
            Some(json!({"count": 3, "images": 0, "slides": [1]})),
            "{from}"
        );
    }
}

#[test]
fn text_beyond_the_edges_of_a_slide_is_hidden() {
    let page = convert(b"<p>visible words here", Format::Html, Format::Pdf).bytes();
    let slides = convert(&page, Format::Pdf, Format::Pptx).bytes();
    // The height of the slide (11 inches) in EMU.
    const HEIGHT: i64 = 11 * 914_400;
    let odp = |slides: &[u8]| convert(slides, Format::Pptx, Format::Odp).bytes();
    let hidden = |source: &[u8], from: Format| {
        let result = convert(source, from, Format::Pdf);
        assert_eq!(count(&result, "content_missing"), None, "{from}");
        count(&result, "hidden_left_out")
    };
    // Partly and wholly below the slide.
    for top in [HEIGHT - 12_700, HEIGHT + 127_000] {
        let moved = with_part(&slides, "ppt/slides/slide1.xml", |slide| {
            let (before, shapes) = slide.split_once("<p:sp>").unwrap();
            let moved = shapes
                .split("<a:off x=\"")
                .enumerate()
                .map(|(index, part)| match part.split_once("\" y=\"") {
                    Some((left, rest)) if index > 0 => {
                        let (_, rest) = rest.split_once('"').unwrap();
                        format!("<a:off x=\"{left}\" y=\"{top}\"{rest}")
                    }
                    _ => part.to_owned(),
                });
            format!("{before}<p:sp>{}", moved.collect::<String>())
        });
        let expected = Some(json!(3));
        assert_eq!(hidden(&moved, Format::Pptx), expected, "{top}");
        assert_eq!(hidden(&odp(&moved), Format::Odp), expected, "{top}");
    }
}
