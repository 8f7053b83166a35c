//! Page markers of Markdown, and chunks and candidates of JSON.

use layout::analysis::{Candidate, Kind};
use layout::writers::{NoPictures, json_with_chunks, markdown_with_page_markers};
use layout::{Block, Content, Page, Rect, Run};
use proptest::prelude::{Strategy, prop, prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};

use crate::document::{PORTRAIT, block, facts, heading, item, page, paragraph, run, table};
use crate::golden::written;
use crate::markdown::looks;

/// Creates pages without header and footer.
fn pages() -> Vec<Page> {
    let bare = |number, blocks| Page {
        header: Vec::new(),
        footer: Vec::new(),
        ..page(number, PORTRAIT, blocks)
    };
    vec![
        bare(
            1,
            vec![heading(1, "One"), paragraph(vec![run("First text.")])],
        ),
        bare(2, Vec::new()),
        bare(
            3,
            vec![heading(2, "Two"), table_block(&[&["a", "b"], &["1", "2"]])],
        ),
    ]
}

fn table_block(rows: &[&[&str]]) -> Block {
    block(Content::Table(table(2, 1, rows)))
}

#[test]
fn markdown_marks_each_page_before_its_first_block() {
    let mut made = Vec::new();
    written(
        pages(),
        |output| markdown_with_page_markers(output, &facts(), &NoPictures),
        &mut made,
    );
    let expected = "<!-- page 1 -->\n\n# One\n\nFirst text.\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\n## Two\n\n\
                    | a | b |\n| --- | --- |\n| 1 | 2 |\n";
    assert_eq!(String::from_utf8(made).unwrap(), expected);
}

/// Returns the chunks of pages.
fn chunks(pages: Vec<Page>, max_tokens: usize) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let mut made = Vec::new();
    written(
        pages,
        |output| json_with_chunks(output, &facts(), &NoPictures, max_tokens, directory.path()),
        &mut made,
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    let mut made: Value = serde_json::from_slice(&made).unwrap();
    made["chunks"].take()
}

/// Generates paragraphs, headings, footnotes and lists full of markup.
fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let runs = prop::collection::vec(looks(), 1..12).prop_map(|runs| runs.concat());
    let block = (0..4_u8, runs).prop_map(|(kind, runs)| match kind {
        0 => heading(2, &layout::plain(&runs)),
        1 => block(Content::Footnote {
            label: "*".to_owned(),
            runs,
        }),
        2 => block(Content::List {
            items: runs.iter().map(|run| item(0, "•", &run.text)).collect(),
        }),
        _ => paragraph(runs),
    });
    prop::collection::vec(block, 1..8)
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the letters of blocks.
fn letters_of(blocks: &[Block]) -> String {
    let of = |block: &Block| match &block.content {
        Content::List { items } => items.iter().flat_map(|item| item.runs.clone()).collect(),
        Content::Heading { runs, .. }
        | Content::Paragraph { runs, .. }
        | Content::Footnote { runs, .. } => runs.clone(),
        _ => Vec::<Run>::new(),
    };
    let runs: Vec<Run> = blocks.iter().flat_map(of).collect();
    letters(&layout::plain(&runs))
}

proptest! {
    #![proptest_config(crate::cases())]

    #[test]
    fn chunks_are_bounded_and_lose_no_letter(blocks in blocks()) {
        let expected = letters_of(&blocks);
        let bare = Page {
            header: Vec::new(),
            footer: Vec::new(),
            ..page(1, PORTRAIT, blocks)
        };
        let mut text = String::new();
        for chunk in chunks(vec![bare], 64).as_array().unwrap() {
            prop_assert!(chunk["tokens"].as_u64().unwrap() <= 64, "{chunk}");
            text.push_str(&chunk["text"].as_str().unwrap().replace("<sup>", "").replace("</sup>", ""));
        }
        let (mut found, mut expected): (Vec<char>, Vec<char>) =
            (letters(&text).chars().collect(), expected.chars().collect());
        // Footnotes follow the other text of their page.
        found.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn json_has_chunks_of_sections() {
    assert_eq!(
        chunks(pages(), 100),
        json!([
            {"text": "# One\n\nFirst text.", "tokens": 6, "pages": [1], "headings": ["One"]},
            {
                "text": "## Two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
                "tokens": 22,
                "pages": [3],
                "headings": ["One", "Two"]
            },
        ])
    );
}

#[test]
fn json_explains_the_next_page() {
    let mut made = Vec::new();
    {
        let mut writer = layout::writers::json(&mut made, &facts(), &NoPictures).unwrap();
        for page in pages() {
            if page.number == 3 {
                writer.candidates(vec![Candidate {
                    kind: Kind::Table,
                    source: "ruled",
                    bounds: Rect::default(),
                    features: vec![("empty", 0.5)],
                    score: 1.5,
                    is_chosen: true,
                }]);
            }
            writer.page(page).unwrap();
        }
        writer.finish().unwrap();
    }
    let made: Value = serde_json::from_slice(&made).unwrap();
    assert_eq!(made["pages"][0].get("candidates"), None);
    let candidate = &made["pages"][2]["candidates"][0];
    assert_eq!(candidate["kind"], "table");
    assert_eq!(candidate["features"], json!([["empty", 0.5]]));
    assert_eq!(candidate["isChosen"], true);
}
