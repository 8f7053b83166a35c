//! Tabs of DOCX: entries of contents, headers and footers.

use layout::{Block, Content, Item, Rect};

use super::{ORDERS, made};
use crate::archive::{assert_consistent, assert_order, part};
use crate::document::{PORTRAIT, block, item, linked, page, paragraph, run, table};
use crate::printed::by_libreoffice;

/// Returns the paragraph with this text in a part.
fn paragraph_of<'a>(xml: &'a str, text: &str) -> &'a str {
    let mut paragraphs = xml.split("<w:p>").skip(1);
    paragraphs
        .find(|paragraph| paragraph.contains(&format!(">{text}<")))
        .unwrap()
}

fn wide(block: Block) -> Block {
    Block {
        bounds: Some(Rect::between((72.0, 72.0), (523.0, 86.0))),
        ..block
    }
}

#[test]
fn entries_of_contents_have_a_right_tab() {
    let items = vec![Item {
        runs: vec![run("Listed ........ iv")],
        ..item(0, "1.", "")
    }];
    let blocks = vec![
        wide(paragraph(vec![
            run("First.........."),
            linked(".... 25", "#page=1"),
        ])),
        paragraph(vec![run("Wait.... what")]),
        block(Content::List { items }),
        block(Content::Table(table(1, 0, &[&["Cell ........ 5"]]))),
    ];
    let made = made(vec![page(1, PORTRAIT, blocks)]);
    assert_consistent(&made);
    assert_order(&made, ORDERS);
    let document = part(&made, "word/document.xml");
    let stop = "<w:tabs><w:tab w:val=\"right\" w:leader=\"dot\" w:pos=\"9020\"/></w:tabs>";
    let first = paragraph_of(&document, "First");
    assert!(
        first.contains(stop) && first.contains("<w:hyperlink w:anchor=\"page_1\"><w:r>"),
        "{first}"
    );
    assert!(
        first.contains("First</w:t><w:tab/></w:r>") && first.contains(">25</w:t>"),
        "{first}"
    );
    let listed = paragraph_of(&document, "Listed");
    assert!(
        listed.contains(stop)
            && listed.contains("Listed</w:t><w:tab/><w:t xml:space=\"preserve\">iv")
    );
    for text in ["Wait.... what", "Cell ........ 5"] {
        assert!(!paragraph_of(&document, text).contains("<w:tab"), "{text}");
    }
    let printed = by_libreoffice(&made, "docx");
    let right = printed[0].word("25").right;
    assert!((right - 523.0).abs() < 2.0, "{right}");
}
