//! Text is legible on white paper.

use layout::writers::html;
use layout::{Block, Cell, Content, Page, Run, Table};

use crate::archive::part;
use crate::document::{OnePicture, PORTRAIT, block, facts, item, page, paragraph, run, table};
use crate::golden::written;
use crate::{docx, pptx};

fn colored(text: &str, color: [u8; 3]) -> Run {
    let mut run = run(text);
    run.style.color = Some(color);
    run
}

/// Creates pages with white and red text in every possible place.
fn pages() -> Vec<Page> {
    let both = || vec![colored("white", [255; 3]), colored("red", [200, 0, 0])];
    let items = vec![layout::Item {
        runs: both(),
        ..item(0, "1.", "")
    }];
    let cells = vec![Cell {
        row: 0,
        column: 0,
        blocks: vec![paragraph(both())],
        ..Cell::default()
    }];
    let table = Table {
        cells,
        ..table(1, 0, &[&[""]])
    };
    let blocks: Vec<Block> = [Content::List { items }, Content::Table(table)]
        .into_iter()
        .map(block)
        .chain([paragraph(both())])
        .collect();
    vec![Page {
        header: vec![paragraph(both())],
        ..page(1, PORTRAIT, blocks)
    }]
}

#[test]
fn white_text_is_black_where_pages_flow_and_others_keep_their_color() {
    let mut made = Vec::new();
    written(
        pages(),
        |output| html(output, &facts(), &OnePicture),
        &mut made,
    );
    let page = String::from_utf8(made).unwrap().to_lowercase();
    let document = docx::made(pages());
    let header = part(&document, "word/header1.xml").to_lowercase();
    let document = part(&document, "word/document.xml").to_lowercase();
    let slide = part(&pptx::made(pages()), "ppt/slides/slide1.xml").to_lowercase();
    for (text, count) in [(page, 4), (document, 3), (header, 1), (slide, 4)] {
        assert_eq!(text.matches("white").count(), count, "{text}");
        assert!(
            !text.contains("ffffff\"") && !text.contains("#ffffff"),
            "{text}"
        );
        assert_eq!(text.matches("c80000").count(), count, "{text}");
    }
}
