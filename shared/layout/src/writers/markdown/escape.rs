//! Escapes text for Markdown: only characters that would be markup at their position.

/// Where a text is.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// Whether it is in a pipe table.
    pub(super) in_table: bool,
    /// Whether it is the text of a link.
    pub(super) in_link: bool,
    /// Whether emphasis encloses it.
    pub(super) is_emphasized: bool,
    /// Whether a dollar that may end a formula follows in other parts of the text.
    pub(super) has_dollars: bool,
    /// Character that follows; `None` is the end of the line, `[` may begin a link.
    pub(super) next: Option<char>,
}

impl Place {
    /// Whether a delimiter between these characters may open emphasis, close the emphasis around it, or be a bullet.
    fn delimits(&self, before: Option<char>, after: Option<char>) -> bool {
        let is_space = |neighbor: Option<char>| neighbor.is_none_or(char::is_whitespace);
        let opens = before.is_none() || !is_space(after);
        opens || self.is_emphasized && !is_space(before)
    }
}

/// Escapes inline markup.
pub(super) fn text(text: &str, place: Place) -> String {
    let characters: Vec<char> = shown(text).chars().collect();
    let mut escaped = String::with_capacity(text.len());
    let last_dollar = last_dollar(&characters);
    let mut at = 0;
    while let Some(character) = characters.get(at).copied() {
        let run = length(&characters, at, character);
        let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied();
        let after = characters.get(at + run).copied().or(place.next);
        let is_last = at + run == characters.len();
        let is_markup = match character {
            '*' | '~' => place.delimits(before, after),
            '_' => place.delimits(before, after) && !(is_letter(before) && is_letter(after)),
            '`' => true,
            '\\' => run > 1 || is_last || after.is_none_or(|after| after.is_ascii_punctuation()),
            '[' => place.in_link || run > 1 || opens_bracket(characters.get(at..).unwrap_or(&[])),
            ']' => place.in_link || run > 1 || matches!(after, Some('(' | '[' | ':')),
            '<' => after.is_some_and(|after| after.is_alphabetic() || "/!?".contains(after)),
            '&' => begins_entity(characters.get(at + 1..).unwrap_or(&[])),
            '!' => is_last && after == Some('['),
            '|' => place.in_table,
            '$' => {
                let may_end = place.has_dollars || last_dollar.is_some_and(|last| last >= at + run);
                may_end && (run > 1 || after.is_some_and(|after| !after.is_whitespace()))
            }
            _ => false,
        };
        for _ in 0..run {
            escaped.extend(is_markup.then_some('\\'));
            escaped.push(character);
        }
        at += run;
    }
    escaped
}

/// Returns the index of the last dollar that may end a formula: it does not follow a space.
fn last_dollar(characters: &[char]) -> Option<usize> {
    let is_space = |at: usize| {
        characters
            .get(at)
            .is_some_and(|before| before.is_whitespace())
    };
    let may_end = |at: &usize| !at.checked_sub(1).is_some_and(is_space);
    let dollars = characters.iter().enumerate().rev();
    let mut places = dollars
        .filter(|(_, character)| **character == '$')
        .map(|(at, _)| at);
    places.find(may_end)
}

/// Whether a text has a dollar that may end a formula.
pub(super) fn has_dollars(text: &str) -> bool {
    last_dollar(&text.chars().collect::<Vec<_>>()).is_some()
}

/// Returns the length of the run of equal characters that begins at an index.
fn length(characters: &[char], at: usize, character: char) -> usize {
    let rest = characters.iter().skip(at);
    rest.take_while(|other| **other == character).count()
}

/// Whether characters after `&` are the name or number of an entity, which the next text may end.
fn begins_entity(rest: &[char]) -> bool {
    let is_name = |character: &&char| character.is_ascii_alphanumeric() || **character == '#';
    let length = rest.iter().take_while(is_name).count();
    length > 0 && rest.get(length).is_none_or(|end| *end == ';')
}

/// Whether a bracket begins a footnote reference, the reference of a picture or a task.
fn opens_bracket(rest: &[char]) -> bool {
    let is_picture = "[image-"
        .chars()
        .zip(rest)
        .all(|(one, other)| one == *other);
    match rest {
        [_, '^', ..] | [_] => true,
        [_, ' ' | 'x' | 'X', ']', ..] => true,
        _ => is_picture,
    }
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
        Some('#') => {
            let behind = rest.trim_start_matches('#');
            behind.is_empty() || behind.starts_with(char::is_whitespace)
        }
        // A line of dashes makes a heading of the line above, or a table if there are bars between them.
        Some('-') => ends(rest) || rest.chars().nth(1).is_some_and(|next| "-|:".contains(next)),
        Some('=' | '>') => true,
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

fn is_letter(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::{Place, code, heading_end, line_start, text};

    #[test]
    fn inline_markup_is_escaped() {
        let place = Place::default();
        assert_eq!(
            text("a*b_c _d_ [e](f) `g` <h> ~i~ \\ &amp; a & b", place),
            "a\\*b_c \\_d_ [e\\](f) \\`g\\` \\<h> \\~i~ \\ \\&amp; a & b"
        );
        let cell = Place {
            in_table: true,
            next: Some('['),
            ..place
        };
        assert_eq!(text("a|b!", cell), "a\\|b\\!");
    }

    #[test]
    fn text_without_meaning_as_markup_is_not_escaped() {
        for plain in [
            "p < .05 and 3 * 4",
            "as shown [12] by [3, 4]",
            "Really!",
            "without tax* or duty",
            "Name: ____",
            "R&D: a & b",
        ] {
            assert_eq!(text(plain, Place::default()), plain);
        }
    }

    #[test]
    fn text_of_links_has_no_brackets() {
        let link = Place {
            in_link: true,
            ..Place::default()
        };
        assert_eq!(text("see [1]", link), "see \\[1\\]");
        assert_eq!(text("[ ] open", Place::default()), "\\[ ] open");
        assert_eq!(text("a[^1]", Place::default()), "a\\[^1]");
    }

    #[test]
    fn block_markup_is_escaped_at_line_starts() {
        let cases = [
            ("# a", "\\# a"),
            ("#a", "#a"),
            ("- a", "\\- a"),
            ("-5 °C", "-5 °C"),
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
