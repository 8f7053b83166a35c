//! docx: consistent packages in schema order, which other programs read as intended.

mod backgrounds;
mod fonts;
mod lists;
mod notes;
mod orders;
mod page_numbers;
mod sections;
mod tabs;

use layout::writers::docx;
use layout::{Content, Page};
use serde_json::json;

pub(crate) use self::fonts::assert_font_table;
pub(crate) use self::orders::ORDERS;
use crate::archive::{archive, assert_consistent, assert_order, part};
use crate::document::{
    OnePicture, PORTRAIT, RED, block, facts, item, marked, page, paragraph, rich, run, table,
};
use crate::golden::compare;
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
        "The note of another page.",
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
fn black_text_in_cells_with_a_fill_has_a_color() {
    let mut cells = table(3, 0, &[&["filled", "white", "plain"]]);
    cells.cells[0].fill = Some([112, 48, 160]);
    cells.cells[1].fill = Some([112, 48, 160]);
    let mut white = run("white");
    white.style.color = Some([255; 3]);
    cells.cells[1].blocks = vec![paragraph(vec![white])];
    let blocks = vec![
        block(Content::Table(cells)),
        paragraph(vec![run("paragraph")]),
    ];
    let document = part(&made(vec![page(1, PORTRAIT, blocks)]), "word/document.xml");
    let color = |text: &str| {
        let (before, _) = document.split_once(&format!(">{text}<")).unwrap();
        let (_, run) = before.rsplit_once("<w:r>").unwrap();
        let (_, color) = run.split_once("<w:color w:val=\"")?;
        color.split_once('"').map(|(color, _)| color.to_owned())
    };
    assert_eq!(
        ["filled", "white", "plain", "paragraph"].map(|text| color(text).unwrap_or_default()),
        ["000000", "FFFFFF", "", ""]
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
