//! Documents with ground truth: each block is read as its kind.

use layout::{Block, Content, Page, Run, plain};
use markup::{Options, read};
use serde_json::{Value, json};

use crate::corpus;

#[test]
fn documents_match_their_ground_truth() {
    let documents = corpus::documents(&["layout-truth"]);
    assert!(documents.len() >= 8);
    for (name, path, format) in documents {
        let truth = std::fs::read(path.with_extension("json")).unwrap();
        let truth: Value = serde_json::from_slice(&truth).unwrap();
        let document = read(&path, format, &Options::default()).unwrap();
        assert_eq!(document.warnings, [], "{name}");
        let said: Vec<Value> = document
            .pages
            .iter()
            .flat_map(|page| &page.blocks)
            .flat_map(said)
            .collect();
        let known: Vec<Value> = truth["blocks"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(known)
            .collect();
        assert_eq!(json!(said), json!(known), "{name}");
        assert_eq!(
            margin(&document.pages, |page| &page.header),
            expected(&truth["header"]),
            "{name}"
        );
        assert_eq!(
            margin(&document.pages, |page| &page.footer),
            expected(&truth["footer"]),
            "{name}"
        );
    }
}

/// Converts a block of the model to the notation of the ground truth.
fn said(block: &Block) -> Vec<Value> {
    match &block.content {
        Content::Heading { level, runs, .. } => vec![json!(["heading", level, words(runs)])],
        Content::Paragraph { runs, .. } => vec![json!(["paragraph", words(runs), emphasis(runs)])],
        Content::List { items } => items
            .iter()
            .map(|item| json!(["item", item.level, item.ordered, words(&item.runs)]))
            .collect(),
        Content::Table(table) => {
            let mut rows = vec![vec![String::new(); table.widths.len()]; table.rows];
            let mut merges = Vec::new();
            for cell in &table.cells {
                let runs: Vec<String> = cell.blocks.iter().map(text).collect();
                rows[cell.row][cell.column] = runs.join("\n");
                if cell.row_span * cell.column_span > 1 {
                    merges.push(json!([
                        cell.row,
                        cell.column,
                        cell.row + cell.row_span - 1,
                        cell.column + cell.column_span - 1
                    ]));
                }
            }
            merges.sort_by_key(Value::to_string);
            vec![json!(["table", rows, table.header_rows > 0, merges])]
        }
        Content::Image { alternative, .. } => vec![json!(["image", alternative])],
        Content::Rule | Content::Footnote { .. } => vec![json!(["other"])],
    }
}

/// Converts a block of the ground truth to the same notation; none if it is not compared.
fn known(block: &Value) -> Vec<Value> {
    vec![match block["type"].as_str().unwrap() {
        "heading" => json!(["heading", block["level"], block["text"]]),
        "paragraph" => {
            let runs = block["runs"].as_array().unwrap();
            let marked = runs
                .iter()
                .filter(|run| run["bold"] == true || run["italic"] == true);
            let marked: Vec<&str> = marked
                .filter_map(|run| run["text"].as_str())
                .map(str::trim)
                .collect();
            json!(["paragraph", block["text"], marked.concat()])
        }
        "list" => {
            let items = block["items"].as_array().unwrap().iter();
            return items
                .map(|item| json!(["item", item["level"], block["ordered"], item["text"]]))
                .collect();
        }
        "table" => {
            let mut merges = block["merges"].as_array().unwrap().clone();
            merges.sort_by_key(Value::to_string);
            json!(["table", block["rows"], block["header_row"], merges])
        }
        "image" => json!(["image", block["alt"]]),
        "page_break" | "section_break" => return Vec::new(),
        other => panic!("{other}"),
    }]
}

fn emphasis(runs: &[Run]) -> String {
    let marked = runs.iter().filter(|run| run.style.bold || run.style.italic);
    marked.map(|run| run.text.trim()).collect()
}

fn words(runs: &[Run]) -> String {
    plain(runs)
}

fn text(block: &Block) -> String {
    match &block.content {
        Content::Paragraph { runs, .. } => plain(runs),
        other => panic!("{other:?}"),
    }
}

fn margin(pages: &[Page], of: impl Fn(&Page) -> &Vec<Block>) -> Option<String> {
    let first = pages.first().map(of)?;
    (!first.is_empty()).then(|| first.iter().map(text).collect::<Vec<_>>().join("\n"))
}

fn expected(margin: &Value) -> Option<String> {
    // The page number is a field without a stored result.
    let text = margin.as_str()?.replace("{PAGE}", "");
    Some(text.trim().to_owned())
}
