//! Tokenizes a content stream into operators with their operands [ISO 32000-1, 7.8.2], as far as needed to follow drawing.

use std::ops::Range;

use crate::syntax::{is_regular, is_space};

/// Maximum number of operands that are kept; the longest operand lists needed are matrices.
const MAX_OPERANDS: usize = 6;
/// Bytes after a candidate `EI` that are checked, to distinguish the end of an inline image from sample data.
const LOOKAHEAD: usize = 12;

/// The operands of an operator.
#[derive(Debug, Default, PartialEq)]
pub struct Operands {
    /// The last numbers.
    pub numbers: Vec<f64>,
    /// The last name, with `#` escapes decoded.
    pub name: Option<Vec<u8>>,
    /// The first of several names, which is the tag of marked content.
    pub tag: Option<Vec<u8>>,
    /// All strings, including those within arrays.
    pub strings: Vec<Vec<u8>>,
    /// Where the operation is in the content, from the end of the previous one.
    pub range: Range<usize>,
}

/// Calls `each` for every operator; of an inline image for `BI` and `EI`. Returns `None` if `each` does, or if the content ends
/// within a string or an inline image.
pub fn for_each_operator(
    content: &[u8],
    mut each: impl FnMut(&[u8], &Operands) -> Option<()>,
) -> Option<()> {
    let mut lexer = Lexer {
        rest: content,
        is_truncated: false,
    };
    let mut operands = Operands::default();
    let mut begin = 0;
    while let Some(token) = lexer.next() {
        match token {
            Token::Number(number) => {
                if operands.numbers.len() == MAX_OPERANDS {
                    operands.numbers.remove(0);
                }
                operands.numbers.push(number);
            }
            Token::Name(name) => {
                let last = operands.name.replace(decode_name(name));
                operands.tag = operands.tag.take().or(last);
            }
            Token::String(string) => operands.strings.push(string),
            Token::Operator(operator) => {
                let operator = match operator {
                    b"ID" => {
                        lexer.skip_inline_image();
                        b"EI"
                    }
                    other => other,
                };
                operands.range = begin..content.len() - lexer.rest.len();
                begin = operands.range.end;
                each(operator, &operands)?;
                operands = Operands::default();
            }
            Token::Other => {}
        }
    }
    (!lexer.is_truncated).then_some(())
}

enum Token<'a> {
    Number(f64),
    Name(&'a [u8]),
    String(Vec<u8>),
    Operator(&'a [u8]),
    Other,
}

struct Lexer<'a> {
    rest: &'a [u8],
    /// Whether the content ended within a string or an inline image.
    is_truncated: bool,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_space();
        let (first, after) = self.rest.split_first()?;
        match first {
            b'(' => {
                self.rest = after;
                Some(Token::String(decode_string(self.take_string())))
            }
            b'<' if after.first() != Some(&b'<') => {
                self.rest = after;
                let digits = self.take(|byte| byte != b'>');
                self.is_truncated |= self.rest.is_empty();
                self.skip(1);
                Some(Token::String(decode_hex_string(digits)))
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
            _ => Some(number_or_operator(self.take(is_regular))),
        }
    }

    /// Takes bytes while they match.
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

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            self.take(is_space);
            match self.rest.first() {
                Some(b'%') => self.take(|byte| !matches!(byte, b'\r' | b'\n')),
                _ => return,
            };
        }
    }

    /// Takes a literal string after its opening parenthesis.
    fn take_string(&mut self) -> &'a [u8] {
        let mut depth = 1_u32;
        let mut is_escaped = false;
        let mut length = 0;
        for byte in self.rest {
            length += 1;
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.is_truncated |= depth > 0;
        let inside = self.rest.get(..length - usize::from(depth == 0));
        self.skip(length);
        inside.unwrap_or_default()
    }

    /// Skips the samples of an inline image and the `EI` operator.
    fn skip_inline_image(&mut self) {
        let mut is_unambiguous = true;
        let found = self.rest.windows(3).enumerate().position(|(at, window)| {
            let ends = matches!(window, [before, b'E', b'I'] if is_space(*before))
                && self.rest.get(at + 3).is_none_or(|byte| is_space(*byte));
            let is_end = ends && self.looks_like_content(at + 3);
            // A rejected candidate may still have been the end.
            is_unambiguous &= is_end || !ends;
            is_end
        });
        self.is_truncated |= found.is_none() || !is_unambiguous;
        self.skip(found.map_or(self.rest.len(), |at| at + 3));
    }

    /// Returns whether the bytes at an offset look like content.
    fn looks_like_content(&self, offset: usize) -> bool {
        let mut ahead = self.rest.iter().skip(offset).take(LOOKAHEAD);
        let first = ahead.next();
        first.is_none_or(|byte| is_space(*byte))
            && ahead.all(|byte| is_space(*byte) || matches!(byte, 0x20..=0x7e))
    }
}

/// Decodes a literal string [ISO 32000-1, 7.3.4.2].
fn decode_string(encoded: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'\\' => {
                let (byte, after) = decode_escape(after);
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

/// Decodes an escape sequence after its backslash; also returns the rest.
fn decode_escape(rest: &[u8]) -> (Option<u8>, &[u8]) {
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

/// Decodes a hexadecimal string; a missing last digit is 0.
fn decode_hex_string(encoded: &[u8]) -> Vec<u8> {
    let digits = encoded
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

fn number_or_operator(word: &[u8]) -> Token<'_> {
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

/// Decodes `#` escapes of a name: `#20` is a space.
fn decode_name(name: &[u8]) -> Vec<u8> {
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
        for_each_operator(content, |operator, operands| {
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
    fn strings_are_decoded() {
        let mut strings = Vec::new();
        let content = b"[(a\\(\\051(b)\\\n\\7\r\n) -5 <4 1f>]TJ (c)' <<4>> Do";
        let read = for_each_operator(content, |_, operands| {
            strings.extend(operands.strings.clone());
            Some(())
        });
        assert_eq!(read, Some(()));
        assert_eq!(
            strings,
            [b"a()(b)\x07\n".to_vec(), b"A\xf0".to_vec(), b"c".to_vec()]
        );
        for cut in [b"(a(b) Tj q".as_slice(), b"<41", b"BI /W 1 ID \0\0\0"] {
            assert_eq!(for_each_operator(cut, |_, _| Some(())), None);
        }
    }

    #[test]
    fn an_inline_image_with_an_ambiguous_end_is_rejected() {
        let read = |content: &[u8]| for_each_operator(content, |_, _| Some(()));
        assert_eq!(read(b"BI /W 4 ID \x01\x02 EI Q"), Some(()));
        assert_eq!(read(b"BI /W 4 ID \x01 EI\x02 EI Q"), Some(()));
        // The text after the first `EI` may be content or samples.
        assert_eq!(read(b"BI /W 4 ID \x01 EI (\xe4) Tj BI ID \x01 EI Q"), None);
    }

    #[test]
    fn samples_of_an_inline_image_are_skipped() {
        let content = b"BI /W 4 /H 4 ID \x01 Do EI\x02\xff EI \x80 q EI Q\nq";
        let found = read(content);
        let operators: Vec<&str> = found
            .iter()
            .map(|(operator, ..)| operator.as_str())
            .collect();
        assert_eq!(operators, ["BI", "EI", "Q", "q"]);
    }
}
