//! docx: consistent packages in schema order, which other programs read as intended.

mod orders;

use std::collections::BTreeSet;

use layout::writers::{NoPictures, docx, html, markdown};
use layout::{Block, Content, Item, Page};
use serde_json::json;

pub(crate) use self::orders::ORDERS;
use crate::archive::{archive, assert_consistent, assert_order, part, parts};
use crate::document::{
    LANDSCAPE, OnePicture, PORTRAIT, RED, block, facts, heading, item, marked, page, paragraph,
    rich, run, table,
};
use crate::golden::{compare, written};
use crate::office::{converted, reopened};

pub(crate) fn made(pages: Vec<Page>) -> Vec<u8> {
    let mut made = Vec::new();
    let scratch = std::env::temp_dir();
    archive(
        pages,
        |output| docx(output, &facts(), &OnePicture, &scratch),
        &mut made,
    );
    made
}

/// Asserts that each table row fills its columns and each cell ends with a paragraph.
pub(crate) fn assert_tables(made: &[u8]) {
    let document = part(made, "word/document.xml");
    let parsed = roxmltree::Document::parse(&document).unwrap();
    for table in parsed
        .descendants()
        .filter(|node| node.tag_name().name() == "tbl")
    {
        let columns = table
            .children()
            .find(|node| node.tag_name().name() == "tblGrid")
            .unwrap()
            .children()
            .count();
        for row in table
            .children()
            .filter(|node| node.tag_name().name() == "tr")
        {
            let cells = row.children().filter(|node| node.tag_name().name() == "tc");
            assert_eq!(cells.map(span).sum::<usize>(), columns);
        }
    }
}

fn span(cell: roxmltree::Node<'_, '_>) -> usize {
    assert_eq!(
        cell.first_element_child().unwrap().tag_name().name(),
        "tcPr"
    );
    assert_eq!(cell.last_element_child().unwrap().tag_name().name(), "p");
    let properties = cell.first_element_child().unwrap().children();
    let span = properties.filter(|node| node.tag_name().name() == "gridSpan");
    span.map(|span| {
        span.attributes()
            .next()
            .unwrap()
            .value()
            .parse::<usize>()
            .unwrap()
    })
    .next()
    .unwrap_or(1)
}

#[test]
fn python_reads_the_intended_content() {
    let made = made(rich());
    assert_consistent(&made);
    let read = reopened(&made, "docx");
    compare("rich.docx.json", format!("{read:#}\n").as_bytes());
}

#[test]
fn libreoffice_reads_every_word() {
    let read = converted(&made(rich()), "docx", "fodt");
    let parsed = roxmltree::Document::parse(&read).unwrap();
    let texts = parsed
        .descendants()
        .filter(|node| node.tag_name().name() == "p" || node.tag_name().name() == "h");
    let texts: Vec<String> = texts
        .map(|text| {
            text.descendants()
                .filter_map(|node| node.text().filter(|_| node.is_text()))
                .collect()
        })
        .collect();
    for words in [
        "1. Escapes: <tags> & *stars*, of_all #",
        "A note with a link",
        "1 The note of another page.",
        "Cat, \"big\"",
        "Ninth",
        "The header",
    ] {
        assert!(
            texts.iter().any(|text| text.trim() == words),
            "no {words:?} in {texts:?}"
        );
    }
    let notes = parsed
        .descendants()
        .filter(|node| node.tag_name().name() == "note-citation");
    let labels: Vec<_> = notes.map(|note| note.text().unwrap_or_default()).collect();
    assert_eq!(labels, ["1", "1"]);
}

/// A page with runs in named fonts, in an unnamed font of equal widths, and in the font of its header.
fn in_fonts() -> Vec<Page> {
    let in_font = |text: &str, font: &str, monospaced| {
        let mut run = run(text);
        run.style.font = font.to_owned();
        run.style.monospaced = monospaced;
        run
    };
    let paragraph = paragraph(vec![
        in_font("Usual text", "Helvetica", false),
        in_font("serif", "Minion & Co", false),
        in_font("code", "", true),
    ]);
    let list = block(Content::List {
        items: vec![Item {
            runs: vec![in_font("Item", "Zapf Grotesk", false)],
            ..item(0, "•", "")
        }],
    });
    let note = block(Content::Footnote {
        label: "1".to_owned(),
        runs: vec![in_font("Note", "Carlito", false)],
    });
    vec![page(1, PORTRAIT, vec![paragraph, list, note])]
}

/// Asserts that the font table has an entry for each font that a part names.
pub(crate) fn assert_font_table(made: &[u8]) {
    assert_consistent(made);
    let mut named = BTreeSet::new();
    for (_, text) in parts(made) {
        let parsed = roxmltree::Document::parse(&text).unwrap();
        let fonts = parsed
            .descendants()
            .filter(|node| node.tag_name().name() == "rFonts");
        named.extend(
            fonts
                .flat_map(|font| font.attributes())
                .map(|attribute| attribute.value().to_owned()),
        );
    }
    let read = reopened(made, "docx");
    let table = read["fonts"].as_object().unwrap();
    let entries: BTreeSet<String> = table.keys().cloned().collect();
    assert_eq!(entries, named);
    assert!(!entries.is_empty());
}

#[test]
fn the_font_table_has_each_font_with_its_alternatives() {
    let made = made(in_fonts());
    assert_font_table(&made);
    assert_eq!(
        reopened(&made, "docx")["fonts"],
        json!({
            "Carlito": {"altName": "Calibri", "family": "swiss", "pitch": "variable"},
            "Courier New": {"altName": "Liberation Mono,Cousine", "family": "modern", "pitch": "fixed"},
            "Helvetica": {"altName": "Arial,Liberation Sans", "family": "swiss", "pitch": "variable"},
            "Liberation Serif": {"altName": "Times New Roman,Tinos", "family": "roman", "pitch": "variable"},
            "Minion & Co": {"family": "roman", "pitch": "variable"},
            "Zapf Grotesk": {"family": "swiss", "pitch": "variable"},
        })
    );
}

#[test]
fn libreoffice_knows_the_families_of_fonts() {
    let read = converted(&made(in_fonts()), "docx", "fodt");
    let parsed = roxmltree::Document::parse(&read).unwrap();
    let value = |node: &roxmltree::Node<'_, '_>, name: &str| {
        let mut attributes = node.attributes();
        attributes
            .find(|one| one.name() == name)
            .map(|one| one.value().trim_matches('\'').to_owned())
    };
    for (font, family) in [("Zapf Grotesk", "swiss"), ("Minion & Co", "roman")] {
        let mut found = parsed
            .descendants()
            .filter(|node| value(node, "font-family").as_deref() == Some(font))
            .map(|node| value(&node, "font-family-generic"));
        assert_eq!(found.next(), Some(Some(family.to_owned())), "{font}");
    }
}

#[test]
fn equal_pages_give_equal_bytes() {
    assert_eq!(made(rich()), made(rich()));
}

#[test]
fn documents_without_pages_are_consistent() {
    let made = made(Vec::new());
    assert_consistent(&made);
    assert_eq!(reopened(&made, "docx")["paragraphs"], json!([]));
}

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
fn lists_are_numbered_as_their_markers() {
    let list = |markers: &[(u8, &str)]| {
        let items = markers
            .iter()
            .map(|(level, marker)| item(*level, marker, "x"));
        block(Content::List {
            items: items.collect(),
        })
    };
    let blocks = vec![
        list(&[
            (0, "1."),
            (1, "a)"),
            (1, "b)"),
            (0, "2."),
            (1, "a)"),
            (0, "3."),
        ]),
        list(&[(0, "1."), (0, "2.")]),
        list(&[(0, "3."), (0, "7."), (0, "•")]),
        list(&[(0, "•"), (1, "–"), (1, "a)"), (0, "5."), (0, "6.")]),
    ];
    let made = made(vec![page(1, PORTRAIT, blocks)]);
    let text = converted(&made, "docx", "txt:Text (encoded):UTF8");
    // LibreOffice adds marker characters of its own to the text, one per level.
    let markers: Vec<_> = text
        .lines()
        .filter_map(|line| line.trim().strip_suffix(" x"))
        .collect();
    assert_eq!(
        markers,
        [
            "1.", "a)", "b)", "2.", "a)", "3.", "1.", "2.", "3.", "7.", "•", "•", "◦", "a)", "5.",
            "6."
        ],
        "{text}"
    );
}

#[test]
fn markers_without_numbering_format_are_text() {
    let mut items = ["Note:", "[12]", "Step1:", "1000."].map(|marker| item(0, marker, "x"));
    items[0].ordered = false;
    let list = block(Content::List {
        items: items.to_vec(),
    });
    let pages = vec![page(1, PORTRAIT, vec![list])];

    let document = made(pages.clone());
    let (text, numbering) = (
        part(&document, "word/document.xml"),
        part(&document, "word/numbering.xml"),
    );
    let slide = part(&crate::pptx::made(pages.clone()), "ppt/slides/slide1.xml");
    let (mut page, mut lines) = (Vec::new(), Vec::new());
    written(
        pages.clone(),
        |output| html(output, &facts(), &OnePicture),
        &mut page,
    );
    written(
        pages,
        |output| markdown(output, &facts(), &NoPictures),
        &mut lines,
    );
    let (page, lines) = (
        String::from_utf8(page).unwrap(),
        String::from_utf8(lines).unwrap(),
    );
    for (made, said) in [
        (&text, "Note:</w:t><w:tab/>"),
        (&text, "Step1:</w:t><w:tab/>"),
        (&numbering, "<w:lvlText w:val=\"[%1]\"/>"),
        (&numbering, "<w:startOverride w:val=\"12\"/>"),
        (&numbering, "<w:startOverride w:val=\"1000\"/>"),
        (&slide, "<a:t>Note: </a:t>"),
        (&slide, "<a:t>[12] </a:t>"),
        (&slide, "<a:t>Step1: </a:t>"),
        (&slide, "startAt=\"1000\""),
        (&page, "<li>Note: x"),
        (&page, "<li>[12] x"),
        (&page, "<li>Step1: x"),
        (&page, "<ol start=\"1000\">\n<li>x"),
        (&lines, "- Note: x"),
        (&lines, "- [12] x"),
        (&lines, "- Step1: x"),
        (&lines, "1000. x"),
    ] {
        assert!(made.contains(said), "no {said} in {made}");
    }
}

#[test]
fn tables_too_wide_for_word_are_lines() {
    let texts: Vec<String> = (0..64).map(|column| format!("c{column}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let wide = block(Content::Table(table(64, 0, &[&texts])));
    let document = part(
        &made(vec![page(1, PORTRAIT, vec![wide])]),
        "word/document.xml",
    );
    assert!(
        !document.contains("<w:tbl>")
            && document.contains("c62</w:t><w:tab/><w:t xml:space=\"preserve\">c63")
    );
}

#[test]
fn elements_are_in_schema_order() {
    assert_order(&made(rich()), ORDERS);
    assert_tables(&made(rich()));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(made(rich()))).unwrap();
    let mut picture = Vec::new();
    std::io::Read::read_to_end(
        &mut archive.by_name("word/media/image1.png").unwrap(),
        &mut picture,
    )
    .unwrap();
    assert_eq!(picture, RED);
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
fn right_to_left_text_is_marked() {
    let mut mark = run("1");
    mark.style.script = layout::Script::Super;
    let note = block(Content::Footnote {
        label: "1".to_owned(),
        runs: vec![run("הערה")],
    });
    let list = block(Content::List {
        items: vec![item(0, "•", "פריט")],
    });
    let mut wide = run("日本語");
    wide.style.font = "Noto Serif CJK JP".to_owned();
    let blocks = vec![
        paragraph(vec![run("שלום"), mark]),
        list,
        paragraph(vec![wide]),
        note,
    ];
    let pages = vec![page(1, PORTRAIT, blocks)];
    let (made, slide) = (
        made(pages.clone()),
        part(&crate::pptx::made(pages), "ppt/slides/slide1.xml"),
    );
    let (document, notes) = (
        part(&made, "word/document.xml"),
        part(&made, "word/footnotes.xml"),
    );
    assert_eq!(
        (
            document.matches("<w:bidi/>").count(),
            document.matches("<w:rtl/>").count()
        ),
        (2, 2)
    );
    assert_eq!(
        (
            notes.matches("<w:bidi/>").count(),
            notes.matches("<w:rtl/>").count()
        ),
        (1, 1)
    );
    assert!(document.contains("w:eastAsia=\"Noto Serif CJK JP\""));
    assert!(
        slide.contains("algn=\"r\" rtl=\"1\"><a:buFont")
            && slide.contains("<a:ea typeface=\"Noto Serif CJK JP\"/>")
    );
}

#[test]
fn code_in_quotations_is_indented() {
    let mut pages = marked();
    let mut code = pages[0].blocks[3].clone();
    code.quote_depth = 2;
    let mut cells = table(1, 0, &[&["Cell"]]);
    cells.cells[0].blocks = vec![code];
    pages[0].blocks.push(block(Content::Table(cells)));
    let document = part(&made(pages), "word/document.xml");
    let parsed = roxmltree::Document::parse(&document).unwrap();
    let value = |node: roxmltree::Node<'_, '_>, name: &str| {
        let of_word = |one: &roxmltree::Attribute<'_, '_>| one.name() == name;
        node.attributes()
            .find(of_word)
            .map(|one| one.value().to_owned())
    };
    let is_code = |node: &roxmltree::Node<'_, '_>| {
        node.tag_name().name() == "pStyle"
            && value(*node, "val").as_deref() == Some("HTMLPreformatted")
    };
    let indents: Vec<_> = parsed
        .descendants()
        .filter(is_code)
        .map(|style| {
            let mut siblings = style.next_siblings();
            let indent = siblings.find(|node| node.tag_name().name() == "ind")?;
            value(indent, "left").zip(value(indent, "right"))
        })
        .collect();
    let indent = |left: &str| Some((left.to_owned(), "567".to_owned()));
    assert_eq!(indents, [indent("567"), None, indent("1134")]);
}
