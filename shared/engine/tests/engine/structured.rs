//! Conversions of PDF to editable documents: text and structure match the PDF's source.
//!
//! The sources are Word documents with ground-truth structure, converted to PDF by LibreOffice.

use std::path::Path;
use std::process::Command;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::{Value, json};

use crate::sample_documents::{numbered, pdf, stream};
use crate::{corpus, harness};

/// Documents with ground-truth structure.
pub(crate) const KNOWN: [&str; 8] = [
    "01-headings-eng",
    "02-lists-deu",
    "03-tables-eng",
    "04-images-fra",
    "05-report-eng",
    "06-long-eng",
    "07-sections-deu",
    "08-scripts-mul",
];

pub(crate) fn step(to: &str, options: Value) -> Operation {
    let mut item = json!({"operation": "convert", "format": to});
    for (name, value) in options.as_object().unwrap() {
        item[name] = value.clone();
    }
    Operation::read(&item, "$").unwrap_or_else(|fault| panic!("{item}: {fault:?}"))
}

/// Converts a known document to PDF and then to another format.
pub(crate) fn known(name: &str, to: &str, options: Value) -> harness::Converted {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let steps = [harness::convert(Format::Pdf), step(to, options)];
    let result = harness::run(&source, Format::Docx, &steps);
    result.unwrap_or_else(|error| panic!("{name} to {to}: {error:?}"))
}

pub(crate) fn truth(name: &str) -> Vec<Value> {
    let path = corpus::file(&format!("layout-truth/{name}.json"));
    let truth: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    truth["blocks"].as_array().unwrap().clone()
}

/// All blocks of a model, in page order.
pub(crate) fn blocks(model: &Value) -> Vec<Value> {
    let pages = model["pages"].as_array().unwrap().iter();
    pages
        .flat_map(|page| page["blocks"].as_array().unwrap().clone())
        .collect()
}

pub(crate) fn text(runs: &Value) -> String {
    let runs = runs.as_array().unwrap().iter();
    runs.map(|run| run["text"].as_str().unwrap()).collect()
}

/// The rows of a table: the text of every cell, empty where another cell spans.
pub(crate) fn rows(table: &Value) -> Vec<Vec<String>> {
    let columns = table["widths"].as_array().unwrap().len();
    let mut rows = vec![
        vec![String::new(); columns];
        usize::try_from(table["rows"].as_u64().unwrap()).unwrap()
    ];
    for cell in table["cells"].as_array().unwrap() {
        let place = |name: &str| usize::try_from(cell[name].as_u64().unwrap()).unwrap();
        let printed = cell["blocks"].as_array().unwrap().iter();
        let printed: Vec<String> = printed.map(|block| text(&block["runs"])).collect();
        rows[place("row")][place("column")] = printed.join("\n");
    }
    rows
}

pub(crate) fn of_kind<'a>(blocks: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    blocks.iter().filter(move |block| block["type"] == kind)
}

fn model(name: &str) -> Value {
    serde_json::from_slice(&known(name, "json", json!({})).bytes()).unwrap()
}

#[test]
fn headings_lists_and_tables_match_the_source() {
    for name in KNOWN {
        let (found, wanted) = (blocks(&model(name)), truth(name));
        let headings = |blocks: &[Value], read: fn(&Value) -> String| -> Vec<(Value, String)> {
            let headings = of_kind(blocks, "heading");
            headings
                .map(|heading| (heading["level"].clone(), read(heading)))
                .collect()
        };
        assert_eq!(
            headings(&found, |heading| text(&heading["runs"])),
            headings(&wanted, |heading| heading["text"]
                .as_str()
                .unwrap()
                .to_owned()),
            "{name}"
        );
        let tables: Vec<_> = of_kind(&found, "table").map(rows).collect();
        let wanted_tables: Vec<Vec<Vec<String>>> = of_kind(&wanted, "table")
            .map(|table| serde_json::from_value(table["rows"].clone()).unwrap())
            .collect();
        assert_eq!(tables, wanted_tables, "{name}");
        let items = of_kind(&found, "list").flat_map(|list| list["items"].as_array().unwrap());
        let items: Vec<_> = items
            .map(|item| (item["level"].clone(), text(&item["runs"])))
            .collect();
        let wanted_items =
            of_kind(&wanted, "list").flat_map(|list| list["items"].as_array().unwrap());
        let wanted_items: Vec<_> = wanted_items
            .map(|item| {
                (
                    item["level"].clone(),
                    item["text"].as_str().unwrap().to_owned(),
                )
            })
            .collect();
        assert_eq!(items, wanted_items, "{name}");
        assert_eq!(
            of_kind(&found, "image").count(),
            of_kind(&wanted, "image").count(),
            "{name}"
        );
    }
}

/// What a Python library reads in a document.
pub(crate) fn reopened(document: &Path, format: &str) -> Value {
    let own = harness::checkout().join(".octavo/venv/tests/bin/python");
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, Into::into);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/reopen.py");
    let output = Command::new(python)
        .arg(script)
        .arg(document)
        .arg(format)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_format_contains_every_word() {
    for to in ["docx", "pptx", "html", "md", "json"] {
        let result = known("05-report-eng", to, json!({}));
        let read = reopened(result.path(), to);
        let text = read["text"].as_str().unwrap();
        let parts = if matches!(to, "pptx" | "json") { 3 } else { 1 };
        assert_eq!(read["parts"], parts, "{to}");
        assert_eq!(result.artifact.pages, parts, "{to}");
        for words in [
            "Summary",
            "bridge 6 needs a new handrail.",
            "Repaint the arches",
            "Span (m)",
            "22.1",
            "920, both without labour.",
        ] {
            assert!(text.contains(words), "{to}: {words} is not in {text}");
        }
        let expected: &[&str] = match to {
            "md" => &["picture_missing"],
            _ => &[],
        };
        assert_eq!(result.warnings(), expected, "{to}");
    }
}

#[test]
fn tables_become_sheets_and_csv() {
    let csv = |options| {
        let result = known("03-tables-eng", "csv", options);
        String::from_utf8(result.bytes()).unwrap()
    };
    let (first, third) = (
        "Line,Departure,Arrival,Price\r\nA,07:15,08:02,4.20\r\nB,09:40,10:55,6.80\r\nC,18:05,18:49,4.20\r\n",
        "Lifeboats,4\r\nCrew,11\r\n",
    );
    assert_eq!(csv(json!({"table": 1})), first);
    assert_eq!(csv(json!({"table": 3})), third);
    let all = csv(json!({}));
    assert!(all.starts_with(&format!("{first}\r\n")), "{all}");
    assert!(all.ends_with(&format!("\r\n{third}")), "{all}");

    let book = known("03-tables-eng", "xlsx", json!({}));
    let read = reopened(book.path(), "xlsx");
    assert_eq!((&read["parts"], book.artifact.pages), (&json!(3), 3));
    assert!(
        read["text"]
            .as_str()
            .unwrap()
            .contains("Lifeboats 4 Crew 11")
    );
}

#[test]
fn missing_tables_fail_with_a_code() {
    for (name, options) in [
        ("01-headings-eng", json!({})),
        ("03-tables-eng", json!({"table": 4})),
    ] {
        let source = corpus::file(&format!("layout-truth/{name}.docx"));
        let steps = [harness::convert(Format::Pdf), step("csv", options.clone())];
        let finished = harness::code(harness::run(&source, Format::Docx, &steps));
        assert_eq!(
            finished.err(),
            Some(JobErrorCode::OutputInvalid),
            "{options}"
        );
    }
}

#[test]
fn pictures_are_kept_or_dropped_as_requested() {
    assert_pictures_are_optional(|options| known("04-images-fra", "html", options));
}

/// Asserts that the web page has the document's three known pictures, and none on request.
pub(crate) fn assert_pictures_are_optional(result: impl Fn(Value) -> harness::Converted) {
    let page = |options| String::from_utf8(result(options).bytes()).unwrap();
    let kept = page(json!({}));
    assert_eq!(kept.matches("<img ").count(), 3);
    assert_eq!(kept.matches("src=\"data:image/").count(), 3);
    assert!(kept.contains("alt=\"bande large\""), "{kept}");
    let dropped = page(json!({"images": "drop"}));
    assert_eq!(dropped.matches("<img ").count(), 0);
    assert!(dropped.contains("La troisième est haute."), "{dropped}");
}

#[test]
fn only_selected_pages_are_converted() {
    let result = harness::run_bytes(
        &numbered("Leaf", 12),
        Format::Pdf,
        &[step("json", json!({"pages": "3,10-11"}))],
    )
    .unwrap();
    let model: Value = serde_json::from_slice(&result.bytes()).unwrap();
    let pages = model["pages"].as_array().unwrap().iter();
    let numbers: Vec<_> = pages.map(|page| page["number"].as_u64().unwrap()).collect();
    assert_eq!((numbers, result.artifact.pages), (vec![3, 10, 11], 3));
    assert_eq!(result.progress.last(), Some(&100));
}

/// A page of text and a page with a rectangle.
fn text_and_drawing() -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 300 300]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>".to_vec(),
        stream("", b"BT /F 24 Tf 20 100 Td (words) Tj ET"),
        b"<</Type/Page/Parent 2 0 R/Contents 6 0 R>>".to_vec(),
        stream("", b"50 50 200 200 re f"),
    ])
}

#[test]
fn pages_without_text_get_a_warning() {
    for to in ["docx", "xlsx", "pptx", "html", "md", "json", "txt"] {
        let steps = [step(to, json!({}))];
        let result = harness::run_bytes(&text_and_drawing(), Format::Pdf, &steps).unwrap();
        assert_eq!(result.warnings(), ["no_text_layer"], "{to}");
    }
}

#[test]
fn results_without_content_fail() {
    let convert = |to: &str, options| {
        let result = harness::run_bytes(&text_and_drawing(), Format::Pdf, &[step(to, options)]);
        harness::code(result).err()
    };
    for to in ["docx", "xlsx", "pptx", "html", "md", "json", "txt", "csv"] {
        let code = convert(to, json!({"pages": "2"}));
        assert_eq!(code, Some(JobErrorCode::OutputInvalid), "{to}");
    }
    // A fixed layout keeps the rectangle, but text has none.
    for to in ["docx", "pptx", "html"] {
        assert_eq!(
            convert(to, json!({"pages": "2", "mode": "layout"})),
            None,
            "{to}"
        );
    }
    let code = convert("txt", json!({"pages": "2", "mode": "layout"}));
    assert_eq!(code, Some(JobErrorCode::OutputInvalid));
    let blank = pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>",
    ]);
    for (to, mode) in [("docx", "layout"), ("docx", "flow"), ("txt", "flow")] {
        let steps = [step(to, json!({"mode": mode}))];
        let code = harness::code(harness::run_bytes(&blank, Format::Pdf, &steps)).err();
        assert_eq!(code, Some(JobErrorCode::OutputInvalid), "{to} {mode}");
    }
}

/// The message of the error of a conversion.
fn failure(source: &[u8], from: Format, to: &str, options: Value) -> String {
    match harness::run_bytes(source, from, &[step(to, options)]) {
        Err(engine::EngineError::Document(error)) => error.message,
        other => panic!("{to}: {:?}", other.map(|result| result.artifact)),
    }
}

#[test]
fn errors_about_missing_text_say_what_helps() {
    let gray = image::GrayImage::from_fn(400, 300, |x, _| image::Luma([(x / 2) as u8]));
    let mut picture = std::io::Cursor::new(Vec::new());
    gray.write_to(&mut picture, image::ImageFormat::Png)
        .unwrap();
    let message = failure(picture.get_ref(), Format::Png, "txt", json!({}));
    assert!(message.contains("OCR recognized no text"), "{message}");
    let message = failure(
        picture.get_ref(),
        Format::Png,
        "docx",
        json!({"images": "drop"}),
    );
    assert!(message.contains("Set `images` to `embed`"), "{message}");
    let scan = harness::run_bytes(
        picture.get_ref(),
        Format::Png,
        &[harness::convert(Format::Pdf)],
    );
    let scan = scan.unwrap().bytes();
    let message = failure(
        &text_and_drawing(),
        Format::Pdf,
        "docx",
        json!({"pages": "2"}),
    );
    assert!(message.contains("Set `mode` to `layout`"), "{message}");
    let message = failure(&scan, Format::Pdf, "txt", json!({"ocr": "off"}));
    assert!(message.contains("Set `ocr` to `auto`"), "{message}");
}

#[test]
fn output_is_deterministic() {
    for to in ["docx", "xlsx", "pptx", "html", "md", "csv", "json"] {
        let [one, other] = [(); 2].map(|()| known("03-tables-eng", to, json!({})).bytes());
        assert!(one == other, "{to}");
    }
}
