//! Escapes text for XML and HTML.

use std::fmt::{Display, Formatter, Result};

/// Displays a text with markup escaped, for elements and double-quoted attributes. Control characters other than tab and line
/// feed are dropped, most of which XML does not allow [XML 1.0, 2.2].
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        for piece in self.0.split_inclusive(is_special) {
            let special = piece.chars().next_back().filter(|last| is_special(*last));
            let plain = special.map_or(piece, |special| piece.trim_end_matches(special));
            formatter.write_str(plain)?;
            formatter.write_str(special.map_or("", escape))?;
        }
        Ok(())
    }
}

fn is_special(character: char) -> bool {
    matches!(character, '&' | '<' | '>' | '"') || is_outside(character)
}

fn escape(special: char) -> &'static str {
    match special {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        _ => "",
    }
}

/// Whether a character is not allowed.
fn is_outside(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\t' | '\n');
    is_control || matches!(character, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn markup_is_escaped_and_forbidden_characters_are_dropped() {
        let text = "a<b>&&\"c\"\0\u{b}\u{9f}\u{ffff} \t\r\nd'é";
        let escaped = Escaped(text).to_string();
        assert_eq!(escaped, "a&lt;b&gt;&amp;&amp;&quot;c&quot; \t\nd'é");
    }
}
