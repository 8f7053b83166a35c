//! PDF becomes documents that can be worked on: what they say, and how they are built, is what their source says.
//!
//! The sources are known: Word documents with their structure beside them, made PDF by LibreOffice.

use std::path::Path;
use std::process::Command;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::{Value, json};

use crate::documents::{numbered, pdf, stream};
use crate::{corpus, rig};

/// Documents whose structure is known.
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

/// What becomes of a known document that is made PDF first.
pub(crate) fn known(name: &str, to: &str, options: Value) -> rig::Made {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let steps = [rig::convert(Format::Pdf), step(to, options)];
    let made = rig::run(&source, Format::Docx, &steps);
    made.unwrap_or_else(|error| panic!("{name} to {to}: {error:?}"))
}

pub(crate) fn truth(name: &str) -> Vec<Value> {
    let path = corpus::file(&format!("layout-truth/{name}.json"));
    let truth: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    truth["blocks"].as_array().unwrap().clone()
}

/// All blocks of a model, page after page.
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

/// The rows of a table: the text of every place, and none where another cell reaches over.
pub(crate) fn rows(table: &Value) -> Vec<Vec<String>> {
    let columns = table["widths"].as_array().unwrap().len();
    let mut rows = vec![
        vec![String::new(); columns];
        usize::try_from(table["rows"].as_u64().unwrap()).unwrap()
    ];
    for cell in table["cells"].as_array().unwrap() {
        let place = |name: &str| usize::try_from(cell[name].as_u64().unwrap()).unwrap();
        let said = cell["blocks"].as_array().unwrap().iter();
        let said: Vec<String> = said.map(|block| text(&block["runs"])).collect();
        rows[place("row")][place("column")] = said.join("\n");
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
fn headings_lists_and_tables_are_those_of_the_source() {
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

/// What a library of Python's reads in a document.
pub(crate) fn reopened(document: &Path, format: &str) -> Value {
    let own = rig::checkout().join(".octavo/venv/tests/bin/python");
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, Into::into);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/reopen.py");
    let told = Command::new(python)
        .arg(script)
        .arg(document)
        .arg(format)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{complaint}");
    serde_json::from_slice(&told.stdout).unwrap()
}

#[test]
fn every_format_holds_every_word() {
    for to in ["docx", "pptx", "html", "md", "json"] {
        let made = known("05-report-eng", to, json!({}));
        let read = reopened(made.path(), to);
        let text = read["text"].as_str().unwrap();
        let parts = if matches!(to, "pptx" | "json") { 3 } else { 1 };
        assert_eq!(read["parts"], parts, "{to}");
        assert_eq!(made.artifact.pages, parts, "{to}");
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
        assert!(made.warnings().is_empty(), "{to}: {:?}", made.warnings());
    }
}

#[test]
fn tables_become_sheets_and_lines() {
    let csv = |options| {
        let made = known("03-tables-eng", "csv", options);
        String::from_utf8(made.bytes()).unwrap()
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
fn a_table_that_is_not_there_is_told() {
    for (name, options) in [
        ("01-headings-eng", json!({})),
        ("03-tables-eng", json!({"table": 4})),
    ] {
        let source = corpus::file(&format!("layout-truth/{name}.docx"));
        let steps = [rig::convert(Format::Pdf), step("csv", options.clone())];
        let ended = rig::code(rig::run(&source, Format::Docx, &steps));
        assert_eq!(ended.err(), Some(JobErrorCode::OutputInvalid), "{options}");
    }
}

#[test]
fn pictures_stay_or_are_left_out_as_asked() {
    stay_or_are_left_out(|options| known("04-images-fra", "html", options));
}

/// The three pictures of a document with known pictures are in its web page, and left out when that is asked for.
pub(crate) fn stay_or_are_left_out(made: impl Fn(Value) -> rig::Made) {
    let page = |options| String::from_utf8(made(options).bytes()).unwrap();
    let kept = page(json!({}));
    assert_eq!(kept.matches("<img ").count(), 3);
    assert_eq!(kept.matches("src=\"data:image/").count(), 3);
    assert!(kept.contains("alt=\"bande large\""), "{kept}");
    let dropped = page(json!({"images": "drop"}));
    assert_eq!(dropped.matches("<img ").count(), 0);
    assert!(dropped.contains("La troisième est haute."), "{dropped}");
}

#[test]
fn only_the_pages_that_are_wanted_are_there() {
    let made = rig::run_bytes(
        &numbered("Leaf", 12),
        Format::Pdf,
        &[step("json", json!({"pages": "3,10-11"}))],
    )
    .unwrap();
    let model: Value = serde_json::from_slice(&made.bytes()).unwrap();
    let pages = model["pages"].as_array().unwrap().iter();
    let numbers: Vec<_> = pages.map(|page| page["number"].as_u64().unwrap()).collect();
    assert_eq!((numbers, made.artifact.pages), (vec![3, 10, 11], 3));
    assert_eq!(made.progress.last(), Some(&100));
}

#[test]
fn pages_without_text_are_told() {
    let drawing = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R>>".to_vec(),
        stream("", b"50 50 200 200 re f"),
    ]);
    for to in ["docx", "xlsx", "pptx", "html", "md", "json"] {
        let made = rig::run_bytes(&drawing, Format::Pdf, &[step(to, json!({}))]).unwrap();
        assert_eq!(made.warnings(), ["no_text_layer"], "{to}");
    }
}

#[test]
fn equal_sources_give_equal_bytes() {
    for to in ["docx", "xlsx", "pptx", "html", "md", "csv", "json"] {
        let [one, other] = [(); 2].map(|()| known("03-tables-eng", to, json!({})).bytes());
        assert!(one == other, "{to}");
    }
}
