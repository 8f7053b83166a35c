//! YAML front matter: metadata between two lines of `---` at the beginning of a file.

/// Returns the title in the front matter and the text after it.
pub(super) fn split(text: &str) -> (Option<String>, &str) {
    match find(text) {
        Some((front, rest)) => (title(front), rest),
        None => (None, text),
    }
}

/// Splits front matter from the text after it; `None` if there is none: a text may also begin with a thematic break.
fn find(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    let (mut end, mut has_names) = (first.len(), false);
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            let front = text.get(first.len()..end)?;
            let rest = text.get(end + line.len()..)?;
            return has_names.then_some((front, rest));
        }
        let is_named = named(line).is_some();
        has_names |= is_named;
        // Other lines of a YAML mapping are blank, indented, comments or list items.
        let goes_on = line.trim().is_empty() || line.starts_with([' ', '\t', '#', '-']);
        if !is_named && !(goes_on && (has_names || line.starts_with('#'))) {
            return None;
        }
        end += line.len();
    }
    None
}

/// Splits a line into key and value.
fn named(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    let is_apart = value.is_empty() || value.starts_with(char::is_whitespace);
    (is_name && is_apart).then_some((name.trim_end(), value.trim()))
}

fn title(front: &str) -> Option<String> {
    let mut entries = front.lines().filter_map(named);
    let (_, value) = entries.rfind(|(name, _)| name.eq_ignore_ascii_case("title"))?;
    let quoted = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    let title = match (quoted('"'), quoted('\'')) {
        (Some(title), _) => title.replace("\\\"", "\""),
        (_, Some(title)) => title.replace("''", "'"),
        // Multi-line and structured values are ignored.
        _ if value.starts_with(['|', '>', '[', '{', '&', '*', '!', '"', '\'']) => return None,
        _ => value
            .split(" #")
            .next()
            .unwrap_or_default()
            .trim_end()
            .to_owned(),
    };
    Some(title).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn front_matter_is_split_from_the_text() {
        for (text, title, rest) in [
            ("---\ntitle: Front\n---\n# T\n", Some("Front"), "# T\n"),
            (
                "---\r\nTitle: \"A \\\"b\\\": c\"\r\ntags:\r\n- x\r\n\r\n# why\r\n...\r\nT",
                Some("A \"b\": c"),
                "T",
            ),
            ("---\ntitle: 'It''s' \n---\n", Some("It's"), ""),
            ("---\ntitle: one # two\n---\n", Some("one"), ""),
            ("---\ntitle: >\n  long\n---\n", None, ""),
            ("---\ndate: 2026-11-14\n---\nT", None, "T"),
        ] {
            let (found, left) = split(text);
            assert_eq!((found.as_deref(), left), (title, rest), "{text}");
        }
    }

    #[test]
    fn texts_without_front_matter_are_unchanged() {
        for text in [
            "---\n\nA rule: and text\n\n---\n",
            "---\nWords between rules\n---\n",
            "---\ntitle: never ended\n",
            "---\nSee https://example.com\n---\n",
            "text\n---\ntitle: x\n---\n",
            "---\n---\n",
            "",
        ] {
            assert_eq!(split(text), (None, text), "{text}");
        }
    }
}
