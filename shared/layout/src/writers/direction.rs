//! Writing direction, and full-width characters.

use unicode_bidi::{BidiClass, Direction, bidi_class, get_base_direction};

use super::plain;
use crate::{Run, Table};

/// Whether a text is right-to-left, by its first strong character.
pub(super) fn is_rtl(text: &str) -> bool {
    get_base_direction(text) == Direction::Rtl
}

/// Whether the text of runs is right-to-left.
pub(super) fn are_rtl(runs: &[Run]) -> bool {
    let mut directions = runs.iter().map(|run| get_base_direction(run.text.as_str()));
    directions.find(|direction| *direction != Direction::Mixed) == Some(Direction::Rtl)
}

/// Whether the first column of a table is the rightmost: most of its non-empty cells are right-to-left.
pub(super) fn is_rtl_table(table: &Table) -> bool {
    let texts = table
        .cells
        .iter()
        .map(|cell| plain::of_blocks(&cell.blocks));
    let rtl = |text: String| match get_base_direction(text.as_str()) {
        Direction::Rtl => 1,
        Direction::Ltr => -1,
        Direction::Mixed => 0,
    };
    texts.map(rtl).sum::<i32>() > 0
}

/// Splits a text into runs of one direction; `true` is right-to-left. Neutral characters belong to the run before them.
pub(super) fn direction_runs(text: &str) -> Vec<(bool, String)> {
    let mut pieces: Vec<(bool, String)> = Vec::new();
    for character in text.chars() {
        let way = strong(character);
        match pieces.last_mut() {
            Some((rtl, piece)) if way.is_none_or(|way| way == *rtl) => piece.push(character),
            _ => pieces.push((way.unwrap_or_else(|| is_rtl(text)), character.into())),
        }
    }
    pieces
}

/// Whether a character is full-width (East Asian), so that no space separates it from the next.
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
    use super::{direction_runs, is_rtl};

    #[test]
    fn each_part_has_one_direction_and_all_text_is_kept() {
        let made = direction_runs("שלום world, עולם 12");
        let expected = [(true, "שלום "), (false, "world, "), (true, "עולם 12")];
        assert_eq!(made, expected.map(|(way, text)| (way, text.to_owned())));
        assert!(is_rtl("12 שלום abc") && !is_rtl("12") && !is_rtl("abc שלום"));
    }
}
