//! Reads the BIFF12 records of an xlsb part [MS-XLSB, 2.1.4].

use std::io::{BufRead, Error, ErrorKind, Read as _, Result};

/// Reads the records of a part.
#[derive(Debug)]
pub struct RecordReader<R> {
    part: R,
    record: Vec<u8>,
}

impl<R: BufRead> RecordReader<R> {
    /// Creates a reader at the beginning of a part.
    pub fn new(part: R) -> Self {
        Self {
            part,
            record: Vec::new(),
        }
    }

    /// Returns the type and data of the next record; `None` at the end of the part.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if the part ends within a record; others if it cannot be read.
    pub fn next_record(&mut self) -> Result<Option<(u16, &[u8])>> {
        if self.part.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let kind = self.number(2)? as u16;
        let length = self.number(4)?;
        self.record.clear();
        let part = self.part.by_ref();
        if part.take(length).read_to_end(&mut self.record)? as u64 != length {
            return Err(Error::from(ErrorKind::UnexpectedEof));
        }
        Ok(Some((kind, &self.record)))
    }

    /// Reads a number of 7 bits per byte, least significant first, in at most `most` bytes.
    fn number(&mut self, most: u32) -> Result<u64> {
        let mut number = 0;
        for place in 0..most {
            let mut byte = [0];
            self.part.read_exact(&mut byte)?;
            let [byte] = byte;
            number |= u64::from(byte & 0x7F) << (7 * place);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(number)
    }
}
