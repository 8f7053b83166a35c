//! A font program with outlines of PostScript [Adobe Technical Note 5176], whose unused glyphs are empty. Everything stays where
//! it is: what is emptied is zeros, which take no space when deflated.

use std::collections::BTreeSet;
use std::ops::Range;

/// The operator of the first dictionary before which stands where the outlines are.
const CHAR_STRINGS: u8 = 17;
/// What ends an outline.
const END: u8 = 14;

/// The program with these glyphs, and the one of missing characters; `None` if it is not understood.
pub(super) fn reduced(program: &[u8], glyphs: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let [1, _, head, _] = *program.first_chunk()? else {
        return None;
    };
    let names = Index::at(program, usize::from(head))?;
    let dictionaries = Index::at(program, names.end()?)?;
    let outlines = char_strings(program.get(dictionaries.item(0)?)?)?;
    let outlines = Index::at(program, outlines)?;
    let mut kept = program.to_vec();
    let mut left = program.len();
    for glyph in (1..outlines.count).filter(|glyph| !glyphs.contains(glyph)) {
        let place = outlines.item(glyph)?;
        // Outlines that lie in one another belong to other glyphs, too.
        left = left.checked_sub(place.len())?;
        let (end, rest) = kept.get_mut(place)?.split_first_mut()?;
        *end = END;
        rest.fill(0);
    }
    Some(kept)
}

/// Some pieces of data one behind the other.
struct Index<'a> {
    program: &'a [u8],
    count: u16,
    /// Where their offsets are, and how many bytes each has.
    offsets: (usize, usize),
}

impl<'a> Index<'a> {
    fn at(program: &'a [u8], place: usize) -> Option<Self> {
        let count = u16::from_be_bytes(program.get(place..)?.first_chunk().copied()?);
        let size = match count {
            0 => 0,
            _ => usize::from(*program.get(place + 2)?),
        };
        (size <= 4).then_some(Self {
            program,
            count,
            offsets: (place + 3, size),
        })
    }

    fn offset(&self, index: usize) -> Option<usize> {
        let (begin, size) = self.offsets;
        let begin = begin + index * size;
        let bytes = self.program.get(begin..begin + size)?;
        let offset = bytes
            .iter()
            .fold(0, |offset, byte| offset << 8 | usize::from(*byte));
        // The first byte of the data has the number 1.
        let data = self.offsets.0 + (usize::from(self.count) + 1) * size - 1;
        data.checked_add(offset)
    }

    fn item(&self, index: u16) -> Option<Range<usize>> {
        let index = usize::from(index);
        (index < usize::from(self.count)).then_some(self.offset(index)?..self.offset(index + 1)?)
    }

    fn end(&self) -> Option<usize> {
        match self.count {
            0 => Some(self.offsets.0 - 1),
            count => self.offset(usize::from(count)),
        }
    }
}

/// Where a dictionary says that the outlines are.
fn char_strings(dictionary: &[u8]) -> Option<usize> {
    let (mut rest, mut number) = (dictionary, None);
    while let Some((first, after)) = rest.split_first() {
        let length = match first {
            &CHAR_STRINGS => return usize::try_from(number?).ok(),
            // An operator, of two bytes after 12.
            12 => 1,
            0..=21 => 0,
            28 => 2,
            29 => 4,
            // Decimals end with a half of a byte that is 15.
            30 => {
                after
                    .iter()
                    .position(|byte| byte & 15 == 15 || byte >> 4 == 15)?
                    + 1
            }
            247..=254 => 1,
            _ => 0,
        };
        let (operand, after) = after.split_at_checked(length)?;
        number = match (first, operand) {
            (28, [high, low]) => Some(i64::from(i16::from_be_bytes([*high, *low]))),
            (29, bytes) => Some(i64::from(i32::from_be_bytes(bytes.try_into().ok()?))),
            (32..=246, _) => Some(i64::from(*first) - 139),
            (247..=250, [low]) => Some((i64::from(*first) - 247) * 256 + i64::from(*low) + 108),
            (251..=254, [low]) => Some((251 - i64::from(*first)) * 256 - i64::from(*low) - 108),
            _ => None,
        };
        rest = after;
    }
    None
}
