//! Finds the current versions of objects [MS-PPT, 2.1.2]: each save appends changed ones and a directory of their offsets.

use std::collections::HashMap;

use crate::content::art::records;
use crate::content::bytes::Bytes as _;
use crate::content::item::Unreadable;

/// The current objects of a presentation.
pub(super) struct PersistObjects<'a> {
    stream: &'a [u8],
    /// Offsets by identifier.
    offsets: HashMap<u32, usize>,
    document: u32,
}

const USER_EDIT: u16 = 0x0ff5;
const PERSIST_DIRECTORY: u16 = 0x1772;
const ENCRYPTED: u32 = 0xf3d1_c4df;
/// Bytes of a user edit without a reference to encryption.
const EDIT_LEN: usize = 28;

impl<'a> PersistObjects<'a> {
    pub(super) fn read(user: &[u8], stream: &'a [u8]) -> Result<Self, Unreadable> {
        if user.u32_at(12) == Some(ENCRYPTED) {
            return Err(Unreadable);
        }
        Self::parse(user, stream).ok_or(Unreadable)
    }

    fn parse(user: &[u8], stream: &'a [u8]) -> Option<Self> {
        let mut objects = Self {
            stream,
            offsets: HashMap::new(),
            document: 0,
        };
        let mut offset = user.usize_at(16)?;
        let mut end = stream.len();
        // Entries of all directories, which are different parts of the stream
        let mut left = stream.len() / 4;
        while offset > 0 {
            // Earlier edits are before later ones.
            if offset >= end {
                return None;
            }
            end = offset;
            let edit = objects.record(offset, USER_EDIT)?;
            if edit.len() > EDIT_LEN {
                return None;
            }
            if objects.document == 0 {
                objects.document = edit.u32_at(16)?;
            }
            let directory = objects.record(edit.usize_at(12)?, PERSIST_DIRECTORY)?;
            left = left.checked_sub(directory.len() / 4)?;
            objects.add(directory);
            offset = edit.usize_at(8)?;
        }
        Some(objects)
    }

    /// Adds the offsets of a directory, except of objects that a later one has.
    fn add(&mut self, directory: &[u8]) {
        let mut numbers = directory
            .chunks_exact(4)
            .filter_map(|bytes| bytes.u32_at(0));
        while let Some(head) = numbers.next() {
            let (first, count) = (head & 0xf_ffff, head >> 20);
            for id in first..first + count {
                let Some(offset) = numbers.next().and_then(|offset| offset.try_into().ok()) else {
                    return;
                };
                self.offsets.entry(id).or_insert(offset);
            }
        }
    }

    fn record(&self, offset: usize, kind: u16) -> Option<&'a [u8]> {
        let record = records(self.stream.get(offset..)?).next()?;
        (record.kind == kind).then_some(record.data)
    }

    /// The content of the document object.
    pub(super) fn document(&self, kind: u16) -> Option<&'a [u8]> {
        self.object(self.document, kind)
    }

    /// The content of an object.
    pub(super) fn object(&self, id: u32, kind: u16) -> Option<&'a [u8]> {
        self.record(*self.offsets.get(&id)?, kind)
    }
}
