//! Documents converted from PDF, reopened with python-docx, python-pptx, openpyxl and LibreOffice: their blocks and cells
//! match the PDF's source.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use serde_json::{Value, json};

use crate::harness;
use crate::sample_documents::docx;
use crate::structured::{KNOWN, known, step, truth};

/// Documents with tables.
const TABLES: [&str; 4] = [
    "03-tables-eng",
    "05-report-eng",
    "07-sections-deu",
    "08-scripts-mul",
];

/// The output of `outline.py` (tests of the layout writers) for a document.
fn outline(document: &Path, format: &str) -> Vec<Value> {
    let own = harness::checkout().join(".octavo/venv/tests/bin/python");
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, PathBuf::from);
    let script = harness::checkout().join("shared/layout/tests/write/outline.py");
    let named = document.with_extension(format);
    std::fs::copy(document, &named).unwrap();
    let reported = Command::new(python)
        .arg(script)
        .arg(named)
        .arg(format)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&reported.stderr);
    assert!(reported.status.success(), "{complaint}");
    serde_json::from_slice(&reported.stdout).unwrap()
}

/// The source's structure in the format of `outline.py`, with pictures without sizes.
fn wanted(name: &str) -> Vec<Value> {
    truth(name).iter().flat_map(entries).collect()
}

fn entries(block: &Value) -> Vec<Value> {
    match block["type"].as_str().unwrap() {
        "heading" => vec![json!(["heading", block["level"], block["text"]])],
        "paragraph" => vec![json!(["paragraph", block["text"]])],
        "list" => {
            let items = block["items"].as_array().unwrap().iter();
            items
                .map(|item| json!(["item", item["level"], item["text"]]))
                .collect()
        }
        "table" => vec![json!(["table", cells(block)])],
        "image" => vec![json!(["picture"])],
        _ => Vec::new(),
    }
}

/// `[row, column, rows, columns, text]` of each cell of a ground-truth table.
fn cells(table: &Value) -> Vec<Value> {
    let merges: Vec<[usize; 4]> = serde_json::from_value(table["merges"].clone()).unwrap();
    let rows: Vec<Vec<String>> = serde_json::from_value(table["rows"].clone()).unwrap();
    let mut cells = Vec::new();
    for (row, texts) in rows.iter().enumerate() {
        for (column, text) in texts.iter().enumerate() {
            let within = |[top, left, bottom, right]: &&[usize; 4]| {
                (*top..=*bottom).contains(&row) && (*left..=*right).contains(&column)
            };
            match merges.iter().find(within) {
                Some([top, left, bottom, right]) if (*top, *left) == (row, column) => {
                    cells.push(json!([
                        row,
                        column,
                        bottom - top + 1,
                        right - left + 1,
                        text
                    ]));
                }
                Some(_) => {}
                None => cells.push(json!([row, column, 1, 1, text])),
            }
        }
    }
    cells
}

/// Removes picture sizes and alternative texts, which the ground truth lacks, and links.
fn reported(found: Vec<Value>) -> Vec<Value> {
    let found = found.into_iter().filter(|entry| entry[0] != "link");
    found
        .map(|entry| {
            if entry[0] == "picture" {
                json!(["picture"])
            } else {
                entry
            }
        })
        .collect()
}

fn tables(outline: &[Value]) -> Vec<&Value> {
    outline.iter().filter(|entry| entry[0] == "table").collect()
}

#[test]
fn python_docx_reads_the_source_structure() {
    harness::each(KNOWN.to_vec(), |name| {
        let result = known(name, "docx", json!({}));
        assert_eq!(
            reported(outline(result.path(), "docx")),
            wanted(name),
            "{name}"
        );
    });
}

#[test]
fn libreoffice_round_trip_is_lossless() {
    harness::each(KNOWN.to_vec(), |name| {
        let result = known(name, "docx", json!({}));
        let steps = ["odt", "docx"].map(|to| step(to, json!({})));
        let saved = harness::run(result.path(), Format::Docx, &steps).unwrap();
        assert_eq!(
            reported(outline(saved.path(), "docx")),
            wanted(name),
            "{name}"
        );
    });
}

#[test]
fn python_pptx_reads_the_source_tables() {
    harness::each(TABLES.to_vec(), |name| {
        let result = known(name, "pptx", json!({}));
        assert_eq!(
            tables(&outline(result.path(), "pptx")),
            tables(&wanted(name)),
            "{name}"
        );
    });
}

fn is_table(sheet: &Value) -> bool {
    let mut cells = sheet[1].as_array().unwrap().iter();
    cells.any(|cell| cell[1] != 0)
}

/// A cell as in a spreadsheet: numeric text becomes a number, and empty cells outside spans are omitted.
fn typed(table: &Value) -> Value {
    let cells = table[1].as_array().unwrap().iter();
    let cells = cells.filter(|cell| cell[4] != "" || cell[2] != 1 || cell[3] != 1);
    let cells = cells.map(|cell| {
        let mut cell = cell.clone();
        let text = cell[4].as_str().unwrap().to_owned();
        if let Ok(number) = text.parse::<f64>() {
            cell[4] = match text.contains('.') {
                true => json!(number),
                false => json!(text.parse::<i64>().unwrap()),
            };
        }
        cell
    });
    json!(["table", cells.collect::<Vec<_>>()])
}

#[test]
fn openpyxl_reads_the_source_tables_with_numeric_cells() {
    harness::each(TABLES.to_vec(), |name| {
        let result = known(name, "xlsx", json!({}));
        let expected: Vec<Value> = tables(&wanted(name)).into_iter().map(typed).collect();
        let found = outline(result.path(), "xlsx").into_iter();
        // A page without a table becomes a sheet with one column.
        let found: Vec<_> = found.filter(is_table).collect();
        assert_eq!(found, expected, "{name}");
    });
}

#[test]
fn openpyxl_reads_currencies_percentages_and_dates() {
    let rows = [
        ["Day", "Amount", "Share", "Number"],
        ["2024-03-05", "1,234.50", "12.5%", "0042"],
        ["2024-02-29", "-7.25", "3.0%", "17"],
        ["2023-12-31", "12.00", "100%", "03/05"],
    ];
    let rows: String = rows
        .iter()
        .map(|cells| format!("<w:tr>{}</w:tr>", cells.map(cell).concat()))
        .collect();
    let borders = ["top", "left", "bottom", "right", "insideH", "insideV"];
    let borders = borders
        .map(|side| format!(r#"<w:{side} w:val="single" w:sz="4"/>"#))
        .concat();
    let grid = r#"<w:gridCol w:w="2000"/>"#.repeat(4);
    let body = format!(
        "<w:tbl><w:tblPr><w:tblBorders>{borders}</w:tblBorders></w:tblPr><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl><w:p/>"
    );
    for tagged in [true, false] {
        let steps = [
            step("pdf", json!({"tagged": tagged})),
            step("xlsx", json!({})),
        ];
        let result = harness::run_bytes(&docx(&body, ""), Format::Docx, &steps).unwrap();
        let found = outline(result.path(), "xlsx");
        let values: Vec<&Value> = found[0][1]
            .as_array()
            .unwrap()
            .iter()
            .map(|cell| &cell[4])
            .collect();
        let expected = json!([
            "Day",
            "Amount",
            "Share",
            "Number",
            "2024-03-05",
            1234.5,
            0.125,
            "0042",
            "2024-02-29",
            -7.25,
            0.03,
            "17",
            "2023-12-31",
            12.0,
            1,
            "03/05"
        ]);
        assert_eq!(json!(values), expected, "tagged: {tagged}");
    }
}

fn cell(text: &str) -> String {
    format!(
        r#"<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"#
    )
}
