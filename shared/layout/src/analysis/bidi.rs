//! Bidirectional text: visual order to logical order.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

/// Whether a character is right-to-left.
pub(super) fn is_from_right(character: char) -> bool {
    matches!(bidi_class(character), BidiClass::R | BidiClass::AL)
}

/// Whether most letters are right-to-left.
pub(super) fn is_mostly_from_right(text: impl Iterator<Item = char>) -> bool {
    let (mut left, mut right) = (0_usize, 0_usize);
    for character in text {
        match bidi_class(character) {
            BidiClass::R | BidiClass::AL => right += 1,
            BidiClass::L => left += 1,
            _ => {}
        }
    }
    right > left
}

/// Returns the indices of characters in logical order, given the characters in visual order from left to right.
///
/// Reordering is its own inverse for a given paragraph direction, so the bidi algorithm is applied to the visual order.
/// `from_right` is the paragraph direction; `None` takes that of most letters.
pub(super) fn read_order(seen: &[char], from_right: Option<bool>) -> Vec<usize> {
    let from_right = from_right.unwrap_or_else(|| is_mostly_from_right(seen.iter().copied()));
    let base = if from_right {
        Level::rtl()
    } else {
        Level::ltr()
    };
    // Paragraph separators become spaces, because a line is a single paragraph.
    let text: String = seen
        .iter()
        .map(|character| {
            if character.is_whitespace() {
                ' '
            } else {
                *character
            }
        })
        .collect();
    let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    let info = BidiInfo::new(&text, Some(base));
    let Some(paragraph) = info
        .paragraphs
        .first()
        .filter(|_| info.paragraphs.len() == 1)
    else {
        return (0..seen.len()).collect();
    };
    let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
    let mut order = Vec::with_capacity(seen.len());
    for run in runs {
        let from = starts.partition_point(|start| *start < run.start);
        let to = starts.partition_point(|start| *start < run.end);
        match levels.get(run.start).is_some_and(Level::is_rtl) {
            true => order.extend((from..to).rev()),
            false => order.extend(from..to),
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(seen: &str) -> String {
        let seen: Vec<char> = seen.chars().collect();
        read_order(&seen, None)
            .into_iter()
            .map(|place| seen[place])
            .collect()
    }

    #[test]
    fn hebrew_with_a_number_is_reordered_and_the_number_is_not() {
        assert_eq!(read(".123 הפיא םולש"), "שלום איפה 123.");
    }

    #[test]
    fn only_the_hebrew_within_english_is_reordered() {
        assert_eq!(read("say םולש twice"), "say שלום twice");
        assert_eq!(read("plain"), "plain");
    }
}
