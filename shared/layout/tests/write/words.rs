//! No writer loses or doubles a word.

use std::collections::BTreeMap;

use layout::writers::{
    NoPictures, Result, TableSelection, Writer, csv, html, json, markdown, text,
};
use layout::{Alignment, Block, Cell, Content, Page, Rect, Run, Script, Size, Table};
use proptest::prelude::{Just, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

use crate::archive::{assert_consistent, assert_order, parts};
use crate::document::{LANDSCAPE, OnePicture, PORTRAIT, block, facts, item, page, run};
use crate::golden::written;

/// Counts the words of a text; words are numbers between `w` and `x`.
fn words(text: &str) -> BTreeMap<u32, usize> {
    let mut found = BTreeMap::new();
    for piece in text.split('w') {
        if let Some(Ok(number)) = piece.split_once('x').map(|(number, _)| number.parse()) {
            *found.entry(number).or_default() += 1;
        }
    }
    found
}

/// Counts the words in the body of pages, or in tables only.
fn said(pages: &[Page], in_tables_only: bool) -> BTreeMap<u32, usize> {
    let blocks = pages.iter().flat_map(|page| &page.blocks);
    let chosen: Vec<&Block> = blocks
        .filter(|block| !in_tables_only || matches!(block.content, Content::Table(_)))
        .collect();
    words(&serde_json::to_string(&chosen).unwrap())
}

fn runs() -> impl Strategy<Value = Vec<Run>> {
    prop::collection::vec(
        (
            any::<u8>(),
            prop::sample::select(vec![
                "w0x",
                " w0x",
                "w0x ",
                "w0x\nw0x",
                "*w0x",
                "שw0x",
                "w0x\u{1}\u{c}w0x",
                "1",
            ]),
        ),
        1..4,
    )
    .prop_map(|runs| {
        runs.into_iter()
            .map(|(bits, text)| styled_run(bits, text))
            .collect()
    })
}

fn styled_run(bits: u8, text: &str) -> Run {
    let mut run = run(text);
    run.style.bold = bits & 1 > 0;
    run.style.italic = bits & 2 > 0;
    run.style.strikethrough = bits & 4 > 0;
    run.style.monospaced = bits & 8 > 0;
    run.style.script = if bits & 0x30 == 0x30 || text == "1" {
        Script::Super
    } else {
        Script::None
    };
    run.link = [None, None, Some("#page=2"), Some("https://a.b/c")]
        .get(usize::from(bits >> 6))
        .copied()
        .flatten()
        .map(str::to_owned);
    run
}

fn content(depth: u32) -> impl Strategy<Value = Content> {
    let heading = (1..9_u8, runs()).prop_map(|(level, runs)| Content::Heading {
        level,
        runs,
        alignment: Alignment::Center,
    });
    let paragraph =
        (runs(), any::<bool>(), any::<bool>()).prop_map(|(runs, continues, preformatted)| {
            Content::Paragraph {
                runs,
                alignment: Alignment::End,
                continues,
                preformatted,
            }
        });
    let parts = (
        0..12_u8,
        prop::sample::select(vec!["•", "1.", "2.", "c)", "iv.", "1.2", ""]),
        runs(),
    );
    let item = parts.prop_map(|(level, marker, runs)| layout::Item {
        runs,
        ..item(level, marker, "")
    });
    let list = prop::collection::vec(item, 0..5).prop_map(|items| Content::List { items });
    let note = (prop::sample::select(vec!["1", "2", "*"]), runs()).prop_map(|(label, runs)| {
        Content::Footnote {
            label: label.to_owned(),
            runs,
        }
    });
    let image = (0..2_usize).prop_map(|image| Content::Image {
        image,
        alternative: None,
    });
    let flat = prop_oneof![1 => heading, 2 => paragraph, 1 => list, 1 => note, 1 => image, 1 => Just(Content::Rule)];
    if depth == 0 {
        flat.boxed()
    } else {
        prop_oneof![3 => flat, 1 => table(depth - 1).prop_map(Content::Table)].boxed()
    }
}

fn table(depth: u32) -> impl Strategy<Value = Table> {
    let place = (0..4_usize, 0..4_usize, 1..4_usize, 1..4_usize);
    let cell = (
        place,
        prop::collection::vec(content(depth).prop_map(block), 0..3),
    )
        .prop_map(|((row, column, row_span, column_span), blocks)| Cell {
            row,
            column,
            row_span,
            column_span,
            blocks,
            ..Cell::default()
        });
    (
        prop::collection::vec(cell, 0..6),
        0..4_usize,
        0..4_usize,
        0..3_usize,
        any::<bool>(),
    )
        .prop_map(|(cells, columns, rows, header_rows, continues)| Table {
            widths: vec![50.0; columns],
            rows,
            header_rows,
            cells,
            ruled: false,
            confidence: 1.0,
            continues,
        })
}

/// Generates documents in which each word is unique.
fn documents() -> impl Strategy<Value = Vec<Page>> {
    let bounds = prop::option::of(
        (0..500_u16, 0..800_u16)
            .prop_map(|(x, y)| Rect::between((f32::from(x), f32::from(y)), (550.0, 820.0))),
    );
    let block = (bounds, 0..4_u8, content(2)).prop_map(|(bounds, quoted, content)| Block {
        bounds,
        quote_depth: quoted,
        content,
    });
    let size = prop::sample::select(vec![
        PORTRAIT,
        PORTRAIT,
        LANDSCAPE,
        Size {
            width: 100_000.0,
            height: 1.0,
        },
    ]);
    let one = (size, prop::collection::vec(block, 0..6));
    prop::collection::vec(one, 0..5).prop_map(|pages| {
        let numbered = pages
            .into_iter()
            .zip(1..)
            .map(|((size, blocks), number)| page(number, size, blocks));
        let mut text = serde_json::to_string(&numbered.collect::<Vec<_>>()).unwrap();
        for number in 1.. {
            let Some(place) = text.find("w0x") else { break };
            text.replace_range(place..place + 3, &format!("w{number}x"));
        }
        serde_json::from_str(&text).unwrap()
    })
}

/// Returns the output of a writer; of an archive, all parts.
fn all<'a>(
    pages: &[Page],
    made: &'a mut Vec<u8>,
    make: impl FnOnce(&'a mut Vec<u8>) -> Result<Box<dyn Writer + 'a>>,
) {
    written(pages.to_vec(), make, made);
}

fn plain(made: Vec<u8>) -> BTreeMap<u32, usize> {
    words(&String::from_utf8(made).unwrap())
}

/// Counts the words in all parts of a folder of an archive.
fn packed(made: &[u8], folder: &str) -> BTreeMap<u32, usize> {
    let parts = parts(made).into_iter();
    let texts = parts.filter(|(name, _)| name.starts_with(folder));
    let texts: Vec<_> = texts.map(|(_, text)| text).collect();
    words(&texts.join(" "))
}

proptest! {
    #![proptest_config(crate::cases())]

    #[test]
    fn texts_hold_each_word_once(pages in documents()) {
        let mut made = Vec::new();
        all(&pages, &mut made, text);
        prop_assert_eq!(plain(made), said(&pages, false));
    }

    #[test]
    fn markdown_holds_each_word_once(pages in documents()) {
        let mut made = Vec::new();
        all(&pages, &mut made, |output| markdown(output, &facts(), &NoPictures));
        prop_assert_eq!(plain(made), said(&pages, false));
    }

    #[test]
    fn html_holds_each_word_once(pages in documents()) {
        let mut made = Vec::new();
        all(&pages, &mut made, |output| html(output, &facts(), &OnePicture));
        prop_assert_eq!(plain(made), said(&pages, false));
    }

    #[test]
    fn json_holds_each_word_once(pages in documents()) {
        let mut made = Vec::new();
        all(&pages, &mut made, |output| json(output, &facts(), &OnePicture));
        prop_assert_eq!(plain(made), said(&pages, false));
    }

    #[test]
    fn csv_holds_each_word_of_the_tables_once(pages in documents()) {
        let mut made = Vec::new();
        all(&pages, &mut made, |output| csv(output, TableSelection::All));
        prop_assert_eq!(plain(made), said(&pages, true));
    }

    #[test]
    fn docx_holds_each_word_once_in_the_order_of_the_schema(pages in documents()) {
        let made = crate::docx::made(pages.clone());
        assert_consistent(&made);
        assert_order(&made, crate::docx::ORDERS);
        crate::docx::assert_tables(&made);
        prop_assert_eq!(packed(&made, "word/"), said(&pages, false));
    }

    #[test]
    fn xlsx_holds_each_word_of_tables_and_of_pages_without_once(pages in documents()) {
        let (made, _) = crate::xlsx::made(pages.clone());
        assert_consistent(&made);
        assert_order(&made, crate::xlsx::ORDERS);
        let mut expected = said(&pages, true);
        let is_table = |block: &Block| matches!(block.content, Content::Table(_));
        let without: Vec<_> = pages.into_iter().filter(|page| !page.blocks.iter().any(is_table)).collect();
        expected.extend(said(&without, false));
        prop_assert_eq!(packed(&made, "xl/worksheets/"), expected);
    }

    #[test]
    fn pptx_holds_each_word_once_in_the_order_of_the_schema(pages in documents()) {
        let made = crate::pptx::made(pages.clone());
        assert_consistent(&made);
        assert_order(&made, crate::pptx::ORDERS);
        prop_assert_eq!(packed(&made, "ppt/"), said(&pages, false));
    }
}
