//! Golden outlines of the structure extracted from PDFs of known sources, with and without tags; one line for each block.
//!
//! `OCTAVO_GOLDEN=write` rewrites the outlines; review the changes. They contain no measured values.

use std::fmt::Write as _;
use std::path::Path;

use domain::format::Format;
use serde_json::{Value, json};

use crate::structured::{KNOWN, step, text};
use crate::{corpus, harness};

#[test]
fn tagged_documents_match_their_outline() {
    harness::each(KNOWN.to_vec(), |name| compare(name, true));
}

#[test]
fn untagged_documents_match_their_outline() {
    harness::each(KNOWN.to_vec(), |name| compare(name, false));
}

fn compare(name: &str, tagged: bool) {
    let kind = if tagged { "tagged" } else { "untagged" };
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/golden");
    let path = Path::new(golden).join(format!("{name}.{kind}.txt"));
    let outline = outline(&read(name, tagged));
    if std::env::var("OCTAVO_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&path, &outline).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = expected
        .lines()
        .zip(outline.lines())
        .find(|(one, other)| one != other);
    assert!(
        expected == outline,
        "{name}, {kind}, first at {differs:?}:\n{outline}"
    );
}

/// The model of a document that is converted to PDF first.
fn read(name: &str, tagged: bool) -> Value {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let steps = [
        step("pdf", json!({"tagged": tagged})),
        step("json", json!({})),
    ];
    let result = harness::run(&source, Format::Docx, &steps);
    let result = result.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    serde_json::from_slice(&result.bytes()).unwrap()
}

/// A model as lines; page headers start with `^`, footers with `_`.
fn outline(model: &Value) -> String {
    let mut lines = format!("title {}, language {}\n", model["title"], model["language"]);
    for page in model["pages"].as_array().unwrap() {
        let side = |name: &str| page["size"][name].as_f64().unwrap();
        let (number, basis) = (&page["number"], page["basis"].as_str().unwrap());
        writeln!(
            lines,
            "= {number} from {basis}, {:.0} × {:.0}",
            side("width"),
            side("height")
        )
        .unwrap();
        for (name, mark) in [("header", "^ "), ("blocks", ""), ("footer", "_ ")] {
            blocks(&page[name], mark, &mut lines);
        }
    }
    lines
}

fn blocks(blocks: &Value, indent: &str, lines: &mut String) {
    for block in blocks.as_array().into_iter().flatten() {
        match block["type"].as_str().unwrap() {
            "heading" => output(lines, &format!("{indent}h{}", block["level"]), block),
            "paragraph" => output(lines, &format!("{indent}p{}", how(block)), block),
            "footnote" => output(
                lines,
                &format!("{indent}note {}", block["label"].as_str().unwrap()),
                block,
            ),
            "list" => block["items"].as_array().unwrap().iter().for_each(|item| {
                let kind = if item["ordered"] == true { "o" } else { "u" };
                let (level, marker) = (&item["level"], item["marker"].as_str().unwrap());
                output(lines, &format!("{indent}{kind}{level} {marker}"), item);
            }),
            "table" => table(block, indent, lines),
            "image" => writeln!(
                lines,
                "{indent}image {} {}",
                block["image"], block["alternative"]
            )
            .unwrap(),
            other => writeln!(lines, "{indent}{other}").unwrap(),
        }
    }
}

/// Paragraph formatting that differs from the default.
fn how(block: &Value) -> String {
    let alignment = block["alignment"].as_str();
    let continued = if block["continues"] == true { "+" } else { "" };
    format!(
        "{continued}{}",
        alignment
            .map(|alignment| format!(" {alignment}"))
            .unwrap_or_default()
    )
}

fn table(table: &Value, indent: &str, lines: &mut String) {
    let columns = table["widths"].as_array().unwrap().len();
    let marks = [("ruled", ", ruled"), ("continues", ", continued")];
    let marks: String = marks
        .iter()
        .filter(|(name, _)| table[name] == true)
        .map(|(_, mark)| *mark)
        .collect();
    let (rows, heads) = (&table["rows"], &table["headerRows"]);
    writeln!(
        lines,
        "{indent}table {rows} × {columns}, header {heads}{marks}"
    )
    .unwrap();
    for cell in table["cells"].as_array().unwrap() {
        let spans = match (
            cell["rowSpan"].as_u64().unwrap(),
            cell["columnSpan"].as_u64().unwrap(),
        ) {
            (1, 1) => String::new(),
            (rows, columns) => format!(" over {rows} × {columns}"),
        };
        let place = format!("{indent}  {},{}{spans} ", cell["row"], cell["column"]);
        blocks(&cell["blocks"], &place, lines);
    }
}

fn output(lines: &mut String, kind: &str, block: &Value) {
    let runs = block["runs"].as_array().unwrap().iter();
    let output: String = runs.map(run).collect();
    writeln!(lines, "{kind}: {output}").unwrap();
}

/// The text of a run, in brackets with its formatting if it has any.
fn run(run: &Value) -> String {
    let looks = ["bold", "italic", "underlined", "struck", "monospaced"];
    let looks = looks
        .iter()
        .filter(|look| run[look] == true)
        .map(|look| (*look).to_owned());
    let reported = ["script", "link"]
        .iter()
        .filter_map(|name| run[name].as_str().map(str::to_owned));
    let marks: Vec<String> = looks.chain(reported).collect();
    let output = text(&json!([run])).replace('\n', "⏎").replace('\t', "⇥");
    match marks.is_empty() {
        true => output,
        false => format!("[{output}]({})", marks.join(" ")),
    }
}
