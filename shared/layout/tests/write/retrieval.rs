//! Page markers of Markdown, and chunks and candidates of JSON.

use layout::analysis::{Candidate, Kind};
use layout::writers::{NoPictures, json_with_chunks, markdown_with_page_markers};
use layout::{Block, Page, Rect};
use serde_json::{Value, json};

use crate::document::{PORTRAIT, facts, heading, page, paragraph, run, table};
use crate::golden::written;

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
    crate::document::block(layout::Content::Table(table(2, 1, rows)))
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

#[test]
fn json_has_chunks_of_sections() {
    let directory = tempfile::tempdir().unwrap();
    let mut made = Vec::new();
    written(
        pages(),
        |output| json_with_chunks(output, &facts(), &NoPictures, 100, directory.path()),
        &mut made,
    );
    let made: Value = serde_json::from_slice(&made).unwrap();
    assert_eq!(made["pages"].as_array().unwrap().len(), 3);
    assert_eq!(
        made["chunks"],
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
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
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
