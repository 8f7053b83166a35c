//! Maps from character codes: code lengths of CMaps, and Unicode values of `ToUnicode` [ISO 32000-1, 9.7.5, 9.10.3].

use super::tokens::{Token, Tokens};

/// The Unicode values of codes.
#[derive(Default)]
pub(super) struct UnicodeMap {
    /// The first and the last code of a range and the UTF-16 of the first, of which the last unit is counted up.
    ranges: Vec<(u32, u32, Vec<u16>)>,
}

/// Maximum number of ranges.
const MAX_RANGES: usize = 200_000;

impl UnicodeMap {
    /// Reads a `ToUnicode` map.
    pub(super) fn read(data: &[u8]) -> Self {
        let mut map = Self::default();
        let mut operands: Vec<Token> = Vec::new();
        for token in Tokens::new(data) {
            match token {
                Token::Word(word) if word == "endbfchar" => map.add_characters(&operands),
                Token::Word(word) if word == "endbfrange" => map.add_ranges(&operands),
                Token::Word(word) if word.starts_with("begin") => operands.clear(),
                token if operands.len() < MAX_RANGES => operands.push(token),
                _ => {}
            }
        }
        map.ranges.sort_by_key(|range| range.0);
        map
    }

    fn add_characters(&mut self, operands: &[Token]) {
        for pair in operands.chunks_exact(2) {
            if let [Token::Text(code), Token::Text(value)] = pair {
                self.push(number(code), number(code), value);
            }
        }
    }

    fn add_ranges(&mut self, operands: &[Token]) {
        let mut rest = operands.iter();
        while let (Some(Token::Text(first)), Some(Token::Text(last))) = (rest.next(), rest.next()) {
            let (first, last) = (number(first), number(last));
            match rest.next() {
                Some(Token::Text(value)) => self.push(first, last, value),
                Some(Token::Word(word)) if word == "[" => {
                    let mut code = first;
                    for value in rest.by_ref() {
                        match value {
                            Token::Text(value) => self.push(code, code, value),
                            _ => break,
                        }
                        code = code.saturating_add(1);
                    }
                }
                _ => return,
            }
        }
    }

    fn push(&mut self, first: u32, last: u32, value: &[u8]) {
        if self.ranges.len() < MAX_RANGES {
            let units = value
                .chunks_exact(2)
                .filter_map(|unit| unit.try_into().ok());
            let units = units.map(u16::from_be_bytes).collect();
            self.ranges.push((first, last, units));
        }
    }

    /// Whether a code has a Unicode value that is allowed: not 0, FEFF or FFFE.
    pub(super) fn has_value(&self, code: u32) -> bool {
        let end = self.ranges.partition_point(|range| range.0 <= code);
        let before = self.ranges.get(..end).unwrap_or(&[]).iter().rev();
        // Ranges do not overlap in valid maps; a few are tried for those that do.
        let mut found = before.take(8).filter(|range| code <= range.1);
        found.next().is_some_and(|(first, _, units)| {
            let Some((last, others)) = units.split_last() else {
                return false;
            };
            let offset = u16::try_from(code - first).unwrap_or(u16::MAX);
            let last = last.wrapping_add(offset);
            let is_allowed = |unit: u16| !matches!(unit, 0 | 0xfeff | 0xfffe);
            is_allowed(last) && others.iter().all(|unit| is_allowed(*unit))
        })
    }
}

/// The code length in bytes of an embedded CMap; `None` if codes have different lengths.
pub(super) fn code_length(cmap: &[u8]) -> Option<usize> {
    let mut lengths = Vec::new();
    let mut operands: Vec<usize> = Vec::new();
    for token in Tokens::new(cmap) {
        match token {
            Token::Text(code) => operands.push(code.len()),
            Token::Word(word) if word == "endcodespacerange" => lengths.append(&mut operands),
            Token::Word(word) if word.starts_with("begin") => operands.clear(),
            _ => {}
        }
    }
    let first = *lengths.first()?;
    let is_one = (1..=4).contains(&first) && lengths.iter().all(|length| *length == first);
    is_one.then_some(first)
}

/// The number in the bytes of a code.
pub(super) fn number(code: &[u8]) -> u32 {
    let bytes = code.iter().rev().take(4).rev();
    bytes.fold(0, |number, byte| number << 8 | u32::from(*byte))
}
