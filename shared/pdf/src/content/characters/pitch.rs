//! Marks fonts as monospaced if narrow and wide letters have the same width: font descriptors often omit the flag.

use std::collections::HashMap;
use std::sync::Arc;

use layout::{Character, Font};

/// Letters and signs that are narrow, and those that are wide, in every proportional font.
const NARROW: &str = "ijlftrI.,:;'|!";
const WIDE: &str = "mwMW@%";
/// Maximum difference of widths that are the same, in font sizes.
const SAME: f32 = 0.01;

/// The widths of a font's letters, in font sizes.
struct Widths {
    least: f32,
    most: f32,
    has_narrow: bool,
    has_wide: bool,
}

/// Replaces the fonts of characters that are monospaced. Returns each replaced font with the new one.
pub(super) fn mark_monospaced(characters: &mut [Character]) -> Vec<(Arc<Font>, Arc<Font>)> {
    let mut widths: HashMap<*const Font, (Arc<Font>, Widths)> = HashMap::new();
    for character in characters.iter() {
        let is_narrow = NARROW.contains(character.text);
        let is_wide = WIDE.contains(character.text);
        let is_letter = is_narrow || is_wide || character.text.is_alphabetic();
        // Of rotated characters and parts of ligatures, the width is not known.
        let is_measured = character.angle.abs() < f32::EPSILON && character.advance > 0.0;
        if !is_letter || !is_measured || character.font.is_monospaced || character.is_hidden {
            continue;
        }
        let width = character.advance / character.size.max(f32::MIN_POSITIVE);
        let font = widths
            .entry(Arc::as_ptr(&character.font))
            .or_insert_with(|| {
                let first = Widths {
                    least: width,
                    most: width,
                    has_narrow: false,
                    has_wide: false,
                };
                (character.font.clone(), first)
            });
        font.1.least = font.1.least.min(width);
        font.1.most = font.1.most.max(width);
        font.1.has_narrow |= is_narrow;
        font.1.has_wide |= is_wide;
    }
    widths.retain(|_, (_, found)| {
        found.has_narrow && found.has_wide && found.most - found.least < SAME && found.least > SAME
    });
    let replaced: HashMap<*const Font, (Arc<Font>, Arc<Font>)> = widths
        .into_iter()
        .map(|(address, (font, _))| {
            let monospaced = Font {
                is_monospaced: true,
                ..Font::clone(&font)
            };
            (address, (font, Arc::new(monospaced)))
        })
        .collect();
    if !replaced.is_empty() {
        for character in characters {
            if let Some((_, font)) = replaced.get(&Arc::as_ptr(&character.font)) {
                character.font = font.clone();
            }
        }
    }
    replaced.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::characters::samples::character;

    /// Whether the font of a text is found to be monospaced, if its letters have these widths.
    fn is_monospaced(text: &str, width: impl Fn(char) -> f32) -> bool {
        let font = Arc::new(Font::default());
        let mut characters: Vec<Character> = text
            .chars()
            .map(|text| Character {
                font: font.clone(),
                advance: width(text),
                ..character(text, 0.0, 0)
            })
            .collect();
        let replaced = mark_monospaced(&mut characters);
        let is_marked = characters.iter().all(|one| one.font.is_monospaced);
        assert_eq!(is_marked, !replaced.is_empty());
        is_marked
    }

    #[test]
    fn one_width_of_narrow_and_wide_letters_is_monospaced() {
        assert!(is_monospaced("mail", |_| 6.0));
        assert!(!is_monospaced("mail", |text| if text == 'm' {
            8.0
        } else {
            6.0
        }));
        assert!(!is_monospaced("ill", |_| 6.0), "no wide letter");
        assert!(!is_monospaced("mail", |_| 0.0), "no widths");
        let half_width = |text: char| if text.is_ascii() { 6.0 } else { 12.0 };
        assert!(!is_monospaced("mail 中文", half_width));
    }
}
