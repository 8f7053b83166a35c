//! Dependent signs of Indic scripts: vowels and other signs that belong to the letter before them.

/// Code points of the blocks from Devanagari to Malayalam, which have the same layout.
const FIRST: u32 = 0x900;
const LAST: u32 = 0xd7f;
const BLOCK: u32 = 0x80;
/// Letters at places where other blocks have signs: Tamil aytham, Malayalam reph and its neighbor.
const LETTERS: [u32; 3] = [0xb83, 0xd4e, 0xd4f];

/// Whether a character is a dependent sign, which begins no word.
pub(in crate::analysis) fn is_dependent(character: char) -> bool {
    let code = u32::from(character);
    let is_sign =
        matches!(code % BLOCK, 0..=3 | 0x3a..=0x3c | 0x3e..=0x4f | 0x55..=0x57 | 0x62..=0x63);
    (FIRST..=LAST).contains(&code) && is_sign && !LETTERS.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::is_dependent;

    #[test]
    fn vowel_signs_depend_on_letters() {
        assert!(
            "\u{93e}\u{93f}\u{940}\u{902}\u{94d}\u{9be}\u{bbe}"
                .chars()
                .all(is_dependent)
        );
        assert!(!"कअॐa \u{93d}\u{b83}".chars().any(is_dependent));
    }
}
