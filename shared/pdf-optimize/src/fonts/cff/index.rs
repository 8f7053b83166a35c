//! CFF INDEX data: a sequence of variable-sized objects [Adobe Technical Note 5176, 5].

use std::ops::Range;

/// An INDEX within a program.
#[derive(Clone, Copy)]
pub(super) struct Index<'a> {
    program: &'a [u8],
    pub(super) count: u16,
    /// Position and element size of the offset array.
    offsets: (usize, usize),
}

impl<'a> Index<'a> {
    pub(super) fn at(program: &'a [u8], place: usize) -> Option<Self> {
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

    /// Like [`Index::at`], but `None` if the INDEX is truncated.
    pub(super) fn complete(program: &'a [u8], place: usize) -> Option<Self> {
        let index = Self::at(program, place)?;
        (index.end()? <= program.len()).then_some(index)
    }

    fn offset(&self, index: usize) -> Option<usize> {
        let (begin, size) = self.offsets;
        let begin = begin + index * size;
        let bytes = self.program.get(begin..begin + size)?;
        let offset = bytes
            .iter()
            .fold(0, |offset, byte| offset << 8 | usize::from(*byte));
        // Offsets are relative to the byte before the data.
        let data = self.offsets.0 + (usize::from(self.count) + 1) * size - 1;
        data.checked_add(offset)
    }

    /// Returns the byte range of an object.
    pub(super) fn item(&self, index: u16) -> Option<Range<usize>> {
        let index = usize::from(index);
        (index < usize::from(self.count)).then_some(self.offset(index)?..self.offset(index + 1)?)
    }

    pub(super) fn bytes(&self, index: u16) -> Option<&'a [u8]> {
        self.program.get(self.item(index)?)
    }

    /// Returns the position after the INDEX.
    pub(super) fn end(&self) -> Option<usize> {
        match self.count {
            0 => Some(self.offsets.0 - 1),
            count => self.offset(usize::from(count)),
        }
    }
}

/// Serializes objects as an INDEX; `None` if there are too many.
pub(super) fn serialize(objects: &[&[u8]]) -> Option<Vec<u8>> {
    let mut index = u16::try_from(objects.len()).ok()?.to_be_bytes().to_vec();
    if objects.is_empty() {
        return Some(index);
    }
    let mut offset = 1_u32;
    let mut offsets = vec![offset];
    for object in objects {
        offset = offset.checked_add(u32::try_from(object.len()).ok()?)?;
        offsets.push(offset);
    }
    let size = 4 - offset.leading_zeros() / 8;
    index.push(u8::try_from(size).ok()?);
    for offset in offsets {
        let skipped = 4 - usize::try_from(size).ok()?;
        index.extend(offset.to_be_bytes().iter().skip(skipped));
    }
    index.extend(objects.iter().copied().flatten());
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_read_as_written() {
        let long = vec![7; 70_000];
        for objects in [
            vec![],
            vec![b"a".as_slice()],
            vec![b"", b"bc", b""],
            vec![b"d", &long, b"e"],
        ] {
            let index = serialize(&objects).unwrap();
            let read = Index::at(&index, 0).unwrap();
            assert_eq!(read.end(), Some(index.len()));
            let read: Vec<_> = (0..read.count).map(|at| read.bytes(at).unwrap()).collect();
            assert_eq!(read, objects);
        }
    }
}
