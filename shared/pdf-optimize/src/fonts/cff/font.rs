//! Parses a CFF program with a single name-keyed font.

use super::dict::{CHAR_STRINGS, CHARSET, Dict, ENCODING, PRIVATE, SUBROUTINES};
use super::index::Index;

/// The `ROS` operator of CID-keyed fonts.
const ROS: u16 = 0x0c1e;
/// The `CharstringType` operator.
const CHARSTRING_TYPE: u16 = 0x0c06;
/// Number of glyphs of the predefined ISOAdobe charset, whose names are the first standard strings.
const ISO_ADOBE_GLYPHS: u16 = 229;
/// Number of predefined encodings.
const PREDEFINED_ENCODINGS: i64 = 2;

/// A CFF program with a single name-keyed font.
pub(super) struct Font<'a> {
    pub(super) program: &'a [u8],
    /// Header and Name INDEX.
    pub(super) head: &'a [u8],
    pub(super) dict: Dict<'a>,
    pub(super) strings: Index<'a>,
    pub(super) subroutines: Index<'a>,
    pub(super) char_strings: Index<'a>,
    pub(super) private: Private<'a>,
}

/// The Private DICT with the local subroutines.
pub(super) struct Private<'a> {
    pub(super) dict: Dict<'a>,
    pub(super) subroutines: Option<Index<'a>>,
}

impl<'a> Font<'a> {
    /// Parses a program; `None` if it is truncated or not supported.
    pub(super) fn of(program: &'a [u8]) -> Option<Self> {
        let [1, _, head, _] = *program.first_chunk()? else {
            return None;
        };
        let names = Index::at(program, usize::from(head))?;
        let dictionaries = Index::complete(program, names.end()?)?;
        let strings = Index::complete(program, dictionaries.end()?)?;
        let dict = Dict::of(dictionaries.bytes(0)?)?;
        let is_supported = dictionaries.count == 1
            && [ROS, CHARSTRING_TYPE]
                .iter()
                .all(|it| dict.numbers(*it).is_none());
        let char_strings = usize::try_from(dict.number(CHAR_STRINGS)?).ok()?;
        is_supported.then_some(Self {
            program,
            head: program.get(..names.end()?)?,
            subroutines: Index::complete(program, strings.end()?)?,
            char_strings: Index::complete(program, char_strings)?,
            private: Private::of(program, &dict)?,
            strings,
            dict,
        })
    }

    /// Returns the string ids (SID) of the names of all glyphs.
    pub(super) fn names(&self) -> Option<Vec<u16>> {
        let count = self.char_strings.count;
        let place = usize::try_from(self.dict.number(CHARSET).unwrap_or(0)).ok()?;
        match place {
            0 if count <= ISO_ADOBE_GLYPHS => return Some((0..count).collect()),
            0..=2 => return None,
            _ => {}
        }
        let (format, mut rest) = self.program.get(place..)?.split_first()?;
        let mut names = vec![0];
        while names.len() < usize::from(count) {
            let first = word(&mut rest)?;
            let more = match format {
                0 => 0,
                1 => u16::from(byte(&mut rest)?),
                2 => word(&mut rest)?,
                _ => return None,
            };
            names.extend(first..=first.checked_add(more)?);
        }
        names.truncate(usize::from(count));
        Some(names)
    }

    /// Returns the codes of the glyphs from 1 on (glyph 0 has none), `Some(None)` for a predefined encoding.
    pub(super) fn codes(&self) -> Option<Option<Vec<u8>>> {
        let place = self.dict.number(ENCODING).unwrap_or(0);
        if place < PREDEFINED_ENCODINGS {
            return Some(None);
        }
        let rest = self.program.get(usize::try_from(place).ok()?..)?;
        let ([format, count], mut rest) = rest.split_first_chunk()?;
        let mut codes = Vec::new();
        for _ in 0..*count {
            let first = byte(&mut rest)?;
            let more = match format {
                0 => 0,
                1 => byte(&mut rest)?,
                _ => return None,
            };
            codes.extend(first..=first.checked_add(more)?);
        }
        Some(Some(codes))
    }
}

impl<'a> Private<'a> {
    fn of(program: &'a [u8], dict: &Dict<'a>) -> Option<Self> {
        let [Some(size), Some(place)] = dict.numbers(PRIVATE)? else {
            return None;
        };
        let (size, place) = (usize::try_from(*size).ok()?, usize::try_from(*place).ok()?);
        let dict = Dict::of(program.get(place..place.checked_add(size)?)?)?;
        let subroutines = match dict.number(SUBROUTINES) {
            Some(behind) => {
                let subroutines = place.checked_add(usize::try_from(behind).ok()?)?;
                Some(Index::complete(program, subroutines)?)
            }
            None => None,
        };
        Some(Self { dict, subroutines })
    }
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (byte, after) = rest.split_first()?;
    *rest = after;
    Some(*byte)
}

fn word(rest: &mut &[u8]) -> Option<u16> {
    Some(u16::from_be_bytes([byte(rest)?, byte(rest)?]))
}
