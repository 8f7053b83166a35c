//! CFF DICT data: operands followed by operators [Adobe Technical Note 5176, 4].

/// Offset of the charset (glyph names).
pub(super) const CHARSET: u16 = 15;
/// Offset of the encoding (codes of glyphs).
pub(super) const ENCODING: u16 = 16;
/// Offset of the charstrings.
pub(super) const CHAR_STRINGS: u16 = 17;
/// Size and offset of the Private DICT.
pub(super) const PRIVATE: u16 = 18;
/// Offset of the local subroutines, relative to the Private DICT.
pub(super) const SUBROUTINES: u16 = 19;

/// An operator with its operands.
pub(super) struct Entry<'a> {
    /// Two-byte operators have the first byte 12.
    pub(super) operator: u16,
    /// The encoded operands and operator.
    pub(super) bytes: &'a [u8],
    /// The operands; `None` for real numbers.
    pub(super) numbers: Vec<Option<i64>>,
}

pub(super) struct Dict<'a>(pub(super) Vec<Entry<'a>>);

impl<'a> Dict<'a> {
    /// Parses a DICT; `None` if it is truncated.
    pub(super) fn of(dictionary: &'a [u8]) -> Option<Self> {
        let mut entries = Vec::new();
        let (mut begin, mut rest, mut numbers) = (dictionary, dictionary, Vec::new());
        while let Some((first, after)) = rest.split_first() {
            let (operand, after) = after.split_at_checked(length(*first, after)?)?;
            rest = after;
            match (first, operand) {
                (12, [second]) => {
                    entries.push(entry(0x0c00 | u16::from(*second), begin, rest, numbers)?);
                }
                (0..=21, _) => entries.push(entry(u16::from(*first), begin, rest, numbers)?),
                _ => {
                    numbers.push(number(*first, operand));
                    continue;
                }
            }
            (begin, numbers) = (rest, Vec::new());
        }
        Some(Self(entries))
    }

    /// Returns the last operand of an operator.
    pub(super) fn number(&self, operator: u16) -> Option<i64> {
        self.numbers(operator)?.last().copied()?
    }

    pub(super) fn numbers(&self, operator: u16) -> Option<&[Option<i64>]> {
        let mut entries = self.0.iter();
        let entry = entries.find(|entry| entry.operator == operator)?;
        Some(&entry.numbers)
    }
}

fn entry<'a>(
    operator: u16,
    begin: &'a [u8],
    rest: &[u8],
    numbers: Vec<Option<i64>>,
) -> Option<Entry<'a>> {
    let bytes = begin.get(..begin.len() - rest.len())?;
    Some(Entry {
        operator,
        bytes,
        numbers,
    })
}

/// Returns the number of further bytes of an operand or operator.
fn length(first: u8, after: &[u8]) -> Option<usize> {
    Some(match first {
        12 | 247..=254 => 1,
        28 => 2,
        29 => 4,
        // Real numbers end with the nibble 15.
        30 => {
            let ends = |byte: &u8| byte & 15 == 15 || byte >> 4 == 15;
            after.iter().position(ends)? + 1
        }
        _ => 0,
    })
}

fn number(first: u8, operand: &[u8]) -> Option<i64> {
    match (first, operand) {
        (28, [high, low]) => Some(i64::from(i16::from_be_bytes([*high, *low]))),
        (29, bytes) => Some(i64::from(i32::from_be_bytes(bytes.try_into().ok()?))),
        (32..=246, _) => Some(i64::from(first) - 139),
        (247..=250, [low]) => Some((i64::from(first) - 247) * 256 + i64::from(*low) + 108),
        (251..=254, [low]) => Some((251 - i64::from(first)) * 256 - i64::from(*low) - 108),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_precede_their_operators() {
        // 1.5 12 7, -200 and 1000 18, 70000 17.
        let dictionary = [
            &[30, 0x1a, 0x5f, 12, 7][..],
            &[251, 92, 28, 3, 232, 18],
            &[29, 0, 1, 0x11, 0x70, 17],
        ]
        .concat();
        let entries = Dict::of(&dictionary).unwrap();
        assert_eq!(entries.numbers(0x0c07), Some([None].as_slice()));
        assert_eq!(
            entries.numbers(PRIVATE),
            Some([Some(-200), Some(1000)].as_slice())
        );
        assert_eq!(entries.number(CHAR_STRINGS), Some(70_000));
        assert_eq!(entries.number(CHARSET), None);
        let written: Vec<u8> = entries
            .0
            .iter()
            .flat_map(|entry| entry.bytes.to_vec())
            .collect();
        assert_eq!(written, dictionary);
        assert!(Dict::of(&dictionary[..3]).is_some());
        assert!(Dict::of(&dictionary[..2]).is_none());
    }
}
