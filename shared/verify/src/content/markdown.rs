//! Reads the words of Markdown: its markup characters separate words, targets of links are omitted, the rest is read as HTML.

use std::path::Path;

use super::html;
use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;
use super::text::read_text;

/// Calls `take` with the text of a source. What remains without Markdown's own markup is HTML.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let text = read_text(path)?;
    let (mut page, mut is_code) = (String::new(), false);
    for line in without_front_matter(&text).lines() {
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        is_code ^= is_fence;
        let is_row = trimmed.starts_with('|') && !is_code;
        let is_wanted = !scope.tables_only || is_row;
        if is_wanted && !is_fence && !is_definition(trimmed) {
            let visible = without_targets(without_marker(line));
            match (is_code, is_row) {
                (true, _) => page.push_str(&visible.replace(['<', '&'], " ")),
                (_, true) => page.push_str(&(visible.replace('|', CELL_END) + CELL_END)),
                _ => page.push_str(&visible),
            }
        }
        page.push('\n');
    }
    let everywhere = Scope {
        tables_only: false,
        ..scope
    };
    html::read_markup(&page, everywhere, take);
    Ok(())
}

/// The tag that ends a cell.
const CELL_END: &str = "<br>";

/// Calls `take` with each cell of a result, and with an image for each reference to one. Embedded images are definitions.
pub(super) fn read_result(path: &Path, take: Take<'_>) -> Result<(), Unreadable> {
    for line in read_text(path)?.lines() {
        if is_definition(line) && line.contains("]: <data:") || line.contains("]: data:") {
            continue;
        }
        for _ in line.matches("![") {
            take(Item::Image, Place::default());
        }
        let (line, notes) = without_note_labels(line);
        for _ in 0..notes {
            take(Item::Marker, Place::default());
        }
        for cell in line.split('|') {
            // These tags separate no words.
            let tags = INLINE_TAGS.iter();
            let cell = tags.fold(cell.to_owned(), |cell, tag| cell.replace(tag, ""));
            take(Item::Text(&cell), Place::default());
            take(Item::Break, Place::default());
        }
    }
    Ok(())
}

/// The line without the labels of notes, which results number themselves, and the number of these labels.
fn without_note_labels(line: &str) -> (String, usize) {
    let mut parts = line.split("[^");
    let (mut text, mut count) = (parts.next().unwrap_or_default().to_owned(), 0);
    for part in parts {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        match rest.strip_prefix(']').filter(|_| rest.len() < part.len()) {
            Some(rest) => {
                text.push_str(rest);
                count += 1;
            }
            None => text = text + "[^" + part,
        }
    }
    (text, count)
}

/// Tags within words.
const INLINE_TAGS: [&str; 8] = [
    "<sub>",
    "</sub>",
    "<sup>",
    "</sup>",
    "<em>",
    "</em>",
    "<strong>",
    "</strong>",
];

/// The text without the YAML block at its beginning.
fn without_front_matter(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else {
        return text;
    };
    let end = rest.find("\n---\n");
    end.and_then(|end| rest.get(end + 5..)).unwrap_or(text)
}

/// Whether a line defines the target of links.
fn is_definition(line: &str) -> bool {
    line.starts_with('[') && !line.starts_with("[^") && line.contains("]:")
}

/// The line without the number of a list item, which results count themselves.
fn without_marker(line: &str) -> &str {
    let text = line.trim_start_matches(['>', ' ', '\t']);
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    match rest.strip_prefix(['.', ')']) {
        Some(item) if rest.len() < text.len() => item,
        _ => line,
    }
}

/// The line without targets of links and labels of references, and without images, whose text is an alternative.
fn without_targets(line: &str) -> String {
    let (mut visible, mut rest) = (String::new(), line);
    while let Some((at, end)) = target(rest) {
        let (before, after) = rest.split_at(at);
        match before.rfind("![") {
            Some(image) => visible.push_str(before.get(..image).unwrap_or_default()),
            None => visible.push_str(before),
        }
        rest = after
            .get(2..)
            .and_then(|after| after.split_once(end))
            .map_or("", |(_, after)| after);
        visible.push(' ');
    }
    visible + rest
}

/// The position of the first target of a link or label of a reference, and the character that ends it.
fn target(line: &str) -> Option<(usize, char)> {
    let mut ends = line.match_indices(']');
    ends.find_map(|(at, _)| match line.as_bytes().get(at + 1) {
        Some(b'(') => Some((at, ')')),
        Some(b'[') => Some((at, ']')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::written;

    fn text(source: &str) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), source).unwrap();
        let mut found = String::new();
        let mut take = |item: Item<'_>, _| {
            if let Item::Text(text) = item {
                found.push_str(text);
            }
        };
        read(file.path(), Scope::default(), &mut take).unwrap();
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn markup_is_not_text() {
        assert_eq!(text("a [b](http://c) ![d](e.png) f"), "a [b f");
        assert_eq!(text("a [b][c] d [e][] f [g](h)"), "a [b d [e f [g");
        assert_eq!(text("1 < 2 <b\nclass=x>bold</b>"), "1 < 2 bold");
        assert_eq!(text("R&amp;D <!-- no\n --> yes"), "R&D yes");
        assert_eq!(
            text("<style>p {}</style>\n<svg><desc>no</desc><text>drawn</text></svg> seen"),
            "drawn seen"
        );
        assert_eq!(text("```rust\nlet x: <T>;\n```\nend"), "let x: T>; end");
    }

    #[test]
    fn inline_tags_of_results_separate_no_words() {
        let items = written::items(
            b"cmol<sub>c</sub> d<sup><em>th</em></sup>[^2] | ![a](b) [^a-z]",
            |path, take| read_result(path, take),
        );
        assert_eq!(items.unwrap(), "*cmolc dth | ![a](b) [^a-z]|");
    }
}
