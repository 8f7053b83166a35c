//! Untrusted documents: text stays text, and links have allowed targets only.

use layout::writers::{
    Metadata, NoPictures, Result, TableSelection, Writer, csv, docx, fixed, html, json, markdown,
    pptx, text, xlsx,
};
use layout::{
    Alignment, Block, Cell, Content, Figure, FixedPage, Graphic, Item, Line, Page, Rect, Run,
    Style, Table,
};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::archive::{archive, assert_consistent, assert_order, parts};
use crate::document::{OnePicture, PORTRAIT, block, page};
use crate::golden::written;

/// Markup of all kinds.
const MARKUP: &str = "\"'><img src=x onerror=alert(1)></title></style></script><script>alert(2)</script>&lt;&#60;--><!--]]>`${}\\";

/// Returns all control characters.
fn controls() -> String {
    let controls = (0..0xa0_u8).map(char::from).filter(|c| c.is_control());
    controls.chain(['\u{fffe}', '\u{ffff}']).collect()
}

fn said(text: &str, link: &str) -> Run {
    let style = Style {
        font: text.to_owned(),
        size: 11.0,
        color: Some([1, 2, 3]),
        ..Style::default()
    };
    Run {
        text: text.to_owned(),
        style,
        link: Some(link.to_owned()),
    }
}

fn facts(text: &str) -> Metadata {
    Metadata {
        title: Some(text.to_owned()),
        language: Some(text.to_owned()),
    }
}

/// Creates a page with a text and a link in every possible place.
fn everywhere(text: &str, link: &str) -> Page {
    let runs = || vec![said(text, link)];
    let paragraph = |runs| Content::Paragraph {
        runs,
        alignment: Alignment::Start,
        continues: false,
        preformatted: false,
    };
    let mut code = said(&format!("{text}\n{text}"), link);
    code.style.monospaced = true;
    let mut short = said(text, link);
    short.style.monospaced = true;
    let items = [(0, true), (1, false), (0, true)].map(|(level, ordered)| Item {
        level,
        ordered,
        marker: text.to_owned(),
        runs: runs(),
    });
    let image = |image| Content::Image {
        image,
        alternative: Some(text.to_owned()),
    };
    let note = |label: &str| Content::Footnote {
        label: label.to_owned(),
        runs: runs(),
    };
    let contents = [
        Content::Heading {
            level: 1,
            runs: runs(),
            alignment: Alignment::Start,
        },
        paragraph(runs()),
        paragraph(vec![code]),
        paragraph(vec![short]),
        Content::List {
            items: items.to_vec(),
        },
        image(0),
        image(1),
        note(text),
        note("1"),
    ];
    let blocks: Vec<Block> = contents.into_iter().map(block).collect();
    let cells = (0..2).map(|row| Cell {
        row,
        column: 0,
        blocks: blocks.clone(),
        ..Cell::default()
    });
    let table = Table {
        widths: vec![100.0],
        rows: 2,
        header_rows: 1,
        cells: cells.collect(),
        ruled: true,
        confidence: 1.0,
        continues: false,
    };
    let mut all = blocks.clone();
    all.push(block(Content::Table(table)));
    Page {
        header: blocks.clone(),
        footer: blocks,
        ..page(1, PORTRAIT, all)
    }
}

fn fixed_everywhere(text: &str, link: &str) -> FixedPage {
    let bounds = Rect::between((10.0, 10.0), (100.0, 22.0));
    let line = Line {
        bounds,
        baseline: 20.0,
        angle: 0.0,
        runs: vec![said(text, link)],
    };
    let figure = Figure {
        bounds,
        image: 0,
        whole: Some(bounds.grown(5.0)),
        alternative: Some(text.to_owned()),
    };
    FixedPage {
        number: 1,
        size: PORTRAIT,
        lines: vec![line],
        graphics: vec![Graphic::Figure(figure)],
    }
}

fn read<'a>(
    pages: Vec<Page>,
    made: &'a mut Vec<u8>,
    make: impl FnOnce(&'a mut Vec<u8>) -> Result<Box<dyn Writer + 'a>>,
) {
    written(pages, make, made);
}

fn in_html(text: &str, link: &str) -> String {
    let mut made = Vec::new();
    read(vec![everywhere(text, link)], &mut made, |output| {
        html(output, &facts(text), &OnePicture)
    });
    String::from_utf8(made).unwrap()
}

fn in_fixed_html(text: &str, link: &str) -> String {
    let mut made = Vec::new();
    let mut writer = fixed::html(&mut made, &facts(text), &OnePicture).unwrap();
    writer.page(fixed_everywhere(text, link)).unwrap();
    writer.finish().unwrap();
    String::from_utf8(made).unwrap()
}

fn in_markdown(text: &str, link: &str) -> String {
    let mut made = Vec::new();
    read(vec![everywhere(text, link)], &mut made, |output| {
        markdown(output, &facts(text), &NoPictures)
    });
    String::from_utf8(made).unwrap()
}

/// Returns the OOXML documents with their names.
fn archives(text: &str, link: &str) -> Vec<(&'static str, Vec<u8>)> {
    let (pages, scratch) = (vec![everywhere(text, link)], std::env::temp_dir());
    let (facts, mut made) = (
        facts(text),
        vec![
            ("docx", Vec::new()),
            ("pptx", Vec::new()),
            ("xlsx", Vec::new()),
        ],
    );
    archive(
        pages.clone(),
        |output| docx(output, &facts, &OnePicture, &scratch),
        &mut made[0].1,
    );
    archive(
        pages.clone(),
        |output| pptx(output, &facts, &OnePicture),
        &mut made[1].1,
    );
    archive(pages, |output| xlsx(output, &facts), &mut made[2].1);
    for kind in ["fixed docx", "fixed pptx"] {
        let mut document = Vec::new();
        let output = std::io::Cursor::new(&mut document);
        let mut writer = if kind == "fixed docx" {
            fixed::docx(output, &facts, &OnePicture).unwrap()
        } else {
            fixed::pptx(output, &facts, &OnePicture).unwrap()
        };
        writer.page(fixed_everywhere(text, link)).unwrap();
        writer.finish().unwrap();
        made.push((kind, document));
    }
    made
}

/// Returns the tags of an HTML page with the names of their attributes.
fn tags(page: &str) -> Vec<String> {
    let (mut tags, mut rest) = (Vec::new(), page);
    while let Some((_, behind)) = rest.split_once('<') {
        let (mut tag, mut is_quoted, mut end) = (String::new(), false, behind.len());
        for (index, character) in behind.char_indices() {
            match character {
                '"' => is_quoted = !is_quoted,
                '>' if !is_quoted => {
                    end = index;
                    break;
                }
                other if !is_quoted => tag.push(other),
                _ => {}
            }
        }
        tags.push(tag);
        rest = behind.get(end..).unwrap();
    }
    tags
}

#[test]
fn markup_in_texts_is_text_in_html() {
    let link = "https://a.b/";
    for make in [in_html, in_fixed_html] {
        let (with, without) = (make(MARKUP, link), make("en", link));
        let lacks = |tag: &&String| !tag.starts_with("html lang");
        // The language is invalid and therefore dropped.
        let with: Vec<_> = tags(&with)
            .into_iter()
            .filter(|tag| tag != "html")
            .collect();
        let without: Vec<_> = tags(&without).iter().filter(lacks).cloned().collect();
        assert_eq!(with, without);
    }
    assert!(in_html(MARKUP, link).contains("&lt;img src=x onerror=alert(1)&gt;"));
}

#[test]
fn markup_in_texts_is_text_in_markdown() {
    let made = in_markdown(MARKUP, "https://a.b/");
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    for event in Parser::new_ext(&made, options) {
        match event {
            Event::Html(tag) | Event::InlineHtml(tag) => {
                let known = ["<br>", "<sup>", "</sup>", "<!-- -->\n"];
                assert!(known.contains(&&*tag), "{tag}");
            }
            Event::Start(Tag::Image { dest_url, .. }) => assert_eq!(&*dest_url, ""),
            Event::Start(Tag::Link { dest_url, .. }) => assert_eq!(&*dest_url, "https://a.b/"),
            _ => {}
        }
    }
}

#[test]
fn continued_code_stays_in_its_block() {
    let code = |text: &str, continues| {
        let mut run = said(text, "");
        run.style.monospaced = true;
        block(Content::Paragraph {
            runs: vec![run],
            alignment: Alignment::Start,
            continues,
            preformatted: false,
        })
    };
    let pages = vec![
        page(1, PORTRAIT, vec![code("one\ntwo", false)]),
        page(
            2,
            PORTRAIT,
            vec![code("three\n```\n<script>alert(1)</script>", true)],
        ),
    ];
    let mut made = Vec::new();
    read(pages, &mut made, |output| {
        markdown(output, &facts(""), &NoPictures)
    });
    let made = String::from_utf8(made).unwrap();
    let is_markup = |event: &Event<'_>| matches!(event, Event::Html(_) | Event::InlineHtml(_));
    assert!(!Parser::new(&made).any(|event| is_markup(&event)), "{made}");
}

#[test]
fn script_and_file_links_are_removed() {
    let refused = [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "vbscript:x",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/passwd",
        "\\\\host\\share",
        "//host/path",
        "ms-word:ofe|u|http://a.b/c",
        "https:",
    ];
    for link in refused {
        for page in [in_html("text", link), in_fixed_html("text", link)] {
            // The source of a picture is not a link.
            let page = page.replace(" href=\"data:image/png;base64,", "");
            let targets = page.split("href=\"").skip(1);
            assert!(
                targets.clone().all(|target| target.starts_with('#')),
                "{link}: {page}"
            );
        }
        assert!(!in_markdown("text", link).contains("](<"), "{link}");
        for (kind, document) in archives("text", link) {
            let parts = parts(&document);
            assert!(
                !parts.iter().any(|(_, text)| text.contains("External")),
                "{kind}: {link}"
            );
        }
    }
    // Positive control: allowed links are written.
    assert!(in_html("text", "https://a.b/").contains("href=\"https://a.b/\""));
    assert!(archives("text", "https://a.b/")[0].1.len() > 1_000);
}

#[test]
fn markup_and_control_characters_leave_packages_consistent() {
    let hostile = format!("a{}b{MARKUP}\u{202e}c_x0041_", controls());
    for (kind, document) in archives(&hostile, "https://a.b/?\u{1}\"<>&'%\u{202e}") {
        assert_consistent(&document);
        let orders = match kind {
            "docx" | "fixed docx" => crate::docx::ORDERS,
            "xlsx" => crate::xlsx::ORDERS,
            _ => crate::pptx::ORDERS,
        };
        assert_order(&document, orders);
    }
}

#[test]
fn control_characters_are_dropped() {
    let hostile = format!("a{}b", controls());
    let mut texts = vec![
        in_html(&hostile, ""),
        in_fixed_html(&hostile, ""),
        in_markdown(&hostile, ""),
    ];
    let mut plain = Vec::new();
    read(vec![everywhere(&hostile, "")], &mut plain, text);
    let mut table = Vec::new();
    read(vec![everywhere(&hostile, "")], &mut table, |output| {
        csv(output, TableSelection::All)
    });
    texts.extend([plain, table].map(|made| String::from_utf8(made).unwrap()));
    for text in texts {
        let found: Vec<_> = text
            .chars()
            .filter(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
            .collect();
        assert!(found.is_empty(), "{found:?} in {text}");
    }
    // JSON contains the model unchanged.
    let mut whole = Vec::new();
    read(vec![everywhere(&hostile, "")], &mut whole, |output| {
        json(output, &facts(&hostile), &OnePicture)
    });
    let written_json: serde_json::Value = serde_json::from_slice(&whole).unwrap();
    assert_eq!(written_json["title"], hostile.as_str());
}
