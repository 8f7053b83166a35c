//! What a program of one font is made of, whose glyphs have names.

use super::dictionary::{CHAR_STRINGS, CHARSET, ENCODING, Entries, PRIVATE, SUBROUTINES};
use super::index::Index;

/// The operator of programs whose glyphs have numbers instead of names.
const NUMBERED: u16 = 0x0c1e;
/// The operator of outlines of another kind.
const KIND: u16 = 0x0c06;
/// How many glyphs the first charset that every reader knows has, whose names are the first texts.
const LATIN: u16 = 229;
/// How many encodings every reader knows.
const ENCODINGS: i64 = 2;

/// A program of one font.
pub(super) struct Font<'a> {
    pub(super) program: &'a [u8],
    /// Its version and name.
    pub(super) head: &'a [u8],
    pub(super) about: Entries<'a>,
    pub(super) texts: Index<'a>,
    pub(super) parts: Index<'a>,
    pub(super) outlines: Index<'a>,
    pub(super) private: Private<'a>,
}

/// What its outlines share.
pub(super) struct Private<'a> {
    pub(super) about: Entries<'a>,
    pub(super) parts: Option<Index<'a>>,
}

impl<'a> Font<'a> {
    /// `None` if it is not understood.
    pub(super) fn of(program: &'a [u8]) -> Option<Self> {
        let [1, _, head, _] = *program.first_chunk()? else {
            return None;
        };
        let names = Index::at(program, usize::from(head))?;
        let dictionaries = Index::whole(program, names.end()?)?;
        let texts = Index::whole(program, dictionaries.end()?)?;
        let about = Entries::of(dictionaries.bytes(0)?)?;
        let is_understood = dictionaries.count == 1
            && [NUMBERED, KIND]
                .iter()
                .all(|it| about.numbers(*it).is_none());
        let outlines = usize::try_from(about.number(CHAR_STRINGS)?).ok()?;
        is_understood.then_some(Self {
            program,
            head: program.get(..names.end()?)?,
            parts: Index::whole(program, texts.end()?)?,
            outlines: Index::whole(program, outlines)?,
            private: Private::of(program, &about)?,
            texts,
            about,
        })
    }

    /// The numbers of the names of all glyphs.
    pub(super) fn names(&self) -> Option<Vec<u16>> {
        let count = self.outlines.count;
        let place = usize::try_from(self.about.number(CHARSET).unwrap_or(0)).ok()?;
        match place {
            0 if count <= LATIN => return Some((0..count).collect()),
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

    /// The codes of the first glyphs, but of the very first, which has none; unless every reader knows them.
    pub(super) fn codes(&self) -> Option<Option<Vec<u8>>> {
        let place = self.about.number(ENCODING).unwrap_or(0);
        if place < ENCODINGS {
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
    fn of(program: &'a [u8], about: &Entries<'a>) -> Option<Self> {
        let [Some(size), Some(place)] = about.numbers(PRIVATE)? else {
            return None;
        };
        let (size, place) = (usize::try_from(*size).ok()?, usize::try_from(*place).ok()?);
        let about = Entries::of(program.get(place..place.checked_add(size)?)?)?;
        let parts = match about.number(SUBROUTINES) {
            Some(behind) => {
                let parts = place.checked_add(usize::try_from(behind).ok()?)?;
                Some(Index::whole(program, parts)?)
            }
            None => None,
        };
        Some(Self { about, parts })
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
