//! The structure of PDFs that are written by hand, whole and broken, as the engine reads it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod limits;
mod pdf;
mod pictures;

use serde_json::{Value, json};

use self::pdf::{Pdf, told};

/// A title, a sentence that goes on in a span which says something else than it shows, and a header.
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

fn whole() -> Pdf {
    let mut pdf = Pdf::new(CONTENT);
    pdf.root("<</Type/StructTreeRoot/K 10 0 R/ParentTree 6 0 R/RoleMap<</Chapter/H2>>>>");
    pdf.object(6, "<</Nums[0[11 0 R 12 0 R 13 0 R 12 0 R]]>>");
    for (number, element) in (10..).zip(ELEMENTS) {
        pdf.object(number, element);
    }
    pdf
}

/// The blocks of the first page as kind and text, what they were taken from, and the warnings.
fn read(pdf: &Pdf) -> (Vec<(String, String)>, Value, Value) {
    let page = told(pdf, true)["pages"][0].clone();
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
fn what_a_document_says_of_its_structure_is_read() {
    let page = told(&whole(), true)["pages"][0].clone();
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
fn it_is_left_out_of_account_if_that_is_asked_for() {
    let page = told(&whole(), false)["pages"][0].clone();
    assert_eq!(page["basis"], "geometry");
    let said: String = texts(&page["blocks"])
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert!(said.contains("l4mp"), "{said}");
}

/// Whether nothing of the page is lost, and it is said that the structure is broken.
fn falls_back(pdf: &Pdf) {
    let (blocks, basis, warnings) = read(pdf);
    let said: String = blocks.into_iter().map(|(_, text)| text).collect();
    assert_eq!(basis, "geometry");
    assert_eq!(warnings, json!([{"code": "tags_ignored"}]));
    for word in ["Of lamps", "l4mp", "is lit."] {
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn elements_that_hold_each_other_are_not_followed() {
    let mut pdf = whole();
    pdf.object(12, "<</Type/StructElem/S/Div/P 10 0 R/Pg 3 0 R/K[13 0 R]>>");
    pdf.object(
        13,
        "<</Type/StructElem/S/Div/P 12 0 R/Pg 3 0 R/K[12 0 R 10 0 R]>>",
    );
    falls_back(&pdf);
}

#[test]
fn elements_that_leave_out_much_are_not_followed() {
    let mut pdf = whole();
    pdf.object(12, "<</Type/StructElem/S/P/P 10 0 R/Pg 3 0 R/K[77]>>");
    pdf.object(6, "<</Nums[0[11 0 R 12 0 R]]>>");
    falls_back(&pdf);
}

#[test]
fn a_tree_of_anything_else_is_borne() {
    for root in [
        "<</Type/StructTreeRoot/K 4711 0 R/ParentTree 6 0 R>>",
        "<</Type/StructTreeRoot/K[null 3 (text)]/ParentTree 2 0 R>>",
        "<</Type/StructTreeRoot/K 5 0 R>>",
        "[1 2 3]",
    ] {
        let mut pdf = whole();
        pdf.root(root);
        let (blocks, _, _) = read(&pdf);
        let said: String = blocks.into_iter().map(|(_, text)| text).collect();
        assert!(
            said.contains("Of lamps") && said.contains("is lit."),
            "{root}: {said}"
        );
    }
}
