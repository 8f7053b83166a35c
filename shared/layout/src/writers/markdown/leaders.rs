//! Closes up leaders, the rows of dots between the entries of a table of contents and their page numbers.

/// Number of dots from which a row of dots is a leader and no ellipsis.
const DOTS: usize = 5;

/// Number of characters from which it is one; `……` is the Chinese ellipsis.
const CHARACTERS: usize = 3;

/// Maximum number of spaces between two dots of a leader.
const SPACES: usize = 3;

/// Returns the text with one ellipsis in place of each leader.
pub(super) fn closed_up(text: &str) -> String {
    let mut closed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find(is_leader) {
        let (before, from) = rest.split_at(begin);
        let (is_row, length) = row(from);
        let (dots, behind) = from.split_at(length);
        closed.push_str(before);
        if is_row {
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

/// Returns whether the dots at the start of a text are a leader, and their length in bytes without the spaces after the last.
fn row(text: &str) -> (bool, usize) {
    let (mut dots, mut characters, mut length, mut spaces) = (0, 0, 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '…' => dots += 3,
            _ if is_leader(character) => dots += 1,
            ' ' if spaces < SPACES => {
                spaces += 1;
                continue;
            }
            _ => break,
        }
        characters += 1;
        (length, spaces) = (at + character.len_utf8(), 0);
    }
    (dots >= DOTS && characters >= CHARACTERS, length)
}

/// Returns the space between an ellipsis and its neighbor; at an end of the text, other text may follow.
fn space_beside(neighbor: Option<char>) -> &'static str {
    match neighbor.is_some_and(char::is_whitespace) {
        true => "",
        false => " ",
    }
}

fn is_leader(character: char) -> bool {
    matches!(character, '.' | '…' | '․' | '·' | '‧')
}

#[cfg(test)]
mod tests {
    use super::closed_up;

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
}
