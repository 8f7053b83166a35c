//! Escapes text for Markdown.

/// Escapes inline markup; in a table also bars; if `ends_piece`, also a final character that would change the text after it.
pub(super) fn text(text: &str, in_table: bool, ends_piece: bool) -> String {
    let characters: Vec<char> = shown(text).chars().collect();
    let mut escaped = String::with_capacity(text.len());
    for (index, character) in characters.iter().enumerate() {
        let before = index
            .checked_sub(1)
            .and_then(|before| characters.get(before));
        let after = characters.get(index + 1);
        let is_markup = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
            '|' => in_table,
            '_' => !(is_letter(before) && is_letter(after)),
            '&' => after.is_some_and(|after| after.is_ascii_alphanumeric() || *after == '#'),
            '!' => ends_piece && after.is_none(),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(*character);
    }
    escaped
}

/// Escapes block markup at the beginning of a line, in text with escaped inline markup.
pub(super) fn line_start(text: &str) -> String {
    let text = text.trim_start_matches([' ', '\t']);
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits).unwrap_or((text, ""));
    let is_counted = (1..=9).contains(&digits) && rest.starts_with(['.', ')']);
    let ends = |rest: &str| rest.chars().nth(1).is_none_or(char::is_whitespace);
    let is_marked = match rest.chars().next() {
        _ if digits > 0 => is_counted && ends(rest),
        Some('+') => ends(rest),
        Some('#' | '-' | '=' | '>') => true,
        _ => false,
    };
    if is_marked {
        format!("{number}\\{rest}")
    } else {
        text.to_owned()
    }
}

/// Escapes closing `#` signs of a heading.
pub(super) fn heading_end(text: &str) -> String {
    match text.strip_suffix('#') {
        Some(rest) => format!("{rest}\\#"),
        None => text.to_owned(),
    }
}

/// Returns a text without control characters.
pub(super) fn shown(text: &str) -> String {
    let is_shown = |c: &char| matches!(c, '\n' | '\t') || !c.is_control();
    text.chars().filter(is_shown).collect()
}

/// Returns a code span; in a table with escaped bars.
pub(super) fn code(text: &str, in_table: bool) -> String {
    let text = &shown(text);
    let fence = fence(text, 1);
    let is_edged = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let space = if is_edged { " " } else { "" };
    let text = text.replace('\n', " ");
    let text = if in_table {
        text.replace('|', "\\|")
    } else {
        text
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Returns a fence longer than any in the text.
pub(super) fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(least))
}

fn is_letter(character: Option<&char>) -> bool {
    character.is_some_and(|character| character.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{code, heading_end, line_start, text};

    #[test]
    fn inline_markup_is_escaped() {
        assert_eq!(
            text("a*b_c _d_ [e](f) `g` <h> ~i~ \\ &amp; a & b", false, false),
            "a\\*b_c \\_d\\_ \\[e\\](f) \\`g\\` \\<h> \\~i\\~ \\\\ \\&amp; a & b"
        );
        assert_eq!(text("a|b!", true, true), "a\\|b\\!");
    }

    #[test]
    fn block_markup_is_escaped_at_line_starts() {
        let cases = [
            ("# a", "\\# a"),
            ("#a", "\\#a"),
            ("- a", "\\- a"),
            ("---", "\\---"),
            ("===", "\\==="),
            ("+ a", "\\+ a"),
            ("+1", "+1"),
            ("12. a", "12\\. a"),
            ("12.5", "12.5"),
            ("3) a", "3\\) a"),
            ("1234567890. a", "1234567890. a"),
            ("    a", "a"),
            ("> a", "\\> a"),
        ];
        for (plain, escaped) in cases {
            assert_eq!(line_start(plain), escaped);
        }
        assert_eq!(heading_end("C#"), "C\\#");
    }

    #[test]
    fn code_may_contain_backticks() {
        assert_eq!(code("a``b`", false), "``` a``b` ```");
        assert_eq!(code("a|b", true), "`a\\|b`");
    }
}
