//! Reads a content stream as its operators and the operands before them [ISO 32000-1, 7.8.2]: as much of it as tells where
//! things are drawn.

use pdf::syntax::{is_regular, is_space};

/// Most operands that are kept; the longest that matter are matrices.
const OPERANDS: usize = 6;
/// Bytes behind an inline image that are looked at, to tell its end from the same letters within it.
const AHEAD: usize = 12;

/// The operands of an operator.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Operands {
    /// The last numbers.
    pub(super) numbers: Vec<f64>,
    /// The last name, as it is spelled there.
    pub(super) name: Option<Vec<u8>>,
    /// All texts, those within arrays too.
    pub(super) texts: Vec<Vec<u8>>,
}

/// Calls `each` for every operator, until it has enough or the content ends; `None` where it had enough, or where the content
/// ends within a text or an image.
pub(super) fn operators(
    content: &[u8],
    mut each: impl FnMut(&[u8], &Operands) -> Option<()>,
) -> Option<()> {
    let mut lexer = Lexer {
        rest: content,
        is_cut: false,
    };
    let mut operands = Operands::default();
    while let Some(token) = lexer.next() {
        match token {
            Token::Number(number) => {
                if operands.numbers.len() == OPERANDS {
                    operands.numbers.remove(0);
                }
                operands.numbers.push(number);
            }
            Token::Name(name) => operands.name = Some(spelled_out(name)),
            Token::Text(text) => operands.texts.push(text),
            Token::Operator(b"ID") => {
                lexer.skip_image();
                operands = Operands::default();
            }
            Token::Operator(operator) => {
                each(operator, &operands)?;
                operands = Operands::default();
            }
            Token::Other => {}
        }
    }
    (!lexer.is_cut).then_some(())
}

enum Token<'a> {
    Number(f64),
    Name(&'a [u8]),
    Text(Vec<u8>),
    Operator(&'a [u8]),
    Other,
}

struct Lexer<'a> {
    rest: &'a [u8],
    /// Whether the content ended before a text or an image did.
    is_cut: bool,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_space();
        let (first, after) = self.rest.split_first()?;
        match first {
            b'(' => {
                self.rest = after;
                Some(Token::Text(text(self.take_text())))
            }
            b'<' if after.first() != Some(&b'<') => {
                self.rest = after;
                let digits = self.take(|byte| byte != b'>');
                self.is_cut |= self.rest.is_empty();
                self.skip(1);
                Some(Token::Text(hexadecimal(digits)))
            }
            b'<' => {
                self.skip(2);
                Some(Token::Other)
            }
            b'/' => {
                self.rest = after;
                Some(Token::Name(self.take(is_regular)))
            }
            byte if !is_regular(*byte) => {
                self.rest = after;
                Some(Token::Other)
            }
            _ => Some(word(self.take(is_regular))),
        }
    }

    /// What goes on as long as bytes are of a kind.
    fn take(&mut self, is_part: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|byte| !is_part(*byte));
        let end = end.unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = rest;
        taken
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// White space and comments.
    fn skip_space(&mut self) {
        loop {
            self.take(is_space);
            match self.rest.first() {
                Some(b'%') => self.take(|byte| !matches!(byte, b'\r' | b'\n')),
                _ => return,
            };
        }
    }

    /// What stands in a text, behind its opening bracket.
    fn take_text(&mut self) -> &'a [u8] {
        let mut depth = 1_u32;
        let mut escaped = false;
        let mut length = 0;
        for byte in self.rest {
            length += 1;
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.is_cut |= depth > 0;
        let inside = self.rest.get(..length - usize::from(depth == 0));
        self.skip(length);
        inside.unwrap_or_default()
    }

    /// The samples of an inline image, and the operator behind them.
    fn skip_image(&mut self) {
        let mut is_sure = true;
        let found = self.rest.windows(3).enumerate().position(|(at, window)| {
            let ends = matches!(window, [before, b'E', b'I'] if is_space(*before))
                && self.rest.get(at + 3).is_none_or(|byte| is_space(*byte));
            let goes_on = ends && self.goes_on(at + 3);
            // It may have been the end all the same.
            is_sure &= goes_on || !ends;
            goes_on
        });
        self.is_cut |= found.is_none() || !is_sure;
        self.skip(found.map_or(self.rest.len(), |at| at + 3));
    }

    /// Whether what stands at an offset looks like content.
    fn goes_on(&self, offset: usize) -> bool {
        let mut ahead = self.rest.iter().skip(offset).take(AHEAD);
        let first = ahead.next();
        first.is_none_or(|byte| is_space(*byte))
            && ahead.all(|byte| is_space(*byte) || matches!(byte, 0x20..=0x7e))
    }
}

/// The bytes that a text stands for [ISO 32000-1, 7.3.4.2].
fn text(written: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'\\' => {
                let (byte, after) = escaped(after);
                bytes.extend(byte);
                rest = after;
            }
            b'\r' => {
                bytes.push(b'\n');
                rest = after.strip_prefix(b"\n").unwrap_or(after);
            }
            byte => bytes.push(*byte),
        }
    }
    bytes
}

/// What stands behind a backslash, and the rest.
fn escaped(rest: &[u8]) -> (Option<u8>, &[u8]) {
    let octal = rest.iter().take(3);
    let octal = octal.take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if let Some((digits, after)) = rest.split_at_checked(octal)
        && octal > 0
    {
        let number = digits.iter().fold(0_u8, |number, digit| {
            number.wrapping_mul(8).wrapping_add(digit - b'0')
        });
        return (Some(number), after);
    }
    match rest.split_first() {
        Some((b'\r', after)) => (None, after.strip_prefix(b"\n").unwrap_or(after)),
        Some((b'\n', after)) => (None, after),
        Some((letter, after)) => {
            let byte = match letter {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'b' => 8,
                b'f' => 12,
                other => *other,
            };
            (Some(byte), after)
        }
        None => (None, rest),
    }
}

/// The bytes of a text in hexadecimal digits; a missing last digit is 0.
fn hexadecimal(written: &[u8]) -> Vec<u8> {
    let digits = written
        .iter()
        .filter_map(|digit| char::from(*digit).to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok());
    let digits: Vec<u8> = digits.collect();
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => high << 4 | low,
            [high] => high << 4,
            _ => 0,
        })
        .collect()
}

fn word(word: &[u8]) -> Token<'_> {
    let number = std::str::from_utf8(word).ok();
    let number = number.filter(|text| text.starts_with(['+', '-', '.']) || is_digit(text));
    match number.and_then(|text| text.parse().ok()) {
        Some(number) => Token::Number(number),
        None if number.is_some() => Token::Other,
        None => Token::Operator(word),
    }
}

fn is_digit(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

/// A name with the bytes that its numbers stand for: `#20` is a space.
fn spelled_out(name: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'#');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8]) -> Vec<(String, Vec<f64>, Option<String>)> {
        let mut found = Vec::new();
        operators(content, |operator, operands| {
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let name = operands.name.as_deref().map(text);
            found.push((text(operator), operands.numbers.clone(), name));
            Some(())
        });
        found
    }

    #[test]
    fn operators_come_with_their_operands() {
        let found = read(b"q 1 0 0 -.5 +2 3. cm/A#20b Do % Q\n[(a) -5 (\\)b(c))]TJ <00> Tj Q");
        let operators: Vec<&str> = found
            .iter()
            .map(|(operator, ..)| operator.as_str())
            .collect();
        assert_eq!(operators, ["q", "cm", "Do", "TJ", "Tj", "Q"]);
        assert_eq!(found[1].1, [1.0, 0.0, 0.0, -0.5, 2.0, 3.0]);
        assert_eq!(found[2].2.as_deref(), Some("A b"));
    }

    #[test]
    fn texts_are_the_bytes_that_they_stand_for() {
        let mut texts = Vec::new();
        let content = b"[(a\\(\\051(b)\\\n\\7\r\n) -5 <4 1f>]TJ (c)' <<4>> Do";
        let read = operators(content, |_, operands| {
            texts.extend(operands.texts.clone());
            Some(())
        });
        assert_eq!(read, Some(()));
        assert_eq!(
            texts,
            [b"a()(b)\x07\n".to_vec(), b"A\xf0".to_vec(), b"c".to_vec()]
        );
        for cut in [b"(a(b) Tj q".as_slice(), b"<41", b"BI /W 1 ID \0\0\0"] {
            assert_eq!(operators(cut, |_, _| Some(())), None);
        }
    }

    #[test]
    fn an_image_whose_end_is_not_sure_is_not_followed() {
        let read = |content: &[u8]| operators(content, |_, _| Some(()));
        assert_eq!(read(b"BI /W 4 ID \x01\x02 EI Q"), Some(()));
        assert_eq!(read(b"BI /W 4 ID \x01 EI\x02 EI Q"), Some(()));
        // This may be text behind the image.
        assert_eq!(read(b"BI /W 4 ID \x01 EI (\xe4) Tj BI ID \x01 EI Q"), None);
    }

    #[test]
    fn the_samples_of_an_inline_image_are_no_operators() {
        let content = b"BI /W 4 /H 4 ID \x01 Do EI\x02\xff EI \x80 q EI Q\nq";
        let found = read(content);
        let operators: Vec<&str> = found
            .iter()
            .map(|(operator, ..)| operator.as_str())
            .collect();
        assert_eq!(operators, ["BI", "Q", "q"]);
    }
}
