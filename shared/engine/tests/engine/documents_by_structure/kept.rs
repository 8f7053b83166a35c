//! What a text says of its parts is the same after it has been every other kind of document.

use domain::format::Format;
use serde_json::json;

use crate::documents::docx;
use crate::rig;
use crate::structured::{blocks, step};

/// Markdown after it has been documents of these formats, and is Markdown again.
fn by(text: &str, formats: &[&str]) -> String {
    let steps = formats.iter().chain(&["md"]);
    let steps: Vec<_> = steps.map(|to| step(to, json!({}))).collect();
    let made = rig::run_bytes(text.as_bytes(), Format::Markdown, &steps).unwrap();
    String::from_utf8(made.bytes()).unwrap()
}

#[test]
fn quotations_tasks_code_and_lines_of_tables_are_kept() {
    let text = "# Title\n\n> Quoted\n>\n> > Within\n\nBetween\n\n- [ ] To do\n- [x] Done\n- Neither\n\n\
        ```\n    let one = 1;\n\nend\n```\n\n| **a** | **b** |\n| --- | --- |\n| c | d |\n";
    for formats in [
        &["html"][..],
        &["docx"],
        &["docx", "html"],
        &["html", "docx"],
        &["docx", "odt"],
    ] {
        assert_eq!(by(text, formats), text, "{formats:?}");
    }
    let steps = ["docx", "json"].map(|to| step(to, json!({})));
    let made = rig::run_bytes(text.as_bytes(), Format::Markdown, &steps).unwrap();
    let read = blocks(&serde_json::from_slice(&made.bytes()).unwrap());
    let table = read.iter().find(|block| block["type"] == "table").unwrap();
    assert_eq!(table["ruled"], true);
}

#[test]
fn code_stays_in_its_quotations() {
    let text = "> Quoted\n>\n> ```\n> let one = 1;\n>\n> end\n> ```\n>\n> > ```\n> > within\n> > ```\n\n```\noutside\n```\n";
    for formats in [
        &["html"][..],
        &["docx"],
        &["docx", "html"],
        &["html", "docx"],
    ] {
        assert_eq!(by(text, formats), text, "{formats:?}");
    }
}

#[test]
fn lists_stay_in_their_quotations() {
    let text = "> Quoted\n>\n> - one\n>   - two\n> - three\n>\n> Between\n>\n> > 1. within\n> > 2. further\n\nOutside\n\n- outside\n";
    for formats in [
        &["html"][..],
        &["docx"],
        &["docx", "html"],
        &["docx", "odt"],
        &["docx", "rtf"],
    ] {
        assert_eq!(by(text, formats), text, "{formats:?}");
    }
}

#[test]
fn what_stands_in_the_middle_stays_there() {
    let centred = "<w:pPr><w:outlineLvl w:val='0'/><w:jc w:val='center'/></w:pPr>";
    let body = format!("<w:p>{centred}<w:r><w:t>Title</w:t></w:r></w:p>");
    for formats in [&["html"][..], &["html", "docx"], &["odt"]] {
        let steps = formats.iter().chain(&["json"]);
        let steps: Vec<_> = steps.map(|to| step(to, json!({}))).collect();
        let made = rig::run_bytes(&docx(&body, ""), Format::Docx, &steps).unwrap();
        let read = blocks(&serde_json::from_slice(&made.bytes()).unwrap());
        assert_eq!(read[0]["type"], "heading", "{formats:?}");
        assert_eq!(read[0]["alignment"], "centre", "{formats:?}");
    }
}
