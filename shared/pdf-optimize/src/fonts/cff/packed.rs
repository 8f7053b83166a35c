//! Writes a program anew whose glyphs are found by their names, with some of them only: their numbers change.

use std::collections::{BTreeMap, BTreeSet};

use super::called::Called;
use super::dictionary::{CHAR_STRINGS, CHARSET, ENCODING, Entry, PRIVATE, SUBROUTINES};
use super::font::{Font, Private};
use super::index::{Index, written};
use super::same::is_same;

/// Operators before the number of a text: version, notice, names, weight, copyright and programs.
const TEXTS: [u16; 8] = [0, 1, 2, 3, 4, 0x0c00, 0x0c15, 0x0c16];
/// Operators before numbers that only the whole program has.
const IDENTITIES: [u16; 2] = [13, 0x0c0e];
/// How many texts every reader knows, whose numbers come first.
const KNOWN: u16 = 391;
/// Most glyphs of a program that is written anew: their names are compared with each other.
const GLYPHS: usize = 4096;
/// What ends a part that nothing calls.
const RETURN: &[u8] = &[11];

/// The program with these glyphs, and the one of missing characters; `None` if it is not understood.
pub(in super::super) fn packed(program: &[u8], glyphs: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let font = Font::of(program)?;
    let kept: Vec<u16> = (0..font.outlines.count)
        .filter(|glyph| *glyph == 0 || glyphs.contains(glyph))
        .collect();
    (kept.len() <= GLYPHS).then_some(())?;
    let packed = font.written(&kept)?;
    is_same(program, &packed, &kept).then_some(packed)
}

impl<'a> Font<'a> {
    fn written(&self, kept: &[u16]) -> Option<Vec<u8>> {
        let (texts, texts_of) = self.texts(kept)?;
        let charset = charset(&texts_of)?;
        let encoding = self.encoding(kept)?;
        let outlines: Vec<&[u8]> = kept
            .iter()
            .map(|glyph| self.outlines.bytes(*glyph))
            .collect::<Option<_>>()?;
        let (everywhere, own) = self.parts(&outlines)?;
        let private = self.private.written(own.as_deref())?;
        let behind = [self.index(&texts)?, everywhere].concat();
        let mut pieces = vec![(CHARSET, charset), (CHAR_STRINGS, self.index(&outlines)?)];
        pieces.extend(encoding.map(|encoding| (ENCODING, encoding)));
        pieces.push((PRIVATE, private.0));
        // Offsets take the same space whatever they are.
        let about = |places: &BTreeMap<u16, usize>| self.about(places, private.1, &texts);
        let nowhere = pieces.iter().map(|(operator, _)| (*operator, 0)).collect();
        let mut end = self.head.len() + written(&[&about(&nowhere)?])?.len() + behind.len();
        let mut places = BTreeMap::new();
        for (operator, piece) in &pieces {
            places.insert(*operator, end);
            end += piece.len();
        }
        let mut packed = [self.head, &written(&[&about(&places)?])?, &behind].concat();
        packed.extend(pieces.iter().flat_map(|(_, piece)| piece));
        Some(packed)
    }

    /// The texts that are spoken of, and the numbers of the names of glyphs, but of the first, which has none.
    fn texts(&self, kept: &[u16]) -> Option<(Vec<&'a [u8]>, Vec<u16>)> {
        let names = self.names()?;
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        for entry in self.about.0.iter().filter(|entry| is_text(entry)) {
            self.text(
                &mut texts,
                u16::try_from(entry.numbers.last().copied()??).ok()?,
            )?;
        }
        for glyph in kept.iter().filter(|glyph| **glyph > 0) {
            numbers.push(self.text(&mut texts, *names.get(usize::from(*glyph))?)?);
        }
        Some((texts, numbers))
    }

    /// The new number of a text.
    fn text(&self, texts: &mut Vec<&'a [u8]>, number: u16) -> Option<u16> {
        let Some(own) = number.checked_sub(KNOWN) else {
            return Some(number);
        };
        let text = self.texts.bytes(own)?;
        let at = texts.iter().position(|known| *known == text);
        let at = at.unwrap_or_else(|| {
            texts.push(text);
            texts.len() - 1
        });
        u16::try_from(at).ok()?.checked_add(KNOWN)
    }

    /// The codes of glyphs, unless every reader knows them.
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

    /// The parts that outlines share, for all fonts and for this one: those that are not called do nothing.
    fn parts(&self, outlines: &[&[u8]]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let mut called = Called::none(self.parts, self.private.parts);
        outlines
            .iter()
            .try_for_each(|outline| called.add(outline))?;
        let of = |parts: Index<'a>, called: &BTreeSet<u16>| {
            let part = |number| match called.contains(&number) {
                true => parts.bytes(number),
                false => Some(RETURN),
            };
            let kept = (0..parts.count).map(part).collect::<Option<Vec<_>>>()?;
            self.index(&kept)
        };
        let own = match self.private.parts {
            Some(parts) => Some(of(parts, &called.own)?),
            None => None,
        };
        Some((of(self.parts, &called.everywhere)?, own))
    }

    /// Writes pieces of the program, which must not lie in one another: they would be more than the program.
    fn index(&self, pieces: &[&[u8]]) -> Option<Vec<u8>> {
        let mut sizes = pieces.iter().map(|piece| piece.len());
        let most = self.program.len().saturating_add(pieces.len());
        sizes.try_fold(most, usize::checked_sub)?;
        written(pieces)
    }

    /// The first dictionary.
    fn about(
        &self,
        places: &BTreeMap<u16, usize>,
        private: usize,
        texts: &[&'a [u8]],
    ) -> Option<Vec<u8>> {
        let mut about = Vec::new();
        let mut left = places.clone();
        for entry in &self.about.0 {
            if is_text(entry) {
                let number = u16::try_from(entry.numbers.last().copied()??).ok()?;
                about.extend(integer(self.text(&mut texts.to_vec(), number)?.into())?);
                about.extend(operator(entry.operator));
            } else if !IDENTITIES.contains(&entry.operator) && !places.contains_key(&entry.operator)
            {
                about.extend(entry.bytes);
            }
        }
        if let Some(place) = left.remove(&PRIVATE) {
            about.extend([integer(private)?, integer(place)?].concat());
            about.extend(operator(PRIVATE));
        }
        for (name, place) in left {
            about.extend(integer(place)?);
            about.extend(operator(name));
        }
        Some(about)
    }
}

impl Private<'_> {
    /// The dictionary with the parts behind it, and its length without them.
    fn written(&self, parts: Option<&[u8]>) -> Option<(Vec<u8>, usize)> {
        let entries = self.about.0.iter();
        let entries = entries.filter(|entry| entry.operator != SUBROUTINES);
        let mut about: Vec<u8> = entries.flat_map(|entry| entry.bytes).copied().collect();
        if parts.is_some() {
            let end = about.len() + integer(0)?.len() + 1;
            about.extend(integer(end)?);
            about.extend(operator(SUBROUTINES));
        }
        let size = about.len();
        about.extend(parts.into_iter().flatten());
        Some((about, size))
    }
}

fn is_text(entry: &Entry<'_>) -> bool {
    TEXTS.contains(&entry.operator)
}

/// The charset of names: runs of numbers, and how many follow each.
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

/// A number of a dictionary in the form that takes the same space for all.
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

    use super::super::same::Reader;
    use super::*;

    /// A program of four glyphs, of which three have names of their own, codes and outlines.
    fn program() -> Vec<u8> {
        // A line after a move, and its parts: 1 of all fonts, 0 of this one.
        let [first, second, third]: [&[u8]; 3] = [
            &[149, 159, 21, 139 - 107, 10, 14],
            &[
                149, 22, 160, 170, 5, 160, 180, 5, 160, 190, 5, 160, 200, 5, 14,
            ],
            &[149, 22, 140 - 107, 29],
        ];
        let head = [&[1, 0, 4, 1], written(&[b"Test"]).unwrap().as_slice()].concat();
        let texts = written(&[b"one", b"two", b"three", b"a notice"]).unwrap();
        let everywhere = written(&[&[11], &[149, 7, 14]]).unwrap();
        let about = |[charset, encoding, outlines, private]: [usize; 4]| {
            let entries = [
                [integer(394).unwrap(), operator(1)].concat(),
                [integer(charset).unwrap(), operator(CHARSET)].concat(),
                [integer(encoding).unwrap(), operator(ENCODING)].concat(),
                [integer(outlines).unwrap(), operator(CHAR_STRINGS)].concat(),
                [
                    integer(6).unwrap(),
                    integer(private).unwrap(),
                    operator(PRIVATE),
                ]
                .concat(),
            ];
            written(&[&entries.concat()]).unwrap()
        };
        let begin = head.len() + about([0; 4]).len() + texts.len() + everywhere.len();
        let charset = [0, 1, 135, 1, 136, 1, 137];
        let encoding = [0, 3, b'a', b'b', b'c'];
        let outlines = written(&[&[14], first, second, third]).unwrap();
        let private = [integer(6).unwrap(), operator(SUBROUTINES)].concat();
        let own = written(&[&[159, 159, 5, 11], &[159, 7, 11]]).unwrap();
        let places = [
            begin,
            begin + charset.len(),
            begin + charset.len() + encoding.len(),
            begin + charset.len() + encoding.len() + outlines.len(),
        ];
        let behind = [&charset[..], &encoding, &outlines, &private, &own].concat();
        [head, about(places), texts, everywhere, behind].concat()
    }

    #[test]
    fn glyphs_keep_their_names_codes_and_outlines() {
        let (program, kept) = (program(), [1, 3].into());
        let packed = packed(&program, &kept).unwrap();
        assert!(packed.len() < program.len() - 10);
        let (all, some) = (Reader::of(&program).unwrap(), Reader::of(&packed).unwrap());
        assert_eq!(some.font.num_glyphs(), 3);
        for (old, new, name, code) in [(1, 1, "one", b'a'), (3, 2, "three", b'c')] {
            let [old, new] = [old, new].map(GlyphId::new);
            assert_eq!(some.name(new), Some(name.as_bytes()));
            assert_eq!(some.glyph(code), Some(new));
            let lines = all.lines(old).unwrap();
            assert!(lines.1.0.len() > 2, "{name}");
            assert_eq!(some.lines(new), Some(lines));
        }
        let has = |text: &[u8]| packed.windows(text.len()).any(|window| window == text);
        assert!(has(b"a notice") && !has(b"two"));
        // Nothing is left to be done.
        let again = super::packed(&packed, &[1, 2].into());
        assert_eq!(again, Some(packed));
    }

    #[test]
    fn what_is_cut_off_or_lies_in_something_else_is_not_understood() {
        let program = program();
        for length in 0..program.len() {
            assert_eq!(
                packed(&program[..length], &[1, 2, 3].into()),
                None,
                "{length}"
            );
        }
        // Pieces that lie in one another.
        let font = Font::of(&program).unwrap();
        assert!(font.index(&[&program]).is_some());
        assert_eq!(font.index(&[&program, &program[20..]]), None);
    }
}
