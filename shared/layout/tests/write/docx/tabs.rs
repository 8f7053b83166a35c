//! Tabs of DOCX: entries of contents, headers and footers.

use layout::{Block, Content, Item, Rect};

use super::{ORDERS, made};
use crate::archive::{assert_consistent, assert_order, part};
use crate::document::{
    LANDSCAPE, PORTRAIT, block, heading, item, linked, page, paragraph, run, table,
};
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
        ..item(1, "12.10.", "")
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
    // The number of an item is before its text, also if it is wider than the indent. Dots are part of the word beside them.
    let mut words = printed[0].words.iter();
    let (_, text) = words.find(|(word, _)| word.starts_with("Listed")).unwrap();
    let gap = text.left - printed[0].word("12.10.").right;
    assert!(
        (0.0..8.0).contains(&gap) && (text.right - 523.0).abs() < 2.0,
        "{gap} {text:?}"
    );
}

#[test]
fn headers_and_footers_have_parts_between_tabs() {
    let page = |(number, size): (u32, _)| {
        let mut page = page(
            number,
            size,
            vec![wide(heading(1, &format!("Part{number}")))],
        );
        page.header = vec![paragraph(vec![run("Left\tMiddle\tRight")])];
        page.footer = vec![paragraph(vec![run(&format!("Version 7\t\t{number}"))])];
        page
    };
    let made = made(
        (1..)
            .zip([PORTRAIT, PORTRAIT, LANDSCAPE])
            .map(page)
            .collect(),
    );
    assert_consistent(&made);
    assert_order(&made, ORDERS);
    // Tab stops depend on the width of the page.
    for (name, width) in [("word/header1.xml", 9020), ("word/header3.xml", 12520)] {
        let header = part(&made, name);
        let stops = format!(
            "<w:tabs><w:tab w:val=\"center\" w:pos=\"{}\"/><w:tab w:val=\"right\" w:pos=\"{width}\"/></w:tabs>",
            width / 2
        );
        assert!(header.contains(&stops), "{header}");
        assert!(
            header.contains("Left</w:t><w:tab/><w:t xml:space=\"preserve\">Middle</w:t><w:tab/>")
        );
    }
    let footer = part(&made, "word/footer2.xml");
    assert!(
        footer.contains("Version 7</w:t><w:tab/><w:tab/>") && footer.contains(" PAGE "),
        "{footer}"
    );
    let printed = by_libreoffice(&made, "docx");
    let [left, middle, right] = ["Left", "Middle", "Right"].map(|word| printed[0].word(word));
    let center = (middle.left + middle.right) / 2.0;
    assert!((left.left - 72.0).abs() < 2.0, "{left:?}");
    assert!((center - 297.5).abs() < 2.0, "{middle:?}");
    assert!((right.right - 523.0).abs() < 2.0, "{right:?}");
}

#[test]
fn numbers_at_other_tabs_are_no_totals() {
    let page = |(number, text): (u32, &str)| {
        let mut page = page(number, PORTRAIT, vec![heading(1, &format!("Part{number}"))]);
        page.header.clear();
        page.footer = vec![paragraph(vec![run(text)])];
        page
    };
    let pages = ["1\t3\t", "2\t3\t", "3\t3\t"];
    let made = made((1..).zip(pages).map(page).collect());
    let footer = part(&made, "word/footer1.xml");
    assert!(
        footer.contains(" PAGE ") && !footer.contains(" NUMPAGES "),
        "{footer}"
    );
}
