//! Structure extraction from handwritten PDFs, valid and damaged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod clips;
mod declared;
mod limits;
mod pdf;
mod pictures;

use serde_json::{Value, json};

use self::pdf::{Pdf, extract};

/// A title, a sentence with a span that has an `ActualText`, and a header.
const CONTENT: &str = "/Artifact BMC BT /F 10 Tf 60 800 Td (Handbook) Tj ET EMC
/Title <</MCID 0>> BDC BT /F 10 Tf 60 700 Td (Of lamps) Tj ET EMC
/P <</MCID 1>> BDC BT /F 10 Tf 60 650 Td (The) Tj ET EMC
/Span <</MCID 2>> BDC BT /F 10 Tf 90 650 Td (l4mp) Tj ET EMC
/P <</MCID 3>> BDC BT /F 10 Tf 120 650 Td (is lit.) Tj ET EMC";

const ELEMENTS: [&str; 4] = [
    "<</Type/StructElem/S/Document/P 5 0 R/K[11 0 R 12 0 R]>>",
    "<</Type/StructElem/S/Chapter/P 10 0 R/Pg 3 0 R/K 0>>",
    "<</Type/StructElem/S/P/P 10 0 R/Pg 3 0 R/K[1 13 0 R 3]/A<</O/Layout/TextAlign/Center>>>>",
    "<</Type/StructElem/S/Span/P 12 0 R/Pg 3 0 R/K 2/ActualText(lamp)>>",
];

fn valid() -> Pdf {
    let mut pdf = Pdf::new(CONTENT);
    pdf.root("<</Type/StructTreeRoot/K 10 0 R/ParentTree 6 0 R/RoleMap<</Chapter/H2>>>>");
    pdf.object(6, "<</Nums[0[11 0 R 12 0 R 13 0 R 12 0 R]]>>");
    for (number, element) in (10..).zip(ELEMENTS) {
        pdf.object(number, element);
    }
    pdf
}

/// The blocks of the first page as type and text, their structure source, and the warnings.
fn read(pdf: &Pdf) -> (Vec<(String, String)>, Value, Value) {
    let page = extract(pdf, true)["pages"][0].clone();
    (
        texts(&page["blocks"]),
        page["basis"].clone(),
        page["warnings"].clone(),
    )
}

fn texts(blocks: &Value) -> Vec<(String, String)> {
    let text = |block: &Value| -> String {
        let runs = block["runs"].as_array().into_iter().flatten();
        runs.map(|run| run["text"].as_str().unwrap()).collect()
    };
    let blocks = blocks.as_array().into_iter().flatten();
    blocks
        .map(|block| (block["type"].as_str().unwrap().to_owned(), text(block)))
        .collect()
}

#[test]
fn structure_tree_is_used() {
    let page = extract(&valid(), true)["pages"][0].clone();
    assert_eq!(page["basis"], "structure");
    assert_eq!(page["warnings"], json!([]));
    let expected = [("heading", "Of lamps"), ("paragraph", "The lamp is lit.")];
    let expected = expected.map(|(kind, text)| (kind.to_owned(), text.to_owned()));
    assert_eq!(texts(&page["blocks"]), expected);
    assert_eq!(page["blocks"][0]["level"], 2);
    assert_eq!(page["blocks"][1]["alignment"], "centre");
    assert_eq!(texts(&page["header"])[0].1, "Handbook");
}

#[test]
fn structure_tree_is_ignored_on_request() {
    let page = extract(&valid(), false)["pages"][0].clone();
    assert_eq!(page["basis"], "geometry");
    let output: String = texts(&page["blocks"])
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert!(output.contains("l4mp"), "{output}");
}

/// Asserts that all text is kept and that the ignored structure tree gets a warning.
fn assert_falls_back(pdf: &Pdf) {
    let (blocks, basis, warnings) = read(pdf);
    let output: String = blocks.into_iter().map(|(_, text)| text).collect();
    assert_eq!(basis, "geometry");
    assert_eq!(warnings, json!([{"code": "tags_ignored"}]));
    for word in ["Of lamps", "l4mp", "is lit."] {
        assert!(output.contains(word), "{output}");
    }
}

#[test]
fn cyclic_elements_are_ignored() {
    let mut pdf = valid();
    pdf.object(12, "<</Type/StructElem/S/Div/P 10 0 R/Pg 3 0 R/K[13 0 R]>>");
    pdf.object(
        13,
        "<</Type/StructElem/S/Div/P 12 0 R/Pg 3 0 R/K[12 0 R 10 0 R]>>",
    );
    assert_falls_back(&pdf);
}

#[test]
fn incomplete_structure_trees_are_ignored() {
    let mut pdf = valid();
    pdf.object(12, "<</Type/StructElem/S/P/P 10 0 R/Pg 3 0 R/K[77]>>");
    pdf.object(6, "<</Nums[0[11 0 R 12 0 R]]>>");
    assert_falls_back(&pdf);
}

#[test]
fn malformed_structure_trees_are_tolerated() {
    for root in [
        "<</Type/StructTreeRoot/K 4711 0 R/ParentTree 6 0 R>>",
        "<</Type/StructTreeRoot/K[null 3 (text)]/ParentTree 2 0 R>>",
        "<</Type/StructTreeRoot/K 5 0 R>>",
        "[1 2 3]",
    ] {
        let mut pdf = valid();
        pdf.root(root);
        let (blocks, _, _) = read(&pdf);
        let output: String = blocks.into_iter().map(|(_, text)| text).collect();
        assert!(
            output.contains("Of lamps") && output.contains("is lit."),
            "{root}: {output}"
        );
    }
}
