//! Rebuilds a name-keyed CFF program with some of its glyphs, which get new glyph ids.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::is_same;
use super::dict::{CHAR_STRINGS, CHARSET, ENCODING, Entry, PRIVATE, SUBROUTINES};
use super::font::{Font, Private};
use super::index::{Index, serialize};
use super::subroutines::SubroutineUsage;

/// Operators with a string id (SID): version, Notice, FullName, FamilyName, Weight, Copyright, PostScript, BaseFontName.
const STRING_OPERATORS: [u16; 8] = [0, 1, 2, 3, 4, 0x0c00, 0x0c15, 0x0c16];
/// Operators that identify the complete font: UniqueID and XUID.
const IDENTITY_OPERATORS: [u16; 2] = [13, 0x0c0e];
/// Number of standard strings, which have the first string ids.
const STANDARD_STRINGS: u16 = 391;
/// Maximum glyphs of a rebuilt program: their names are compared with each other.
const MAX_GLYPHS: usize = 4096;
/// A subroutine that only returns.
const RETURN: &[u8] = &[11];

/// Keeps these glyphs and `.notdef`; `None` if the program cannot be parsed or the result would differ.
pub(in super::super) fn rebuild(program: &[u8], glyphs: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let font = Font::of(program)?;
    let kept: Vec<u16> = (0..font.char_strings.count)
        .filter(|glyph| *glyph == 0 || glyphs.contains(glyph))
        .collect();
    (kept.len() <= MAX_GLYPHS).then_some(())?;
    let rebuilt = font.serialize(&kept)?;
    is_same(program, &rebuilt, &kept).then_some(rebuilt)
}

impl<'a> Font<'a> {
    fn serialize(&self, kept: &[u16]) -> Option<Vec<u8>> {
        let (strings, name_ids) = self.strings(kept)?;
        let charset = charset(&name_ids)?;
        let encoding = self.encoding(kept)?;
        let char_strings: Vec<&[u8]> = kept
            .iter()
            .map(|glyph| self.char_strings.bytes(*glyph))
            .collect::<Option<_>>()?;
        let (global, local) = self.subroutines(&char_strings)?;
        let private = self.private.serialize(local.as_deref())?;
        let behind = [self.index(&strings)?, global].concat();
        let mut sections = vec![
            (CHARSET, charset),
            (CHAR_STRINGS, self.index(&char_strings)?),
        ];
        sections.extend(encoding.map(|encoding| (ENCODING, encoding)));
        sections.push((PRIVATE, private.0));
        // Offsets have a fixed size, so the length of the Top DICT is known before them.
        let dict = |offsets: &BTreeMap<u16, usize>| self.top_dict(offsets, private.1, &strings);
        let no_offsets = sections
            .iter()
            .map(|(operator, _)| (*operator, 0))
            .collect();
        let mut end = self.head.len() + serialize(&[&dict(&no_offsets)?])?.len() + behind.len();
        let mut offsets = BTreeMap::new();
        for (operator, section) in &sections {
            offsets.insert(*operator, end);
            end += section.len();
        }
        let mut rebuilt = [self.head, &serialize(&[&dict(&offsets)?])?, &behind].concat();
        rebuilt.extend(sections.iter().flat_map(|(_, section)| section));
        Some(rebuilt)
    }

    /// Returns the strings in use, and the new string ids of the glyph names from glyph 1 on.
    fn strings(&self, kept: &[u16]) -> Option<(Vec<&'a [u8]>, Vec<u16>)> {
        let names = self.names()?;
        let (mut strings, mut numbers) = (Vec::new(), Vec::new());
        for entry in self.dict.0.iter().filter(|entry| has_string_id(entry)) {
            self.string_id(
                &mut strings,
                u16::try_from(entry.numbers.last().copied()??).ok()?,
            )?;
        }
        for glyph in kept.iter().filter(|glyph| **glyph > 0) {
            numbers.push(self.string_id(&mut strings, *names.get(usize::from(*glyph))?)?);
        }
        Some((strings, numbers))
    }

    /// Returns the new id of a string.
    fn string_id(&self, strings: &mut Vec<&'a [u8]>, number: u16) -> Option<u16> {
        let Some(local) = number.checked_sub(STANDARD_STRINGS) else {
            return Some(number);
        };
        let text = self.strings.bytes(local)?;
        let at = strings.iter().position(|known| *known == text);
        let at = at.unwrap_or_else(|| {
            strings.push(text);
            strings.len() - 1
        });
        u16::try_from(at).ok()?.checked_add(STANDARD_STRINGS)
    }

    /// Returns the encoding of the kept glyphs; `Some(None)` for a predefined encoding.
    fn encoding(&self, kept: &[u16]) -> Option<Option<Vec<u8>>> {
        let Some(codes) = self.codes()? else {
            return Some(None);
        };
        let kept = kept.iter().filter(|glyph| **glyph > 0);
        let codes: Vec<u8> = kept
            .map_while(|glyph| codes.get(usize::from(*glyph) - 1).copied())
            .collect();
        let count = u8::try_from(codes.len()).ok()?;
        Some(Some([&[0, count], codes.as_slice()].concat()))
    }

    /// Returns the global and the local subroutines; those not called become empty.
    fn subroutines(&self, char_strings: &[&[u8]]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let mut usage = SubroutineUsage::new(self.subroutines, self.private.subroutines);
        char_strings
            .iter()
            .try_for_each(|outline| usage.add(outline))?;
        let of = |subroutines: Index<'a>, called: &BTreeSet<u16>| {
            let part = |number| match called.contains(&number) {
                true => subroutines.bytes(number),
                false => Some(RETURN),
            };
            let kept = (0..subroutines.count)
                .map(part)
                .collect::<Option<Vec<_>>>()?;
            self.index(&kept)
        };
        let local = match self.private.subroutines {
            Some(subroutines) => Some(of(subroutines, &usage.local)?),
            None => None,
        };
        Some((of(self.subroutines, &usage.global)?, local))
    }

    /// Serializes objects of the program as an INDEX. Overlapping objects, which together exceed the program, are rejected.
    fn index(&self, sections: &[&[u8]]) -> Option<Vec<u8>> {
        let mut sizes = sections.iter().map(|section| section.len());
        let most = self.program.len().saturating_add(sections.len());
        sizes.try_fold(most, usize::checked_sub)?;
        serialize(sections)
    }

    /// Serializes the Top DICT.
    fn top_dict(
        &self,
        offsets: &BTreeMap<u16, usize>,
        private: usize,
        strings: &[&'a [u8]],
    ) -> Option<Vec<u8>> {
        let mut dict = Vec::new();
        let mut left = offsets.clone();
        for entry in &self.dict.0 {
            if has_string_id(entry) {
                let number = u16::try_from(entry.numbers.last().copied()??).ok()?;
                dict.extend(integer(
                    self.string_id(&mut strings.to_vec(), number)?.into(),
                )?);
                dict.extend(operator(entry.operator));
            } else if !IDENTITY_OPERATORS.contains(&entry.operator)
                && !offsets.contains_key(&entry.operator)
            {
                dict.extend(entry.bytes);
            }
        }
        if let Some(offset) = left.remove(&PRIVATE) {
            dict.extend([integer(private)?, integer(offset)?].concat());
            dict.extend(operator(PRIVATE));
        }
        for (name, offset) in left {
            dict.extend(integer(offset)?);
            dict.extend(operator(name));
        }
        Some(dict)
    }
}

impl Private<'_> {
    /// Serializes the Private DICT followed by its subroutines; also returns the size of the DICT.
    fn serialize(&self, subroutines: Option<&[u8]>) -> Option<(Vec<u8>, usize)> {
        let entries = self.dict.0.iter();
        let entries = entries.filter(|entry| entry.operator != SUBROUTINES);
        let mut dict: Vec<u8> = entries.flat_map(|entry| entry.bytes).copied().collect();
        if subroutines.is_some() {
            let end = dict.len() + integer(0)?.len() + 1;
            dict.extend(integer(end)?);
            dict.extend(operator(SUBROUTINES));
        }
        let size = dict.len();
        dict.extend(subroutines.into_iter().flatten());
        Some((dict, size))
    }
}

fn has_string_id(entry: &Entry<'_>) -> bool {
    STRING_OPERATORS.contains(&entry.operator)
}

/// Serializes a charset of format 2: ranges of string ids.
fn charset(names: &[u16]) -> Option<Vec<u8>> {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for name in names {
        match runs.last_mut() {
            Some((first, more)) if first.checked_add(*more)?.checked_add(1)? == *name => *more += 1,
            _ => runs.push((*name, 0)),
        }
    }
    let runs = runs
        .iter()
        .flat_map(|(first, more)| [first.to_be_bytes(), more.to_be_bytes()].concat());
    Some(std::iter::once(2).chain(runs).collect())
}

/// Encodes an integer operand in the 5-byte form.
fn integer(number: usize) -> Option<Vec<u8>> {
    let number = i32::try_from(number).ok()?;
    Some([&[29], number.to_be_bytes().as_slice()].concat())
}

fn operator(operator: u16) -> Vec<u8> {
    let [high, low] = operator.to_be_bytes();
    match high {
        0 => vec![low],
        _ => vec![high, low],
    }
}

#[cfg(test)]
mod tests {
    use skrifa::GlyphId;

    use super::super::compare::Reader;
    use super::*;

    /// A program of four glyphs, three of which have custom names, codes and outlines.
    fn program() -> Vec<u8> {
        // A move and lines; global subroutine 1 and local subroutine 0 are called.
        let [first, second, third]: [&[u8]; 3] = [
            &[149, 159, 21, 139 - 107, 10, 14],
            &[
                149, 22, 160, 170, 5, 160, 180, 5, 160, 190, 5, 160, 200, 5, 14,
            ],
            &[149, 22, 140 - 107, 29],
        ];
        let head = [&[1, 0, 4, 1], serialize(&[b"Test"]).unwrap().as_slice()].concat();
        let strings = serialize(&[b"one", b"two", b"three", b"a notice"]).unwrap();
        let global = serialize(&[&[11], &[149, 7, 14]]).unwrap();
        let dict = |[charset, encoding, char_strings, private]: [usize; 4]| {
            let entries = [
                [integer(394).unwrap(), operator(1)].concat(),
                [integer(charset).unwrap(), operator(CHARSET)].concat(),
                [integer(encoding).unwrap(), operator(ENCODING)].concat(),
                [integer(char_strings).unwrap(), operator(CHAR_STRINGS)].concat(),
                [
                    integer(6).unwrap(),
                    integer(private).unwrap(),
                    operator(PRIVATE),
                ]
                .concat(),
            ];
            serialize(&[&entries.concat()]).unwrap()
        };
        let begin = head.len() + dict([0; 4]).len() + strings.len() + global.len();
        let charset = [0, 1, 135, 1, 136, 1, 137];
        let encoding = [0, 3, b'a', b'b', b'c'];
        let char_strings = serialize(&[&[14], first, second, third]).unwrap();
        let private = [integer(6).unwrap(), operator(SUBROUTINES)].concat();
        let local = serialize(&[&[159, 159, 5, 11], &[159, 7, 11]]).unwrap();
        let offsets = [
            begin,
            begin + charset.len(),
            begin + charset.len() + encoding.len(),
            begin + charset.len() + encoding.len() + char_strings.len(),
        ];
        let behind = [&charset[..], &encoding, &char_strings, &private, &local].concat();
        [head, dict(offsets), strings, global, behind].concat()
    }

    #[test]
    fn glyphs_keep_their_names_codes_and_outlines() {
        let (program, kept) = (program(), [1, 3].into());
        let rebuilt = rebuild(&program, &kept).unwrap();
        assert!(rebuilt.len() < program.len() - 10);
        let (all, some) = (Reader::of(&program).unwrap(), Reader::of(&rebuilt).unwrap());
        assert_eq!(some.font.num_glyphs(), 3);
        for (old, new, name, code) in [(1, 1, "one", b'a'), (3, 2, "three", b'c')] {
            let [old, new] = [old, new].map(GlyphId::new);
            assert_eq!(some.name(new), Some(name.as_bytes()));
            assert_eq!(some.glyph(code), Some(new));
            let lines = all.lines(old).unwrap();
            assert!(lines.1.0.len() > 2, "{name}");
            assert_eq!(some.lines(new), Some(lines));
        }
        let has = |text: &[u8]| rebuilt.windows(text.len()).any(|window| window == text);
        assert!(has(b"a notice") && !has(b"two"));
        // Rebuilding again changes nothing.
        let again = super::rebuild(&rebuilt, &[1, 2].into());
        assert_eq!(again, Some(rebuilt));
    }

    #[test]
    fn truncated_and_overlapping_data_are_rejected() {
        let program = program();
        for length in 0..program.len() {
            assert_eq!(
                rebuild(&program[..length], &[1, 2, 3].into()),
                None,
                "{length}"
            );
        }
        // Overlapping objects.
        let font = Font::of(&program).unwrap();
        assert!(font.index(&[&program]).is_some());
        assert_eq!(font.index(&[&program, &program[20..]]), None);
    }
}
