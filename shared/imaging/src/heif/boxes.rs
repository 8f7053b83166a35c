//! Boxes of the ISO base media file format: size, four-character type, content [ISO/IEC 14496-12, 4.2].

use std::io::{Read, Seek, SeekFrom};

use task::{TaskError, TaskResult};

/// A cursor over bytes; numbers are big-endian.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the remaining bytes.
    pub(super) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// Returns the next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads an unsigned number of at most 8 bytes.
    pub(super) fn number(&mut self, bytes: usize) -> Option<u64> {
        let taken = self.take(bytes)?;
        Some(
            taken
                .iter()
                .fold(0, |number, byte| number << 8 | u64::from(*byte)),
        )
    }

    /// Reads an unsigned number of at most 32 bits.
    pub(super) fn short(&mut self, bytes: usize) -> Option<u32> {
        u32::try_from(self.number(bytes)?).ok()
    }

    /// Reads version and flags of a full box.
    pub(super) fn version(&mut self) -> Option<(u8, u32)> {
        let version = u8::try_from(self.number(1)?).ok()?;
        Some((version, self.short(3)?))
    }

    /// Reads a four-character code.
    pub(super) fn name(&mut self) -> Option<[u8; 4]> {
        self.take(4)?.try_into().ok()
    }

    /// Returns the next box; `None` at the end, or if the box extends beyond it.
    pub(super) fn next_box(&mut self) -> Option<([u8; 4], Bytes<'a>)> {
        let mut head = *self;
        let size = head.number(4)?;
        let name = head.name()?;
        let (size, header) = match size {
            0 => (self.0.len() as u64, 8),
            1 => (head.number(8)?, 16),
            size => (size, 8),
        };
        let content = usize::try_from(size.checked_sub(header)?).ok()?;
        let content = head.take(content)?;
        *self = head;
        Some((name, Bytes(content)))
    }
}

/// Finds the first top-level box of a type and returns its content, at most `most` bytes.
pub(super) fn find(
    file: &mut (impl Read + Seek),
    wanted: [u8; 4],
    most: u64,
) -> TaskResult<Option<Vec<u8>>> {
    let end = file
        .seek(SeekFrom::End(0))
        .map_err(TaskError::from_read_error)?;
    let mut at = 0;
    while at + 8 <= end {
        file.seek(SeekFrom::Start(at))
            .map_err(TaskError::from_read_error)?;
        let mut head = [0; 8];
        file.read_exact(&mut head)
            .map_err(TaskError::from_read_error)?;
        let [s0, s1, s2, s3, name @ ..] = head;
        let (size, header) = match u32::from_be_bytes([s0, s1, s2, s3]) {
            0 => (end - at, 8),
            1 => {
                let mut long = [0; 8];
                file.read_exact(&mut long)
                    .map_err(TaskError::from_read_error)?;
                (u64::from_be_bytes(long), 16)
            }
            size => (size.into(), 8),
        };
        let next = at.checked_add(size).filter(|next| *next <= end);
        let (Some(next), Some(content)) = (next, size.checked_sub(header)) else {
            return Err(TaskError::input_corrupt());
        };
        if name == wanted {
            if content > most {
                return Err(TaskError::input_corrupt());
            }
            let mut found = Vec::new();
            let read = file.by_ref().take(content).read_to_end(&mut found);
            read.map_err(TaskError::from_read_error)?;
            return Ok(Some(found));
        }
        at = next;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn boxes_are_found_in_sequence_and_within_the_file() {
        let file = b"\0\0\0\x0cftypavif\0\0\0\x01free\0\0\0\0\0\0\0\x11-\0\0\0\0metacontent";
        let found = |most| find(&mut Cursor::new(file), *b"meta", most);
        assert_eq!(found(7).unwrap().unwrap(), b"content");
        assert!(found(6).is_err());
        assert!(find(&mut Cursor::new(file), *b"moov", 9).unwrap().is_none());
        for broken in [&b"\0\0\0\x20meta"[..], b"\0\0\0\x04meta"] {
            assert!(find(&mut Cursor::new(broken), *b"meta", 9).is_err());
            assert!(Bytes::new(broken).next_box().is_none());
        }
    }
}
