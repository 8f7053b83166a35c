//! Maps characters of symbol fonts (Symbol, Wingdings) to Unicode.

/// Characters of the Symbol font for the codes 0x20 to 0x7E.
const LOW: &str = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
/// Characters of the Symbol font for the codes 0xA1 to 0xFE.
const HIGH: &str = "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{f8ff}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

/// Returns the Unicode character for a character of a symbol font; characters of other fonts are returned unchanged.
pub(crate) fn shown(character: char, font: &str) -> char {
    let code = match u32::from(character) {
        code @ 0xf020..=0xf0ff => code - 0xf000,
        code @ 0x20..=0xff if is_symbolic(font) => code,
        _ => return character,
    };
    let font = font.to_ascii_lowercase();
    if font.starts_with("wingdings") || font.starts_with("webdings") {
        return dingbat(code);
    }
    symbol(code).unwrap_or('•')
}

/// Returns the Unicode text of a bullet; private-use characters become `•`.
pub(crate) fn bullet(text: &str, font: &str) -> String {
    let shown = text.chars().map(|character| match character {
        'o' if font.to_ascii_lowercase().starts_with("courier") => '◦',
        // Private use area.
        character => match shown(character, font) {
            '\u{e000}'..='\u{f8ff}' => '•',
            other => other,
        },
    });
    shown.collect()
}

fn is_symbolic(font: &str) -> bool {
    let font = font.to_ascii_lowercase();
    [
        "symbol",
        "wingdings",
        "wingdings 2",
        "wingdings 3",
        "webdings",
    ]
    .contains(&font.as_str())
}

fn symbol(code: u32) -> Option<char> {
    match code {
        0x20..=0x7e => LOW.chars().nth((code - 0x20) as usize),
        0xa0 => Some('€'),
        0xa1..=0xfe => HIGH.chars().nth((code - 0xa1) as usize),
        _ => None,
    }
}

/// Maps the common codes of Wingdings and Webdings; all others become a bullet.
fn dingbat(code: u32) -> char {
    match code {
        0x20 => ' ',
        0x4a => '☺',
        0x6c | 0x9f => '●',
        0x6e | 0xa7 => '▪',
        0x6f | 0x71 | 0xa8 => '□',
        0x75 | 0x76 => '◆',
        0x77 => '⬥',
        0xd8 => '➢',
        0xdf | 0xef => '←',
        0xe0 | 0xf0 => '→',
        0xe1 => '↑',
        0xe2 => '↓',
        0xfb => '✗',
        0xfc => '✓',
        0xfd => '☒',
        0xfe => '☑',
        0x8c..=0x94 => char::from_u32(0x2776 + code - 0x8c).unwrap_or('•'),
        0x81..=0x8a => char::from_u32(0x2460 + code - 0x81).unwrap_or('•'),
        _ => '•',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_symbols_are_characters() {
        assert_eq!(shown('\u{f0b7}', "Symbol"), '•');
        assert_eq!(shown('a', "Symbol"), 'α');
        assert_eq!(shown('\u{f0ae}', "Symbol"), '→');
        assert_eq!(shown('\u{f0fe}', "Symbol"), '⎭');
        assert_eq!(shown('\u{f0fc}', "Wingdings"), '✓');
        assert_eq!(shown('a', "Calibri"), 'a');
        assert_eq!(bullet("o", "Courier New"), "◦");
        assert_eq!(bullet("\u{e123}", ""), "•");
    }
}
