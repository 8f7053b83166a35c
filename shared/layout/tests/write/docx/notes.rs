//! Footnotes of DOCX with marks of their own.

use layout::{Content, Script};

use super::made;
use crate::document::{PORTRAIT, block, page, paragraph, run};
use crate::printed::by_libreoffice;

const LABELS: [&str; 4] = ["15", "*", "[102]", "††"];

#[test]
fn libreoffice_shows_marks_once() {
    let mut body = vec![run("Boats")];
    let mut notes = Vec::new();
    for label in LABELS {
        let mut mark = run(label);
        mark.style.script = Script::Super;
        body.extend([mark, run(" and")]);
        notes.push(block(Content::Footnote {
            label: label.to_owned(),
            runs: vec![run("Ship.")],
        }));
    }
    let mut page = page(1, PORTRAIT, vec![paragraph(body)]);
    page.blocks.extend(notes);
    page.header.clear();
    page.footer.clear();
    let printed = by_libreoffice(&made(vec![page]), "docx");
    let text: String = printed.iter().map(|page| page.text()).collect();
    for label in LABELS {
        assert_eq!(text.matches(label).count(), 2, "{label} in {text}");
    }
}
