//! Dependent signs of Indic scripts: vowels and other signs that belong to the letter before them.

/// Code points of the blocks from Devanagari to Malayalam, which have the same layout.
const FIRST: u32 = 0x900;
const LAST: u32 = 0xd7f;
const BLOCK: u32 = 0x80;
/// Other characters at places where other blocks have signs: letters of Bengali, Tamil, Kannada and Malayalam.
const LETTERS: [u32; 8] = [0x980, 0x9ce, 0xb83, 0xc80, 0xd3a, 0xd4e, 0xd4f, 0xd55];
/// Signs at other places: those of Devanagari, Bengali, Gurmukhi and Gujarati.
const SIGNS: [std::ops::RangeInclusive<u32>; 5] = [
    0x951..=0x954,
    0x9fe..=0x9fe,
    0xa70..=0xa71,
    0xa75..=0xa75,
    0xafa..=0xaff,
];

/// Whether a character is a dependent sign, which begins no word.
pub(in crate::analysis) fn is_dependent(character: char) -> bool {
    let code = u32::from(character);
    let is_sign =
        matches!(code % BLOCK, 0..=3 | 0x3a..=0x3c | 0x3e..=0x4f | 0x55..=0x57 | 0x62..=0x63);
    let is_other = SIGNS.iter().any(|signs| signs.contains(&code));
    (FIRST..=LAST).contains(&code) && is_sign && !LETTERS.contains(&code) || is_other
}

#[cfg(test)]
mod tests {
    use super::is_dependent;

    #[test]
    fn vowel_signs_depend_on_letters() {
        assert!(
            "\u{93e}\u{93f}\u{940}\u{902}\u{94d}\u{9be}\u{a70}\u{bbe}"
                .chars()
                .all(is_dependent)
        );
        assert!(!"कअॐa \u{93d}\u{9ce}\u{b83}".chars().any(is_dependent));
    }
}
