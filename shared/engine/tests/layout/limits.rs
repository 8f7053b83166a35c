//! Pages that exceed the analysis limits.

use serde_json::{Value, json};

use crate::pdf::{Pdf, extract};

const TEXT: &str = "BT /F 10 Tf 60 700 Td (Lamps) Tj ET";

fn page(pdf: &Pdf) -> Value {
    extract(pdf, true)["pages"][0].clone()
}

/// The warnings of a page with a word and this content.
fn warnings(rendered: &str) -> Value {
    page(&Pdf::new(&format!("{TEXT}\n{rendered}")))["warnings"].clone()
}

#[test]
fn excess_drawings_get_a_warning() {
    let lines = |count: usize| "9 9 m 99 9 l S\n".repeat(count);
    assert_eq!(warnings(&lines(49_999)), json!([]));
    assert_eq!(warnings(&lines(50_000)), json!([{"code": "too_much"}]));
}

#[test]
fn excess_path_segments_get_a_warning() {
    let path = |steps: usize| format!("9 9 m {} S", "20 30 l 30 20 l ".repeat(steps / 2));
    assert_eq!(warnings(&path(9_000)), json!([]));
    assert_eq!(warnings(&path(10_002)), json!([{"code": "too_much"}]));
}

/// A page with a word and link annotations with these entries.
fn linked(count: usize, members: &str) -> Value {
    let mut pdf = Pdf::new(TEXT);
    pdf.object(
        10,
        &format!("<</Type/Annot/Subtype/Link/Rect[50 690 150 720]{members}>>"),
    );
    let annotations = "10 0 R ".repeat(count);
    pdf.object(
        3,
        &format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Annots[{annotations}]/Resources<</Font<</F 9 0 R>>>>>>"),
    );
    page(&pdf)
}

#[test]
fn long_urls_are_dropped_with_a_warning() {
    let address = |length: usize| format!("http://{}", "a".repeat(length - 7));
    let of = |length: usize| {
        let members = format!("/A<</S/URI/URI({})>>", address(length));
        let page = linked(1, &members);
        let link = page["blocks"][0]["runs"][0]["link"].clone();
        (link, page["warnings"].clone())
    };
    assert_eq!(of(2_048), (json!(address(2_048)), json!([])));
    assert_eq!(of(2_049), (Value::Null, json!([{"code": "too_much"}])));
}

#[test]
fn excess_link_quads_get_a_warning() {
    let part = "50 720 150 720 50 690 150 690 ".repeat(64);
    let members = format!("/A<</S/URI/URI(http://a.example/)>>/QuadPoints[{part}]");
    assert_eq!(linked(300, &members)["warnings"], json!([]));
    let model = linked(320, &members);
    assert_eq!(model["warnings"], json!([{"code": "too_much"}]));
    assert_eq!(
        model["blocks"][0]["runs"][0]["link"], "http://a.example/",
        "those before them are kept"
    );
}

/// A page whose marked content sequences all use the same `ActualText` object.
fn repeated(parts: usize) -> Value {
    let content: String = (0..parts)
        .map(|part| format!("/P <</MCID {part}>> BDC BT /F 10 Tf 60 700 Td (a) Tj ET EMC\n"))
        .collect();
    let mut pdf = Pdf::new(&content);
    pdf.root("<</Type/StructTreeRoot/K 10 0 R/ParentTree 6 0 R>>");
    let numbers = || 20..20 + u32::try_from(parts).unwrap();
    let kids: String = numbers().map(|number| format!("{number} 0 R ")).collect();
    pdf.object(6, &format!("<</Nums[0[{kids}]]>>"));
    pdf.object(8, &format!("({})", "a".repeat(30_000)));
    pdf.object(
        10,
        &format!("<</Type/StructElem/S/Document/P 5 0 R/K[{kids}]>>"),
    );
    for (part, number) in numbers().enumerate() {
        pdf.object(
            number,
            &format!("<</Type/StructElem/S/P/P 10 0 R/Pg 3 0 R/K {part}/ActualText 8 0 R>>"),
        );
    }
    page(&pdf)
}

#[test]
fn texts_of_elements_are_read_up_to_four_million_bytes() {
    let few = repeated(100);
    assert_eq!(
        (&few["basis"], &few["warnings"]),
        (&json!("structure"), &json!([]))
    );
    let many = repeated(150);
    let ignored = json!([{"code": "tags_ignored"}]);
    assert_eq!(
        (&many["basis"], &many["warnings"]),
        (&json!("geometry"), &ignored)
    );
}
