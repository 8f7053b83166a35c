//! Reads the words of Markdown line by line: markup characters separate words, targets of links are omitted.

use std::path::Path;

use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;
use super::text::read_text;

/// Calls `take` with each line of a source.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let text = read_text(path)?;
    let mut hidden = Hidden::default();
    let mut is_code = false;
    for line in without_front_matter(&text).lines() {
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        is_code ^= is_fence;
        let is_wanted = !scope.tables_only || (trimmed.starts_with('|') && !is_code);
        if is_wanted && !is_fence && !is_definition(trimmed) {
            let visible = hidden.without_tags(&without_targets(without_marker(line)));
            for cell in visible.split('|') {
                take(Item::Text(cell), Place::default());
                take(Item::Break, Place::default());
            }
        }
        take(Item::Break, Place::default());
    }
    Ok(())
}

/// Calls `take` with each cell of a result, and with an image for each reference to one. Embedded images are definitions.
pub(super) fn read_result(path: &Path, take: Take<'_>) -> Result<(), Unreadable> {
    for line in read_text(path)?.lines() {
        if is_definition(line) && line.contains("]: <data:") || line.contains("]: data:") {
            continue;
        }
        for _ in line.matches("![") {
            take(Item::Image, Place::default());
        }
        for cell in line.split('|') {
            take(Item::Text(cell), Place::default());
            take(Item::Break, Place::default());
        }
    }
    Ok(())
}

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

/// The line without targets of links and without images, whose text is an alternative.
fn without_targets(line: &str) -> String {
    let (mut visible, mut rest) = (String::new(), line);
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        match before.rfind("![") {
            Some(image) => visible.push_str(before.get(..image).unwrap_or_default()),
            None => visible.push_str(before),
        }
        rest = after
            .find(')')
            .and_then(|end| after.get(end + 1..))
            .unwrap_or_default();
        visible.push(' ');
    }
    visible + rest
}

/// Tags, comments and character references of HTML within Markdown.
#[derive(Default)]
struct Hidden {
    is_comment: bool,
}

impl Hidden {
    fn without_tags(&mut self, line: &str) -> String {
        let (mut visible, mut rest) = (String::new(), line);
        loop {
            if self.is_comment {
                let Some(end) = rest.find("-->") else {
                    return visible;
                };
                rest = rest.get(end + 3..).unwrap_or_default();
                self.is_comment = false;
            }
            let Some(at) = rest.find(['<', '&']) else {
                return visible + rest;
            };
            let (before, after) = rest.split_at(at);
            visible.push_str(before);
            if after.starts_with("<!--") {
                self.is_comment = true;
                rest = after.get(4..).unwrap_or_default();
                continue;
            }
            let end = match after.starts_with('&') {
                true => after.find(';').filter(|end| *end < 10),
                false => after.find('>').filter(|_| is_tag(after)),
            };
            rest = after
                .get(end.map_or(1, |end| end + 1)..)
                .unwrap_or_default();
            visible.push(' ');
        }
    }
}

/// Whether text begins with a tag rather than with a comparison or an address.
fn is_tag(text: &str) -> bool {
    let name = text.trim_start_matches(['<', '/']);
    let is_address = name.split('>').next().is_some_and(|inner| {
        let first = inner.split_whitespace().next().unwrap_or_default();
        first.contains(':') || first.contains('@')
    });
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_not_text() {
        let shown = |line: &str| Hidden::default().without_tags(&without_targets(line));
        assert_eq!(shown("a [b](http://c) ![d](e.png) f"), "a [b    f");
        assert_eq!(
            shown("1 < 2 <b class=x>bold</b> <https://e.org>"),
            "1   2  bold   https://e.org>"
        );
        assert_eq!(shown("R&amp;D <!-- no --> yes"), "R D  yes");
    }
}
