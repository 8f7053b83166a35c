//! Markdown structure survives conversion through every other format.

use domain::format::Format;
use serde_json::json;

use crate::harness;
use crate::sample_documents::docx;
use crate::structured::{blocks, step};

/// Converts Markdown through these formats and back to Markdown.
fn through(text: &str, formats: &[&str]) -> String {
    let steps = formats.iter().chain(&["md"]);
    let steps: Vec<_> = steps.map(|to| step(to, json!({}))).collect();
    let result = harness::run_bytes(text.as_bytes(), Format::Markdown, &steps).unwrap();
    String::from_utf8(result.bytes()).unwrap()
}

#[test]
fn quotes_tasks_code_and_table_cells_with_line_breaks_are_kept() {
    let text = "# Title\n\n> Quoted\n>\n> > Within\n\nBetween\n\n- [ ] To do\n- [x] Done\n- Neither\n\n\
        ```\n    let one = 1;\n\nend\n```\n\n| a | b |\n| --- | --- |\n| c | d |\n";
    for formats in [
        &["html"][..],
        &["docx"],
        &["docx", "html"],
        &["html", "docx"],
        &["docx", "odt"],
    ] {
        assert_eq!(through(text, formats), text, "{formats:?}");
    }
    let steps = ["docx", "json"].map(|to| step(to, json!({})));
    let result = harness::run_bytes(text.as_bytes(), Format::Markdown, &steps).unwrap();
    let read = blocks(&serde_json::from_slice(&result.bytes()).unwrap());
    let table = read.iter().find(|block| block["type"] == "table").unwrap();
    assert_eq!(table["ruled"], true);
}

#[test]
fn code_stays_inside_quotes() {
    let text = "> Quoted\n>\n> ```\n> let one = 1;\n>\n> end\n> ```\n>\n> > ```\n> > within\n> > ```\n\n```\noutside\n```\n";
    for formats in [
        &["html"][..],
        &["docx"],
        &["docx", "html"],
        &["html", "docx"],
    ] {
        assert_eq!(through(text, formats), text, "{formats:?}");
    }
}

#[test]
fn lists_stay_inside_quotes() {
    let text = "> Quoted\n>\n> - one\n>   - two\n> - three\n>\n> Between\n>\n> > 1. within\n> > 2. further\n\nOutside\n\n- outside\n";
    for formats in [
        &["html"][..],
        &["docx"],
        &["docx", "html"],
        &["docx", "odt"],
        &["docx", "rtf"],
    ] {
        assert_eq!(through(text, formats), text, "{formats:?}");
    }
}

#[test]
fn centered_text_stays_centered() {
    let centered = "<w:pPr><w:outlineLvl w:val='0'/><w:jc w:val='center'/></w:pPr>";
    let body = format!("<w:p>{centered}<w:r><w:t>Title</w:t></w:r></w:p>");
    for formats in [&["html"][..], &["html", "docx"], &["odt"]] {
        let steps = formats.iter().chain(&["json"]);
        let steps: Vec<_> = steps.map(|to| step(to, json!({}))).collect();
        let result = harness::run_bytes(&docx(&body, ""), Format::Docx, &steps).unwrap();
        let read = blocks(&serde_json::from_slice(&result.bytes()).unwrap());
        assert_eq!(read[0]["type"], "heading", "{formats:?}");
        assert_eq!(read[0]["alignment"], "centre", "{formats:?}");
    }
}
