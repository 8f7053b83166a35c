//! Sections of DOCX: page breaks, headers and footers.

use layout::{Block, Content};
use serde_json::json;

use super::made;
use crate::archive::{assert_consistent, part};
use crate::document::{LANDSCAPE, PORTRAIT, heading, item, page, paragraph, run};
use crate::office::reopened;

#[test]
fn page_breaks_are_written_only_after_pages_with_room() {
    let mut pages = vec![
        page(1, PORTRAIT, vec![ending_at(100.0, "Title page")]),
        page(
            2,
            PORTRAIT,
            vec![ending_at(100.0, "Second"), ending_at(760.0, "to the end")],
        ),
        page(3, PORTRAIT, vec![ending_at(100.0, "Third")]),
        page(4, LANDSCAPE, vec![ending_at(100.0, "Turned")]),
    ];
    pages[0].header.clear();
    pages[0].footer.clear();
    let document = part(&made(pages), "word/document.xml");
    let count = |text: &str| document.matches(text).count();
    assert_eq!((count("<w:pageBreakBefore/>"), count("<w:sectPr>")), (1, 2));
    assert_eq!(
        (count("<w:titlePg/>"), count("w:orient=\"landscape\"")),
        (1, 1)
    );
    let (before, _) = document.split_once("Second").unwrap();
    assert!(before.contains("<w:pageBreakBefore/>"));
}

fn ending_at(bottom: f32, text: &str) -> Block {
    let bounds = layout::Rect {
        left: 72.0,
        top: bottom - 14.0,
        right: 500.0,
        bottom,
    };
    Block {
        bounds: Some(bounds),
        ..paragraph(vec![run(text)])
    }
}

#[test]
fn the_first_block_of_a_page_has_the_usual_space() {
    let headed = |bottom: f32, text: &str| Block {
        content: heading(1, text).content,
        ..ending_at(bottom, text)
    };
    let list = Block {
        content: Content::List {
            items: vec![item(0, "•", "Item")],
        },
        ..ending_at(760.0, "")
    };
    let mut rest = ending_at(100.0, "the rest");
    if let Content::Paragraph { continues, .. } = &mut rest.content {
        *continues = true;
    }
    let pages = vec![
        page(
            1,
            PORTRAIT,
            vec![
                ending_at(100.0, "first"),
                ending_at(121.0, "second"),
                ending_at(760.0, "last"),
            ],
        ),
        page(
            2,
            PORTRAIT,
            vec![
                ending_at(100.0, "after a page"),
                headed(140.0, "heading"),
                list.clone(),
            ],
        ),
        page(3, PORTRAIT, vec![headed(100.0, "after a list"), list]),
        page(4, PORTRAIT, vec![rest, ending_at(200.0, "short")]),
        page(5, PORTRAIT, vec![ending_at(100.0, "after a break")]),
    ];
    let document = part(&made(pages), "word/document.xml");
    let space = |text: &str| {
        let (before, _) = document.split_once(&format!(">{text}<")).unwrap();
        let (_, paragraph) = before.rsplit_once("<w:p>").unwrap();
        let (_, space) = paragraph.split_once("w:before=\"")?;
        space.split_once('"').map(|(space, _)| space.to_owned())
    };
    for (text, expected) in [
        ("first", None),
        ("second", Some("140")),
        ("after a page", Some("480")),
        ("after a list", Some("240")),
        ("the rest", None),
        ("after a break", None),
    ] {
        assert_eq!(space(text).as_deref(), expected, "{text}");
    }
}

/// Returns the first footer of pages with these footers, numbered from 1; fields by their names.
fn footer(footers: &[&str]) -> String {
    let page = |(number, text): (u32, &&str)| {
        let mut page = page(number, PORTRAIT, vec![heading(1, "A")]);
        page.footer = vec![paragraph(vec![run(text)])];
        page
    };
    let made = made((1..).zip(footers).map(page).collect());
    let footer = part(&made, "word/footer2.xml");
    let parsed = roxmltree::Document::parse(&footer).unwrap();
    let texts = parsed.descendants().filter_map(|node| {
        let parent = node.parent()?.parent()?;
        match (node.tag_name().name(), parent.tag_name().name()) {
            ("t", "fldSimple") => parent.attributes().next().map(|name| name.value().trim()),
            ("t", _) => node.text(),
            _ => None,
        }
    });
    texts.collect()
}

#[test]
fn a_standalone_page_number_is_a_field() {
    let other = "Another page";
    for (pages, expected) in [
        (
            ["1 v1.0 – page 1 of 2", other],
            "1 v1.0 – page PAGE of NUMPAGES",
        ),
        (["Page 1 of 1", other], "Page PAGE of 1"),
        (["Chapter 1 | Page 1", other], "Chapter 1 | Page PAGE"),
        (
            ["Chapter 1 | 1 of 2", "Chapter 1 | 2 of 2"],
            "Chapter 1 | PAGE of NUMPAGES",
        ),
        (
            ["Page 1 – version 1", "Page 2 – version 1"],
            "Page PAGE – version 1",
        ),
        (["Chapter 1", "Chapter 3"], "Chapter 1"),
        (["Chapter 1", "Chapter 1"], "Chapter 1"),
    ] {
        assert_eq!(footer(&pages), expected);
    }
}

#[test]
fn sections_have_the_headers_of_their_own_pages() {
    let headed = |number, size, header: &[&str]| {
        let mut page = page(number, size, vec![heading(1, "A")]);
        page.header = header
            .iter()
            .map(|text| paragraph(vec![run(text)]))
            .collect();
        page.footer = vec![paragraph(vec![run(&format!("{number}"))])];
        page
    };
    let pages = vec![
        headed(1, PORTRAIT, &["Chapter 1"]),
        headed(2, PORTRAIT, &["Chapter 1"]),
        headed(3, LANDSCAPE, &[]),
        headed(4, PORTRAIT, &["Chapter 2"]),
        headed(5, LANDSCAPE, &["Chapter 1"]),
    ];
    let made = made(pages);
    assert_consistent(&made);
    let read = reopened(&made, "docx");
    let headers: Vec<_> = read["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| &section["header"])
        .collect();
    assert_eq!(
        json!(headers),
        json!([["Chapter 1"], [""], ["Chapter 2"], ["Chapter 1"]])
    );
    // The page number is a field, so one footer is sufficient.
    let parts = crate::archive::parts(&made);
    let named = |start: &str| {
        parts
            .iter()
            .filter(|(name, _)| name.starts_with(start))
            .count()
    };
    assert_eq!((named("word/header"), named("word/footer")), (3, 1));
}

#[test]
fn headers_that_change_within_a_paragraph_are_kept() {
    let headed = |number: u32, header: &str, text: &str| {
        let mut block = ending_at(770.0, text);
        if let Content::Paragraph { continues, .. } = &mut block.content {
            *continues = number > 1;
        }
        let mut page = page(number, PORTRAIT, vec![block]);
        page.header = vec![paragraph(vec![run(header)])];
        page
    };
    let headers = ["1 Alpha", "2 Alpha", "3 Beta", "4 Gamma", "5 Beta"];
    let pages = (1..).zip(headers);
    let made = made(
        pages
            .map(|(number, header)| headed(number, header, "the text"))
            .collect(),
    );
    assert_consistent(&made);
    let document = part(&made, "word/document.xml");
    let count = |text: &str| document.matches(text).count();
    assert_eq!((count("<w:sectPr>"), count("\"continuous\"")), (2, 1));
    assert_eq!(
        (count("<w:pageBreakBefore/>"), count("<w:titlePg/>")),
        (0, 1)
    );
    // The paragraph is not divided.
    let (paragraph, _) = document.split_once("<w:sectPr>").unwrap();
    assert_eq!(paragraph.matches("the text").count(), 5);
    let parts = crate::archive::parts(&made);
    let is_header = |name: &str| name.starts_with("word/header");
    let headers = parts.iter().filter(|(name, _)| is_header(name));
    let headers: Vec<String> = headers.map(|(name, _)| part(&made, name)).collect();
    for name in ["Alpha", "Beta", "Gamma"] {
        assert!(headers.iter().any(|header| header.contains(name)), "{name}");
    }
}
