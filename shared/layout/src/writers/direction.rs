//! Which way text is read, and which of it is as wide as it is high.

use unicode_bidi::{BidiClass, Direction, bidi_class, get_base_direction};

use super::plain;
use crate::{Run, Table};

/// Whether a text is read from the right: its first letter tells.
pub(super) fn is_leftward(text: &str) -> bool {
    get_base_direction(text) == Direction::Rtl
}

/// Whether the text of runs is read from the right.
pub(super) fn are_leftward(runs: &[Run]) -> bool {
    let mut directions = runs.iter().map(|run| get_base_direction(run.text.as_str()));
    directions.find(|direction| *direction != Direction::Mixed) == Some(Direction::Rtl)
}

/// Whether a table's first column is the rightmost: most of the cells that say something are read from the right.
pub(super) fn is_leftward_table(table: &Table) -> bool {
    let texts = table
        .cells
        .iter()
        .map(|cell| plain::of_blocks(&cell.blocks));
    let leftward = |text: String| match get_base_direction(text.as_str()) {
        Direction::Rtl => 1,
        Direction::Ltr => -1,
        Direction::Mixed => 0,
    };
    texts.map(leftward).sum::<i32>() > 0
}

/// A text in pieces that are each read one way, with whether that is from the right. What has no way of its own goes with
/// what is before it.
pub(super) fn pieces(text: &str) -> Vec<(bool, String)> {
    let mut pieces: Vec<(bool, String)> = Vec::new();
    for character in text.chars() {
        let way = strong(character);
        match pieces.last_mut() {
            Some((leftward, piece)) if way.is_none_or(|way| way == *leftward) => {
                piece.push(character)
            }
            _ => pieces.push((way.unwrap_or_else(|| is_leftward(text)), character.into())),
        }
    }
    pieces
}

/// Whether a character is of a script that is written without spaces, in squares.
pub(super) fn is_wide(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff9f}')
}

fn strong(character: char) -> Option<bool> {
    match bidi_class(character) {
        BidiClass::L => Some(false),
        BidiClass::R | BidiClass::AL => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_leftward, pieces};

    #[test]
    fn pieces_are_read_one_way_each_and_lose_nothing() {
        let made = pieces("שלום world, עולם 12");
        let expected = [(true, "שלום "), (false, "world, "), (true, "עולם 12")];
        assert_eq!(made, expected.map(|(way, text)| (way, text.to_owned())));
        assert!(is_leftward("12 שלום abc") && !is_leftward("12") && !is_leftward("abc שלום"));
    }
}
