//! Reads the words of Markdown: its markup characters separate words, targets of links are omitted, the rest is read as HTML.

mod formula;
mod source_tables;

use std::collections::HashSet;
use std::path::Path;

use self::source_tables::SourceTables;
use super::html;
use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;
use super::text::read_text;

/// Calls `take` with the text of a source, notes last. What remains without Markdown's own markup is HTML.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    let text = read_text(path)?;
    let text = without_front_matter(&text);
    let labels = text.lines().filter_map(note);
    let labels: HashSet<&str> = labels.map(|(label, _)| label).collect();
    let (mut page, mut notes) = (String::new(), String::new());
    let (mut fence, mut is_note) = (None, false);
    let mut tables = SourceTables::default();
    for line in text.lines() {
        let note = note(line).filter(|_| fence.is_none()).map(|(_, text)| text);
        is_note = note.is_some() || (is_note && line.starts_with([' ', '\t']));
        let page = if is_note { &mut notes } else { &mut page };
        let line = without_labels(note.unwrap_or(line), &labels);
        let trimmed = line.trim_start();
        let before = fence;
        if !trimmed.starts_with('>') {
            fence = next_fence(fence, trimmed);
        }
        let is_fence = fence != before;
        let is_code = fence.is_some();
        let is_row = trimmed.starts_with('|') && !is_code;
        if tables.begins(&line, is_code) {
            take(Item::Table, Place::default());
        }
        let is_wanted = !scope.tables_only || is_row;
        if is_wanted && !is_fence && !is_definition(trimmed) {
            let visible = without_targets(without_marker(&line));
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
    take(Item::Break, Place::default());
    take(Item::Aside(true), Place::default());
    html::read_markup(&notes, everywhere, take);
    take(Item::Aside(false), Place::default());
    Ok(())
}

/// Whether the text has style sheets or elements with styles.
pub(super) fn has_styles(path: &Path) -> Result<bool, Unreadable> {
    const SIGNS: [&str; 4] = ["<style", "<link", " style=", " class="];
    let text = read_text(path)?.to_ascii_lowercase();
    Ok(SIGNS.iter().any(|sign| text.contains(sign)))
}

/// The label and the text of a note that a line defines.
fn note(line: &str) -> Option<(&str, &str)> {
    let indented = line.trim_start_matches(' ');
    let (label, text) = indented.strip_prefix("[^")?.split_once("]:")?;
    let is_label = !label.is_empty() && !label.contains([' ', '[', ']']);
    (line.len() - indented.len() < 4 && is_label).then_some((label, text))
}

/// The line without the labels of these notes, which results number themselves.
fn without_labels(line: &str, labels: &HashSet<&str>) -> String {
    let mut parts = line.split("[^");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part
            .split_once(']')
            .filter(|(label, _)| labels.contains(label))
        {
            Some((_, rest)) => text = text + " " + rest,
            None => text = text + "[^" + part,
        }
    }
    text
}

/// The tag that ends a cell.
const CELL_END: &str = "<br>";

/// Calls `take` with each cell of a result, and with an image for each reference to one. Embedded images are definitions. If
/// `labels_are_text`, the source has the labels of its notes as text, and the result may number them differently.
pub(super) fn read_result(
    path: &Path,
    labels_are_text: bool,
    take: Take<'_>,
) -> Result<(), Unreadable> {
    let mut fence = None;
    let (mut was_row, mut is_second_row) = (false, false);
    for line in read_text(path)?.lines() {
        if is_definition(line) && line.contains("]: <data:") || line.contains("]: data:") {
            continue;
        }
        for (at, sign) in line.match_indices("![") {
            take(Item::Image, Place::default());
            let image = line.get(at + sign.len()..).unwrap_or_default();
            let end = image.find("](").or_else(|| image.find("]["));
            if let Some(words) = end.and_then(|end| image.get(..end)) {
                take(Item::Alternative(words), Place::default());
            }
        }
        let before = fence;
        fence = next_fence(fence, line);
        let (line, notes) = match before.or(fence) {
            Some(_) => (line.to_owned(), 0),
            None => displayed(line),
        };
        if fence.is_none() && begins_table(&line, is_second_row) {
            take(Item::Table, Place::default());
        }
        is_second_row = is_row(&line) && !was_row;
        was_row = is_row(&line);
        let markers = if labels_are_text { notes } else { 0 };
        for _ in 0..markers {
            take(Item::Marker, Place::default());
        }
        // Rows of tables with spanning cells are HTML, one a line.
        if fence.is_none() && line.trim_start_matches(['>', ' ']).starts_with("<tr>") {
            let everything = Scope {
                is_result: true,
                ..Scope::default()
            };
            html::read_markup(&line, everything, take);
            continue;
        }
        for cell in line.split('|') {
            take(Item::Text(cell), Place::default());
            take(Item::Break, Place::default());
        }
    }
    Ok(())
}

/// Whether a line is the one below the first row of a table, or begins a table in HTML.
fn begins_table(line: &str, is_second_row: bool) -> bool {
    let is_rule = |sign| matches!(sign, '|' | '-' | ':' | ' ' | '>');
    line.trim_start_matches(['>', ' ']).starts_with("<table")
        || (is_second_row && line.chars().all(is_rule))
}

fn is_row(line: &str) -> bool {
    line.trim_start_matches(['>', ' ']).starts_with('|')
}

/// The character and length of the fence of code that is open after a line.
fn next_fence(open: Option<(char, usize)>, line: &str) -> Option<(char, usize)> {
    let text = line.trim_start_matches(['>', ' ']);
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'));
    let after = text.trim_start_matches(|character| Some(character) == sign);
    let length = text.len() - after.len();
    match (open, sign) {
        (None, Some(sign)) => (length >= 3 && !after.contains('`')).then_some((sign, length)),
        (Some((open, least)), Some(sign))
            if sign == open && length >= least && after.trim().is_empty() =>
        {
            None
        }
        (open, _) => open,
    }
}

/// The line without tags within words, links' targets and labels of notes, with the characters of formulas, and the number of these
/// labels. Escaped characters and code are text.
fn displayed(line: &str) -> (String, usize) {
    let (mut text, mut notes, mut rest) = (String::new(), 0, line);
    // Where brackets are open in the text, and whether they begin a link.
    let mut brackets: Vec<(usize, bool)> = Vec::new();
    // Those that begin a link: its words may be parts of words.
    let mut links: Vec<usize> = Vec::new();
    while let Some(at) = rest.find(['\\', '`', '<', '[', ']', '$']) {
        let (before, markup) = rest.split_at(at);
        text.push_str(before);
        if let Some((characters, length)) = formula::read(markup) {
            text.push_str(&characters);
            rest = markup.get(length..).unwrap_or_default();
            continue;
        }
        let length = match markup.as_bytes().first() {
            Some(b'\\') => escape_length(markup),
            Some(b'`') => code_length(markup),
            _ => 0,
        };
        let label = note_label(markup);
        let tag = INLINE_TAGS.iter().find(|tag| markup.starts_with(**tag));
        let link = link_end(markup);
        if markup.starts_with('[') && label.is_none() {
            brackets.push((text.len(), !text.ends_with('!')));
        } else if markup.starts_with(']')
            && let Some((bracket, true)) = brackets.pop()
            && link.is_some()
        {
            links.push(bracket);
        }
        let dropped = label.or(tag.map(|tag| tag.len())).or(link).unwrap_or(0);
        notes += usize::from(label.is_some());
        let kept = if dropped == 0 { length.max(1) } else { 0 };
        text.push_str(markup.get(..kept).unwrap_or_default());
        rest = markup.get(kept.max(dropped)..).unwrap_or_default();
    }
    text.push_str(rest);
    links.sort_unstable();
    let (mut shown, mut from) = (String::with_capacity(text.len()), 0);
    for bracket in links {
        shown.push_str(text.get(from..bracket).unwrap_or_default());
        from = bracket + 1;
    }
    shown.push_str(text.get(from..).unwrap_or_default());
    (shown, notes)
}

/// Length in bytes of the end of a link: `](target)`, or `](<target>)` if it has parentheses.
fn link_end(markup: &str) -> Option<usize> {
    let target = markup.strip_prefix("](")?;
    let end = if target.starts_with('<') { ">)" } else { ")" };
    Some("](".len() + target.find(end)? + end.len())
}

/// Length in bytes of a backslash and the character after it.
fn escape_length(markup: &str) -> usize {
    let after = markup.chars().nth(1);
    1 + after.map_or(0, char::len_utf8)
}

/// Length in bytes of a code span, or of the backticks that begin none.
fn code_length(markup: &str) -> usize {
    let after = markup.trim_start_matches('`');
    let ticks = markup.len() - after.len();
    let mut from = 0;
    while let Some(at) = after.get(from..).and_then(|rest| rest.find('`')) {
        let end = after.get(from + at..).unwrap_or_default();
        let length = end.len() - end.trim_start_matches('`').len();
        if length == ticks {
            return ticks + from + at + ticks;
        }
        from += at + length;
    }
    ticks
}

/// Length in bytes of the label of a note: `[^12]`.
fn note_label(markup: &str) -> Option<usize> {
    let label = markup.strip_prefix("[^")?;
    let rest = label.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (rest.len() < label.len() && rest.starts_with(']')).then_some(markup.len() - rest.len() + 1)
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

/// The text without the YAML mapping at its beginning.
fn without_front_matter(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.split_inclusive('\n');
    if lines.next().map(str::trim_end) != Some("---") {
        return text;
    }
    let (mut length, mut has_key) = (text.find('\n').map_or(0, |end| end + 1), false);
    for line in lines {
        length += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return text.get(length..).filter(|_| has_key).unwrap_or(text);
        }
        let is_entry = line.split_once(':').is_some_and(|(key, value)| {
            key.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
                && value.starts_with(char::is_whitespace)
        });
        let goes_on = line.trim().is_empty() || line.starts_with([' ', '\t', '#', '-']);
        if !is_entry && !goes_on {
            return text;
        }
        has_key |= is_entry;
    }
    text
}

/// Whether a line defines the target of links.
fn is_definition(line: &str) -> bool {
    line.starts_with('[') && !line.starts_with("[^") && line.contains("]:")
}

/// The line without the number of a list item, which results count themselves.
fn without_marker(line: &str) -> &str {
    let text = line.trim_start_matches(['>', ' ', '\t']);
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let item = match rest.strip_prefix(['.', ')']) {
        Some(item) if rest.len() < text.len() => item,
        _ => line,
    };
    without_box(item)
}

/// The line without the check box of a list item, which results draw.
fn without_box(line: &str) -> &str {
    let item = line.trim_start_matches(['>', ' ', '\t', '-', '*', '+']);
    let boxes = ["[x] ", "[X] ", "[ ] "];
    let text = boxes.iter().find_map(|sign| item.strip_prefix(sign));
    text.unwrap_or(line)
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
    use crate::content::test_files;

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
        assert_eq!(
            text("- [x] done\n- [ ] open\n1. [X] y [x] z"),
            "done open y [x] z"
        );
        assert_eq!(text("\u{feff}---\r\ntitle: no\r\n...\r\nyes"), "yes");
        assert_eq!(text("---\nprose\n---\nyes"), "--- prose --- yes");
        assert_eq!(
            text("a[^1] b[^n] c[^x]\n\n[^1]: one\n\n[^n]: two\n    three\n\nd"),
            "a b c[^x] d one two three"
        );
    }

    #[test]
    fn inline_tags_of_results_separate_no_words() {
        let items = test_files::items(
            b"cmol<sub>c</sub> d<sup><em>th</em></sup>[^2] | ![a](b) [^a-z]",
            |path, take| read_result(path, true, take),
        );
        assert_eq!(items.unwrap(), "*cmolc dth | ![a [^a-z]|");
    }

    #[test]
    fn cells_of_html_tables_are_text() {
        let table =
            b"<table>\n<tr><td colspan=\"2\">R&amp;D<sup>2</sup></td><td>b</td></tr>\n</table>";
        let items = test_files::items(table, |path, take| read_result(path, true, take)).unwrap();
        assert!(
            items.contains("R&D2") && !items.contains("colspan"),
            "{items}"
        );
    }

    #[test]
    fn escaped_tags_and_those_in_code_are_text() {
        let shown = |line| displayed(line).0;
        assert_eq!(shown(r"a \<em> b<em>c</em>"), r"a \<em> bc");
        assert_eq!(
            shown("`<em>` ``a ` <sub>`` x<sub>2</sub>"),
            "`<em>` ``a ` <sub>`` x2"
        );
        assert_eq!(shown("`a <em>b</em>"), "`a b");
        assert_eq!(
            displayed(r"a[^1] \[^2] `[^3]` [4] é\é"),
            (r"a \[^2] `[^3]` [4] é\é".to_owned(), 1)
        );
        assert_eq!(shown("a[i] [x](y) b[z"), "a[i] x b[z");
        assert_eq!(
            shown(r"a $x_{ij}^2$, \$x_i$ and `$y_i$`"),
            r"a xij2, \$x_i$ and `$y_i$`"
        );
        let linked = "un[x](https://a.example)ed [z](<https://a.example/(b)>) `[y](z)`";
        assert_eq!(shown(linked), "unxed z `[y](z)`");
        let fenced = test_files::items(b"```\n<em>\n```\n<em>x", |path, take| {
            read_result(path, true, take)
        });
        assert_eq!(fenced.unwrap(), "```|<em>|```|x|");
        let nested = b"> ````\n> ```\n> <em>\n> ````\n> <em>x";
        let nested = test_files::items(nested, |path, take| read_result(path, true, take));
        assert_eq!(nested.unwrap(), "> ````|> ```|> <em>|> ````|> x|");
    }
}
