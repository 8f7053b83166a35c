//! Deeply nested content is in every result.

use std::io::Cursor;

use domain::format::Format;
use serde_json::json;

use super::{converted, pairs};
use crate::harness;

const DEPTH: usize = 40;

/// Nested tables with a word next to each; a nested list; nested quotes.
fn pages() -> [String; 3] {
    let around = |open: fn(usize) -> String, close: &str| {
        let opened: String = (0..DEPTH).map(open).collect();
        opened + "innermost" + &close.repeat(DEPTH)
    };
    [
        around(
            |depth| format!("<table><tr><td>word{depth}<td>"),
            "</table>",
        ),
        around(|depth| format!("<ul><li>word{depth}"), "</ul>"),
        around(
            |depth| format!("<blockquote><p>word{depth}</p>"),
            "</blockquote>",
        ),
    ]
}

/// The text of a file, or of the parts of a package.
fn written(bytes: &[u8]) -> String {
    let Ok(mut package) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return String::from_utf8(bytes.to_vec()).unwrap();
    };
    let parts = 0..package.len();
    parts
        .map(|part| std::io::read_to_string(package.by_index(part).unwrap()).unwrap())
        .collect()
}

#[test]
fn every_nested_word_is_in_every_result() {
    let targets = pairs()
        .into_iter()
        .filter(|(from, _)| *from == Format::Html);
    let cases = targets.flat_map(|(_, to)| pages().map(|page| (page, to)));
    let cases = cases.filter(|(page, to)| {
        page.starts_with("<table>") || !matches!(to, Format::Xlsx | Format::Csv)
    });
    harness::each(cases.collect(), |(page, to)| {
        let result = converted(page.as_bytes(), Format::Html, to.id(), json!({}));
        let dissolved = page
            .starts_with("<table>")
            .then_some("nested_tables_dissolved");
        assert_eq!(result.warnings(), Vec::from_iter(dissolved), "{to}");
        let text = written(&result.bytes());
        for depth in 0..DEPTH {
            let word = format!("word{depth}");
            assert!(text.contains(&word), "{to}: {word} is not in {text}");
        }
        assert!(text.contains("innermost"), "{to}: {text}");
    });
}
