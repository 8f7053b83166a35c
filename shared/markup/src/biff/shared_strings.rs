//! Lengths of the shared strings of xls [MS-XLS, 2.4.265], to limit memory: calamine copies the string into each cell that
//! references it.

use super::bytes::{u16_at, u32_at};

const CONTINUE: u16 = 0x003C;

/// Returns the UTF-8 length of each string of an `SST` record. `behind` begins with its `Continue` records.
pub(super) fn lengths(record: &[u8], behind: &[u8]) -> Vec<u32> {
    let record = record.get(8..).unwrap_or_default();
    let mut reader = StringReader { record, behind };
    std::iter::from_fn(|| reader.length()).collect()
}

struct StringReader<'a> {
    record: &'a [u8],
    behind: &'a [u8],
}

impl<'a> StringReader<'a> {
    /// Returns the length of the next string; `None` at the end or if it is damaged.
    fn length(&mut self) -> Option<u32> {
        if self.record.is_empty() {
            self.advance()?;
            // calamine reads an empty record as an empty string.
            if self.record.is_empty() {
                return Some(0);
            }
        }
        let mut characters = usize::from(u16_at(self.take(2)?, 0)?);
        let flags = *self.take(1)?.first()?;
        let runs = match flags & 8 {
            0 => 0,
            _ => u64::from(u16_at(self.take(2)?, 0)?),
        };
        let phonetic = match flags & 4 {
            0 => 0,
            _ => u64::from(u32_at(self.take(4)?, 0)?),
        };
        let (mut width, mut bytes) = (1 + usize::from(flags & 1), 0);
        loop {
            let count = characters.min(self.record.len() / width);
            let text = self.take(count * width)?;
            bytes += text.chunks(width).map(utf8_length).sum::<u32>();
            characters -= count;
            if characters == 0 {
                break;
            }
            self.advance()?;
            width = 1 + usize::from(self.take(1)?.first()? & 1);
        }
        self.skip(runs * 4 + phonetic)?;
        Some(bytes)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.record.split_at_checked(count)?;
        self.record = rest;
        Some(taken)
    }

    fn skip(&mut self, mut count: u64) -> Option<()> {
        while count > 0 {
            if self.record.is_empty() {
                self.advance()?;
            }
            let step = count.min(self.record.len() as u64);
            self.take(step as usize)?;
            count -= step;
        }
        Some(())
    }

    /// Advances to the next `Continue` record.
    fn advance(&mut self) -> Option<()> {
        if u16_at(self.behind, 0)? != CONTINUE {
            return None;
        }
        let end = 4 + usize::from(u16_at(self.behind, 2)?);
        self.record = self.behind.get(4..end)?;
        self.behind = self.behind.get(end..)?;
        Some(())
    }
}

/// Returns the UTF-8 length of a UTF-16 code unit; each half of a surrogate pair counts 2.
fn utf8_length(unit: &[u8]) -> u32 {
    match unit {
        [0..=0x7F] | [0..=0x7F, 0] => 1,
        [_] | [_, 0..=7] | [_, 0xD8..=0xDF] => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::lengths;

    #[test]
    fn strings_are_measured_across_records() {
        // "aé", then a rich string of two formatting runs whose second half is UTF-16: "b" and "€"
        let first = [&[2, 0, 0, b'a', 0xE9][..], &[2, 0, 8, 2, 0, b'b']].concat();
        let record = [&[0; 8][..], &first].concat();
        let continued = |data: &[u8]| [&[0x3C, 0, data.len() as u8, 0], data].concat();
        let behind = [
            // The other half and a part of the runs, continued in the next record
            continued(&[1, 0xAC, 0x20, 0, 0, 0]),
            continued(&[0, 0, 0, 0, 0]),
            // A surrogate pair with phonetic data of one byte
            continued(&[2, 0, 5, 1, 0, 0, 0, 0x3D, 0xD8, 0, 0xDE, 9]),
            continued(&[]),
            vec![0xFF, 0, 0, 0],
        ];
        assert_eq!(lengths(&record, &behind.concat()), [3, 4, 4, 0]);
        assert!(lengths(&[0; 8], &[]).is_empty());
        assert!(lengths(&[0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0], &[]).is_empty());
    }
}
