//! What stands before the text of some files, between two lines of three dashes: what is known about the document, as YAML.

/// A text without it, and the title that it tells.
pub(super) fn taken(text: &str) -> (Option<String>, &str) {
    match parted(text) {
        Some((front, rest)) => (title(front), rest),
        None => (None, text),
    }
}

/// It, and the text behind it; none where a text begins otherwise, as it may with a line across it.
fn parted(text: &str) -> Option<(&str, &str)> {
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
        // Nothing else begins a line of YAML that holds names; the first one is no empty line.
        let goes_on = line.trim().is_empty() || line.starts_with([' ', '\t', '#', '-']);
        if !is_named && !(goes_on && (has_names || line.starts_with('#'))) {
            return None;
        }
        end += line.len();
    }
    None
}

/// The name that a line gives to something, and what that is.
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
    let mut told = front.lines().filter_map(named);
    let (_, value) = told.rfind(|(name, _)| name.eq_ignore_ascii_case("title"))?;
    let quoted = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    let title = match (quoted('"'), quoted('\'')) {
        (Some(title), _) => title.replace("\\\"", "\""),
        (_, Some(title)) => title.replace("''", "'"),
        // What goes on in further lines, or is no text, is not read.
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
    use super::taken;

    #[test]
    fn what_is_known_is_taken_off_the_text() {
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
            let (found, left) = taken(text);
            assert_eq!((found.as_deref(), left), (title, rest), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_it_stays() {
        for text in [
            "---\n\nA rule: and text\n\n---\n",
            "---\nWords between rules\n---\n",
            "---\ntitle: never ended\n",
            "---\nSee https://example.com\n---\n",
            "text\n---\ntitle: x\n---\n",
            "---\n---\n",
            "",
        ] {
            assert_eq!(taken(text), (None, text), "{text}");
        }
    }
}
