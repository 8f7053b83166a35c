//! `SASLprep` of passwords for AES-256 encryption of PDF [ISO 32000-2, 7.6.4.3.3].

use unicode_normalization::UnicodeNormalization as _;

/// Maps and normalizes a password [RFC 4013, 2.1, 2.2]. Returns it unchanged if nothing would be left.
pub fn saslprep(password: &str) -> String {
    let mapped = password.chars().filter_map(|character| match character {
        '\u{ad}'
        | '\u{34f}'
        | '\u{1806}'
        | '\u{180b}'..='\u{180d}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => None,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some(' ')
        }
        other => Some(other),
    });
    let prepared: String = mapped.nfkc().collect();
    match prepared.is_empty() {
        true => password.to_owned(),
        false => prepared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compatible_spellings_of_a_password_are_equal() {
        for (typed, expected) in [
            ("plain -- @1", "plain -- @1"),
            ("I\u{ad}X", "IX"),
            ("\u{2168}", "IX"),
            ("\u{aa}", "a"),
            ("a\u{308}\u{a0}b", "\u{e4} b"),
            ("\u{ad}", "\u{ad}"),
        ] {
            assert_eq!(saslprep(typed), expected, "{typed:?}");
        }
    }
}
