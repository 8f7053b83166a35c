//! Tokens of content streams and character maps [ISO 32000-1, 7.2, 7.8.2].

use memchr::memchr2;
use pdf::syntax::{is_regular, is_space};

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A number, and whether it is an integer.
    Number(f64, bool),
    /// A name with its slash; as in JSON of libqpdf if it is UTF-8.
    Name(String),
    /// The bytes of a string.
    Text(Vec<u8>),
    /// `[`, `]`, `<<`, `>>`, `{` or `}`, `true`, `false`, `null` or an operator.
    Word(String),
}

/// Reads the tokens of a stream.
pub(super) struct Tokens<'d> {
    data: &'d [u8],
    /// Whether a hexadecimal string had an odd number of digits, or characters that are no digits.
    pub(super) has_invalid_hex: bool,
}

impl<'d> Tokens<'d> {
    pub(super) fn new(data: &'d [u8]) -> Self {
        Self {
            data,
            has_invalid_hex: false,
        }
    }

    /// Skips the data of an inline image after `ID`, up to and including `EI`.
    pub(super) fn skip_image(&mut self) {
        let data = self.data;
        let ends = memchr::memmem::find_iter(data, b"EI").find(|at| {
            let before = at.checked_sub(1).and_then(|at| data.get(at));
            let after = data.get(at + 2..).unwrap_or(b"");
            let is_text = |byte: &u8| is_space(*byte) || byte.is_ascii_graphic();
            before.is_some_and(|byte| is_space(*byte))
                && after.first().is_none_or(|byte| is_space(*byte))
                && after.iter().take(12).all(is_text)
        });
        self.data = ends.and_then(|at| data.get(at + 2..)).unwrap_or(b"");
    }

    fn take(&mut self, count: usize) -> &'d [u8] {
        let (taken, rest) = self
            .data
            .split_at_checked(count)
            .unwrap_or((self.data, b""));
        self.data = rest;
        taken
    }

    fn regular(&mut self) -> &'d [u8] {
        let end = self.data.iter().position(|byte| !is_regular(*byte));
        self.take(end.unwrap_or(self.data.len()))
    }

    fn hex(&mut self) -> Vec<u8> {
        let end = self.data.iter().position(|byte| *byte == b'>');
        let text = self.take(end.unwrap_or(self.data.len()));
        self.take(1);
        let text = text.iter().filter(|byte| !is_space(**byte));
        let digits: Vec<Option<u8>> = text.map(|byte| digit(*byte)).collect();
        self.has_invalid_hex |= digits.len() % 2 == 1 || digits.contains(&None);
        let digits: Vec<u8> = digits.into_iter().flatten().collect();
        let pairs = digits.chunks(2);
        let bytes = pairs.map(|pair| match pair {
            [high, low] => high << 4 | low,
            [high, ..] => high << 4,
            [] => 0,
        });
        bytes.collect()
    }

    /// A literal string after its first parenthesis.
    fn literal(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut depth = 1_u32;
        while let [byte, ..] = self.take(1) {
            match byte {
                b'\\' => {
                    self.escaped(&mut text);
                    continue;
                }
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            text.push(*byte);
        }
        text
    }

    fn escaped(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.take(1).first().copied() else {
            return;
        };
        text.push(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            b'\n' => return,
            b'\r' => {
                let is_pair = self.data.first() == Some(&b'\n');
                self.take(usize::from(is_pair));
                return;
            }
            b'0'..=b'7' => {
                let more = self.data.iter().take(2);
                let more = more.take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                let digits = self.take(more).iter();
                let code = digits.fold(u32::from(byte - b'0'), |code, digit| {
                    code << 3 | u32::from(digit - b'0')
                });
                let [.., low] = code.to_be_bytes();
                low
            }
            byte => byte,
        });
    }

    fn name(&mut self) -> String {
        let text = self.regular();
        let mut bytes = b"/".to_vec();
        let mut rest = text;
        while let [byte, tail @ ..] = rest {
            let code = match (byte, tail) {
                (b'#', [high, low, ..]) => digit(*high).zip(digit(*low)),
                _ => None,
            };
            bytes.push(code.map_or(*byte, |(high, low)| high << 4 | low));
            let skipped = if code.is_some() { 2 } else { 0 };
            rest = tail.get(skipped..).unwrap_or(b"");
        }
        String::from_utf8(bytes).unwrap_or_else(|_| {
            let text: String = text.iter().map(|byte| char::from(*byte)).collect();
            format!("n:/{text}")
        })
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let start = self.data.iter().position(|byte| !is_space(*byte))?;
            self.take(start);
            match self.data {
                [b'%', ..] => {
                    let end = memchr2(b'\n', b'\r', self.data);
                    self.take(end.unwrap_or(self.data.len()));
                }
                _ => break,
            }
        }
        let word = |text: &[u8]| Token::Word(String::from_utf8_lossy(text).into_owned());
        Some(match self.data {
            [b'/', ..] => {
                self.take(1);
                Token::Name(self.name())
            }
            [b'(', ..] => {
                self.take(1);
                Token::Text(self.literal())
            }
            [b'<', b'<', ..] | [b'>', b'>', ..] => word(self.take(2)),
            [b'<', ..] => {
                self.take(1);
                Token::Text(self.hex())
            }
            [byte, ..] if !is_regular(*byte) => word(self.take(1)),
            _ => {
                let text = self.regular();
                number(text).unwrap_or_else(|| word(text))
            }
        })
    }
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

fn number(text: &[u8]) -> Option<Token> {
    let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.');
    let text = std::str::from_utf8(text).ok()?;
    let number = text.bytes().all(|byte| is_number(&byte));
    let value = number.then(|| text.parse().ok())??;
    Some(Token::Number(value, !text.contains('.')))
}
