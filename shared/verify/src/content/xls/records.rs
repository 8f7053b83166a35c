//! Iterates over the records of a workbook stream [MS-XLS, 2.1.4].

use crate::content::bytes::Bytes as _;

pub(super) const END: u16 = 0x000a;
pub(super) const CONTINUE: u16 = 0x003c;
pub(super) const START: u16 = 0x0809;

/// A record with the records that continue it.
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    /// Content of the record and of each continuation.
    pub(super) parts: Vec<&'a [u8]>,
}

impl<'a> Record<'a> {
    /// Content of the record without continuations.
    pub(super) fn data(&self) -> &'a [u8] {
        self.parts.first().copied().unwrap_or_default()
    }
}

/// The records from the start of a substream to its end, without those of substreams within it.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    position: usize,
    depth: usize,
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            depth: 0,
        }
    }

    /// Number of bytes of the records so far.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    fn record(&mut self) -> Option<(u16, &'a [u8])> {
        let kind = self.bytes.u16_at(self.position)?;
        let len = usize::from(self.bytes.u16_at(self.position + 2)?);
        let data = self.bytes.span(self.position + 4, len)?;
        self.position += 4 + len;
        Some((kind, data))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        loop {
            let (kind, data) = self.record()?;
            match kind {
                START => self.depth += 1,
                END => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if self.depth == 0 {
                return None;
            }
            let mut parts = vec![data];
            while self.bytes.u16_at(self.position) == Some(CONTINUE) {
                let (_, part) = self.record()?;
                parts.push(part);
            }
            if self.depth == 1 && kind != END {
                return Some(Record { kind, parts });
            }
        }
    }
}
