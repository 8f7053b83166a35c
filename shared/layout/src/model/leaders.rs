//! Leaders: rows of dots between the entries of a table of contents and their page numbers.

use std::ops::Range;

use crate::model::roman;

/// Number of dots from which a row of dots is a leader and no ellipsis.
const DOTS: usize = 5;

/// Number of characters from which it is one; `……` is the Chinese ellipsis.
const CHARACTERS: usize = 3;

/// Number of dots from which a row before a number at the end of a text is one.
const DOTS_BEFORE_NUMBER: usize = 4;

/// Maximum number of spaces between two dots of a leader.
const SPACES: usize = 3;

/// Whether a row of this character may be a leader. A row of underscores may also be a blank to be filled in.
pub(crate) fn is_leader_character(character: char) -> bool {
    is_dot(character) || character == '_'
}

fn is_dot(character: char) -> bool {
    matches!(character, '.' | '…' | '․' | '·' | '‧')
}

/// Returns the text with one ellipsis in place of each leader.
pub(crate) fn closed_up(text: &str) -> String {
    let mut closed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find(is_dot) {
        let (before, from) = rest.split_at(begin);
        let row = Row::at_start(from);
        let (dots, behind) = from.split_at(row.length);
        closed.push_str(before);
        if row.is_leader() {
            closed.push_str(space_beside(closed.chars().next_back()));
            closed.push('…');
            closed.push_str(space_beside(behind.chars().next()));
        } else {
            closed.push_str(dots);
        }
        rest = behind;
    }
    closed.push_str(rest);
    closed
}

/// Returns the place of the leader of an entry of contents, with the spaces around it: the only row of dots of a text that ends
/// with it or with the number behind it.
pub(crate) fn of_entry(text: &str) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    let mut begin = 0;
    while let Some(next) = text.get(begin..)?.find(is_dot) {
        begin += next;
        let (before, from) = text.split_at_checked(begin)?;
        let row = Row::at_start(from);
        begin += row.length;
        if !row.is_leader() && row.dots < DOTS_BEFORE_NUMBER {
            continue;
        }
        let number = text.get(begin..)?.trim();
        let is_end = row.is_leader() && number.is_empty() || is_number(number);
        if found.is_some() || !is_end || !before.contains(char::is_alphanumeric) {
            return None;
        }
        // The period of an abbreviation is not part of the leader.
        let period = usize::from(from.starts_with(". .."));
        let start = match period {
            0 => before.trim_end().len(),
            period => before.len() + period,
        };
        found = Some(start..text.len() - text.get(begin..)?.trim_start().len());
    }
    found
}

/// Whether a text is a page number, such as `12`, `iv` or `A-3`, or an amount.
fn is_number(text: &str) -> bool {
    let is_letter =
        |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_roman = |part: &str| roman::value(&part.to_ascii_lowercase()).is_some();
    let is_part = |part: &str| {
        let is_decimal = !part.is_empty() && part.chars().all(char::is_numeric);
        is_decimal || is_letter(part) || is_roman(part)
    };
    let mut parts = text.split(['-', '–', '.', ',']);
    parts.all(is_part) && !is_letter(text) || is_roman(text)
}

/// A row of dots.
struct Row {
    dots: usize,
    characters: usize,
    /// Length in bytes without the spaces after the last dot.
    length: usize,
}

impl Row {
    /// Returns the row at the start of a text.
    fn at_start(text: &str) -> Self {
        let (mut dots, mut characters, mut length, mut spaces) = (0, 0, 0, 0);
        for (at, character) in text.char_indices() {
            match character {
                '…' => dots += 3,
                _ if is_dot(character) => dots += 1,
                ' ' if spaces < SPACES => {
                    spaces += 1;
                    continue;
                }
                _ => break,
            }
            characters += 1;
            (length, spaces) = (at + character.len_utf8(), 0);
        }
        Self {
            dots,
            characters,
            length,
        }
    }

    fn is_leader(&self) -> bool {
        self.dots >= DOTS && self.characters >= CHARACTERS
    }
}

/// Returns the space between an ellipsis and its neighbor; at an end of the text, other text may follow.
fn space_beside(neighbor: Option<char>) -> &'static str {
    match neighbor.is_some_and(char::is_whitespace) {
        true => "",
        false => " ",
    }
}

#[cfg(test)]
mod tests {
    use super::{closed_up, of_entry};

    #[test]
    fn leaders_become_one_ellipsis() {
        for (text, expected) in [
            ("1. Scope.............. 12", "1. Scope … 12"),
            ("Scope . . . . . . . . 12", "Scope … 12"),
            ("Scope ………… 12", "Scope … 12"),
            (".......", " … "),
            ("Wait... what. . . . Yes.", "Wait... what. . . . Yes."),
            ("3.1.2 A.B.C.", "3.1.2 A.B.C."),
            ("他说……好吧。", "他说……好吧。"),
        ] {
            assert_eq!(closed_up(text), expected);
        }
    }
    #[test]
    fn entries_end_with_a_leader_or_the_number_behind_it() {
        for (text, expected) in [
            ("1.2 Introduction ........ 5", Some("1.2 Introduction|5")),
            ("Introduction....5", Some("Introduction|5")),
            ("Introduction …… xii", Some("Introduction|xii")),
            ("Introduction . . . . A-5 ", Some("Introduction|A-5 ")),
            ("Bees, ants etc. ...... 5", Some("Bees, ants etc.|5")),
            ("Name: ..........", Some("Name:|")),
            ("他说……", None),
            ("And so on....", None),
            ("One ..... 5 Two ..... 6", None),
            ("Scope ..... 5 of it", None),
            ("..........", None),
            ("In 3.1.2 A.B.C. 5", None),
        ] {
            let found = of_entry(text).map(|leader| {
                let mut parted = text.to_owned();
                parted.replace_range(leader, "|");
                parted
            });
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
