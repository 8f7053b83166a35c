//! Cells of spreadsheets that their sheets would cut.

use domain::format::Format;
use serde_json::json;

use crate::sample_documents::{open_document, relationship, xlsx};
use crate::{corpus, harness, poppler};

const MISSING: &str = "content_missing";

fn text(cell: &str, text: &str) -> String {
    format!(r#"<c r="{cell}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

#[test]
fn cut_cells_are_shown_whole_and_others_do_not_change() {
    let long = "word ".repeat(60) + "last";
    let cells = [
        text("A1", "abcdefghijklmnopqrstuvwxyz"),
        r#"<c r="B1"><v>123456789012</v></c>"#.to_owned(),
        text("C1", "title over empty cells"),
        text("F1", "right"),
        "</row><row r=\"2\">".to_owned(),
        text("C2", "x"),
        text("F2", &long),
        text("G2", "end"),
    ];
    let source = xlsx(&cells.concat(), "", "", &[]);
    let pdf = [harness::convert(Format::Pdf)];
    let result = harness::run_bytes(&source, Format::Xlsx, &pdf).unwrap();
    assert_eq!(result.warnings(), [""; 0]);
    let words = [
        "abcdefghijklmnopqrstuvwxyz",
        "123456789012",
        "title",
        "right",
    ];
    let [name, number, title, right] = words.map(|word| poppler::word_box(result.path(), word));
    assert!(name[2] < number[0], "{name:?} {number:?}");
    assert!(number[2] < title[0], "{number:?} {title:?}");
    // Columns C to E keep their default width of 64 pixels.
    let width = right[0] - title[0];
    assert!((135.0..155.0).contains(&width), "{width}");
}

#[test]
fn results_of_formulas_that_were_not_calculated_are_shown_whole() {
    let cells = [
        r#"<c r="A1"><v>123456</v></c>"#,
        r#"<c r="B1"><f>A1*1000000</f></c>"#,
        r#"<c r="C1"><f>A1&amp;" in words"</f></c>"#,
        r#"<c r="D1"><v>7</v></c>"#,
    ];
    let source = xlsx(&cells.concat(), "", "", &[]);
    let pdf = [harness::convert(Format::Pdf)];
    let result = harness::run_bytes(&source, Format::Xlsx, &pdf).unwrap();
    let text = poppler::texts(result.path()).concat();
    let words: Vec<_> = text.split_whitespace().collect();
    assert_eq!(
        words,
        ["123456", "123456000000", "123456", "in", "words", "7"]
    );
}

#[test]
fn a_row_of_fixed_height_grows_to_its_wrapped_text() {
    let wrapped = r#"<c r="A2" s="1" t="inlineStr"><is><t>several words that need more than one line</t></is></c>"#;
    let above = text("A1", "above");
    let row = format!(r#"{above}</row><row r="2" ht="13" customHeight="1">{wrapped}"#);
    let styles = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf applyAlignment="1"><alignment wrapText="1"/></xf></cellXfs></styleSheet>"#;
    let related = relationship("rId2", "styles", "styles.xml");
    let parts = [("xl/styles.xml", styles.to_owned())];
    let source = xlsx(&row, &related, "", &parts);
    let pdf = [harness::convert(Format::Pdf)];
    let result = harness::run_bytes(&source, Format::Xlsx, &pdf).unwrap();
    assert_eq!(result.warnings(), [""; 0]);
    // The text is at the bottom of its cell, so that a low row cuts its beginning.
    let [above, first] = ["above", "several"].map(|word| poppler::word_box(result.path(), word));
    assert!(first[1] > above[1] + 5.0, "{above:?} {first:?}");
}

#[test]
fn a_protected_sheet_keeps_its_columns() {
    let sheet = |protected| {
        let cell = |text| {
            format!(
                r#"<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>"#
            )
        };
        let cells = cell("several words that do not fit") + &cell("next");
        let row = format!("<table:table-row>{cells}</table:table-row>");
        let body = format!(
            r#"<table:table table:name="S" table:protected="{protected}">{row}</table:table>"#
        );
        let source = open_document("spreadsheet", &body);
        let pdf = [harness::convert(Format::Pdf)];
        let result = harness::run_bytes(&source, Format::Ods, &pdf).unwrap();
        let warnings = result.artifact.warnings.iter();
        let mut missing = warnings.filter(|warning| warning.code == MISSING);
        missing.next().map(|warning| warning.data["cells"].clone())
    };
    assert_eq!([true, false].map(sheet), [Some(json!(["S!A1"])), None]);
}

#[test]
fn cut_cells_of_documents_of_other_origin_are_shown() {
    let names = [
        ("xls/chinese-provinces.xls", Format::Xls),
        ("ods/OOCalcTest.ods", Format::Ods),
        ("xlsx/49273.xlsx", Format::Xlsx),
    ];
    for (name, format) in names {
        let source = corpus::file(name);
        let result = harness::run(&source, format, &[harness::convert(Format::Pdf)]).unwrap();
        assert!(!result.warnings().contains(&MISSING), "{name}");
    }
}

#[test]
fn a_long_cell_of_csv_is_shown_whole() {
    let long = "several words of a long cell, ".repeat(160);
    let source = format!("id,text\n1,\"{long}end\"\n");
    let pdf = [harness::convert(Format::Pdf)];
    let result = harness::run_bytes(source.as_bytes(), Format::Csv, &pdf).unwrap();
    assert_eq!(result.warnings(), [""; 0]);
    let text = poppler::texts(result.path()).concat();
    assert_eq!(text.matches("several").count(), 160);
}
