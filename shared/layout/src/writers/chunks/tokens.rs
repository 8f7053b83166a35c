//! Estimates the number of tokens of a text, as tokenizers of language models count them.

/// Letters and digits per token in scripts with short tokens: Latin, and all others with word spaces.
const LATIN: usize = 4;
const OTHER: usize = 2;

/// Returns the estimated number of tokens: per word one for every four Latin or two other letters, and one for every
/// ideograph and punctuation mark.
pub(super) fn tokens(text: &str) -> usize {
    let (mut count, mut latin, mut other) = (0, 0_usize, 0_usize);
    for character in text.chars() {
        let is_single = !character.is_alphanumeric() || is_ideographic(character);
        if is_single {
            count += latin.div_ceil(LATIN) + other.div_ceil(OTHER);
            (latin, other) = (0, 0);
            count += usize::from(!character.is_whitespace());
        } else if character.is_ascii() || ('\u{c0}'..'\u{250}').contains(&character) {
            latin += 1;
        } else {
            other += 1;
        }
    }
    count + latin.div_ceil(LATIN) + other.div_ceil(OTHER)
}

fn is_ideographic(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_punctuation_and_ideographs_count() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("The cat sat."), 4);
        assert_eq!(tokens("internationalization"), 5);
        assert_eq!(tokens("書類を読む"), 5);
        assert_eq!(tokens("слово"), 3);
    }
}
