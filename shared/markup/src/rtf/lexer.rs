//! Tokenizes RTF.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word with its parameter.
    Word(&'a str, Option<i32>),
    /// A control symbol.
    Symbol(u8),
    /// A byte in hexadecimal notation (`\'e9`).
    Byte(u8),
    /// Text, undecoded.
    Text(&'a [u8]),
    /// Binary data (`\bin`).
    Binary(&'a [u8]),
}

/// Returns the tokens of a document.
pub(super) fn tokens(bytes: &[u8]) -> impl Iterator<Item = Token<'_>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (token, behind) = next(rest)?;
        rest = behind;
        Some(token)
    })
}

fn next(bytes: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let bytes = trim(bytes);
    let (first, rest) = bytes.split_first()?;
    Some(match first {
        b'{' => (Token::Open, rest),
        b'}' => (Token::Close, rest),
        b'\\' => control(rest)?,
        _ => {
            let end = bytes
                .iter()
                .position(|byte| matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0));
            let (text, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            (Token::Text(text), rest)
        }
    })
}

/// Skips line breaks, which are not significant.
fn trim(bytes: &[u8]) -> &[u8] {
    let start = bytes
        .iter()
        .position(|byte| !matches!(byte, b'\r' | b'\n' | 0));
    bytes
        .get(start.unwrap_or(bytes.len())..)
        .unwrap_or_default()
}

fn control(bytes: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let letters = bytes
        .iter()
        .position(|byte| !byte.is_ascii_alphabetic())
        .unwrap_or(bytes.len());
    let (word, rest) = bytes.split_at(letters);
    if word.is_empty() {
        let (symbol, rest) = bytes.split_first()?;
        return Some(match symbol {
            b'\'' => hexadecimal(rest),
            symbol => (Token::Symbol(*symbol), rest),
        });
    }
    let (number, rest) = number(rest);
    let word = std::str::from_utf8(word).unwrap_or_default();
    if word == "bin" {
        let count = usize::try_from(number.unwrap_or(0))
            .unwrap_or(0)
            .min(rest.len());
        let (data, rest) = rest.split_at(count);
        return Some((Token::Binary(data), rest));
    }
    Some((Token::Word(word, number), rest))
}

/// Parses the parameter of a control word and skips the space after it.
fn number(bytes: &[u8]) -> (Option<i32>, &[u8]) {
    let signed = usize::from(bytes.first() == Some(&b'-'));
    let digits = bytes
        .iter()
        .skip(signed)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (number, rest) = match digits {
        0 => (None, bytes),
        _ => {
            let (text, rest) = bytes.split_at(signed + digits);
            (
                std::str::from_utf8(text)
                    .ok()
                    .and_then(|text| text.parse().ok()),
                rest,
            )
        }
    };
    (number, rest.strip_prefix(b" ").unwrap_or(rest))
}

fn hexadecimal(bytes: &[u8]) -> (Token<'_>, &[u8]) {
    let digits = bytes
        .get(..2)
        .and_then(|digits| std::str::from_utf8(digits).ok());
    match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        Some(byte) => (Token::Byte(byte), bytes.get(2..).unwrap_or_default()),
        None => (Token::Symbol(b'\''), bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_recognized() {
        let found: Vec<Token<'_>> =
            tokens(b"{\\rtf1\\b0 x\\'e9\\~\r\n\\u-3\\bin2 {}y\\'g}").collect();
        assert_eq!(
            found,
            [
                Token::Open,
                Token::Word("rtf", Some(1)),
                Token::Word("b", Some(0)),
                Token::Text(b"x"),
                Token::Byte(0xe9),
                Token::Symbol(b'~'),
                Token::Word("u", Some(-3)),
                Token::Binary(b"{}"),
                Token::Text(b"y"),
                Token::Symbol(b'\''),
                Token::Text(b"g"),
                Token::Close,
            ]
        );
    }
}
