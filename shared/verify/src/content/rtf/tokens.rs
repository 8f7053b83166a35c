//! Splits a document into tokens.

/// A token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// The start of a group.
    Start,
    /// The end of a group.
    End,
    /// `\*`: readers that do not know the destination ignore it.
    Ignorable,
    /// A control word or symbol, with its number.
    Control(&'a str, Option<i32>),
    /// A byte of text.
    Byte(u8),
}

/// The tokens of a document.
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Reads what follows a backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let (&first, rest) = self.rest.split_first()?;
        if !first.is_ascii_alphabetic() {
            let symbol = self.rest.get(..1)?;
            self.rest = rest;
            return Some(match first {
                b'*' => Token::Ignorable,
                b'\'' => self.hexadecimal(),
                _ => Token::Control(std::str::from_utf8(symbol).unwrap_or(""), None),
            });
        }
        let word = self.word(|byte| byte.is_ascii_alphabetic());
        let sign = if self.rest.first() == Some(&b'-') {
            -1
        } else {
            1
        };
        let has_number = self
            .rest
            .get(usize::from(sign < 0))
            .is_some_and(u8::is_ascii_digit);
        let mut value = None;
        if has_number {
            self.skip(usize::from(sign < 0));
            let digits = self.word(|byte| byte.is_ascii_digit());
            value = digits.parse::<i32>().ok().map(|value| sign * value);
        }
        if self.rest.first() == Some(&b' ') {
            self.skip(1);
        }
        if word == "bin" {
            self.skip(value.and_then(|len| usize::try_from(len).ok()).unwrap_or(0));
        }
        Some(Token::Control(word, value))
    }

    fn word(&mut self, is_part: impl Fn(&u8) -> bool) -> &'a str {
        let len = self.rest.iter().take_while(|byte| is_part(byte)).count();
        let (word, rest) = self.rest.split_at_checked(len).unwrap_or_default();
        self.rest = rest;
        std::str::from_utf8(word).unwrap_or("")
    }

    fn hexadecimal(&mut self) -> Token<'a> {
        let digits = self
            .rest
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if byte.is_some() {
            self.skip(2);
        }
        byte.map_or(Token::Control("", None), Token::Byte)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (&first, rest) = self.rest.split_first()?;
            self.rest = rest;
            return match first {
                b'{' => Some(Token::Start),
                b'}' => Some(Token::End),
                b'\\' => self.control(),
                b'\r' | b'\n' | 0 => continue,
                b'\t' => Some(Token::Control("tab", None)),
                byte => Some(Token::Byte(byte)),
            };
        }
    }
}
