//! Reads a binary workbook (XLS) record by record [MS-XLS, 2.1.4]: encryption, and the used cell ranges.

use std::io::{BufReader, ErrorKind, Read, Seek};

use task::{TaskError, TaskResult};

use super::worksheet::Range;

const BOF: u16 = 0x0809;
const EOF: u16 = 0x000A;
const FILE_PASS: u16 = 0x002F;
const MULTIPLE_NUMBERS: u16 = 0x00BD;
/// Formula, rich text, shared string, number, label, Boolean or error, RK number: all start with row and column.
const CELLS: [u16; 7] = [0x0006, 0x00D6, 0x00FD, 0x0203, 0x0204, 0x0205, 0x027E];

/// Returns whether a workbook is encrypted; if not, checks the used range of each worksheet. The record `FilePass` is in
/// the globals substream, which comes first.
///
/// # Errors
/// [`TaskError::Document`] if the range of a worksheet is too large.
pub(super) fn is_encrypted(mut stream: BufReader<impl Read + Seek>) -> TaskResult<bool> {
    let (mut in_globals, mut range) = (true, Range::default());
    loop {
        match record(&mut stream) {
            Ok(Record::Other(FILE_PASS)) if in_globals => return Ok(true),
            Ok(Record::Other(EOF)) => in_globals = false,
            Ok(Record::Other(BOF)) => range = Range::default(),
            Ok(Record::Cell { row, column }) => {
                range.note(u64::from(row) + 1, u64::from(column) + 1)?;
            }
            Ok(Record::Other(_)) => {}
            // The end, possibly truncated; the engine decides whether it can read a truncated file.
            Err(error) if is_end(&error) => return Ok(false),
            Err(error) => return Err(TaskError::from_read_error(error)),
        }
    }
}

/// A record.
enum Record {
    /// A cell with a value, or the last one of several; counted from 0.
    Cell { row: u16, column: u16 },
    /// Another record type.
    Other(u16),
}

fn record(stream: &mut BufReader<impl Read + Seek>) -> std::io::Result<Record> {
    let kind = number(stream)?;
    let length = i64::from(number(stream)?);
    let is_cell = CELLS.contains(&kind) || kind == MULTIPLE_NUMBERS;
    if !is_cell || length < 6 {
        stream.seek_relative(length)?;
        return Ok(Record::Other(kind));
    }
    let (row, first) = (number(stream)?, number(stream)?);
    stream.seek_relative(length - 6)?;
    let last = number(stream)?;
    let column = if kind == MULTIPLE_NUMBERS {
        last
    } else {
        first
    };
    Ok(Record::Cell { row, column })
}

fn number(stream: &mut impl Read) -> std::io::Result<u16> {
    let mut bytes = [0; 2];
    stream.read_exact(&mut bytes)?;
    Ok(u16::from_le_bytes(bytes))
}

fn is_end(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidInput
    )
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn read(records: &[(u16, &[u8])]) -> TaskResult<bool> {
        let record = |(kind, bytes): &(u16, &[u8])| {
            let length = u16::try_from(bytes.len()).unwrap();
            [&kind.to_le_bytes(), &length.to_le_bytes(), *bytes].concat()
        };
        let stream: Vec<u8> = records.iter().flat_map(record).collect();
        is_encrypted(BufReader::new(Cursor::new(stream)))
    }

    /// A numeric cell at this row and column, from 0.
    fn cell(row: u16, column: u16) -> Vec<u8> {
        [row, column, 0, 0, 0].map(u16::to_le_bytes).concat()
    }

    #[test]
    fn cells_with_values_span_one_range_per_worksheet() {
        let (corner, edge) = (cell(65_535, 0), cell(0, 255));
        assert!(read(&[(0x027E, &corner), (BOF, &[]), (0x027E, &edge)]).is_ok());
        assert!(read(&[(0x027E, &corner), (0x0203, &edge)]).is_err());
        // A blank cell with formatting has no value.
        assert!(read(&[(0x027E, &corner), (0x0201, &edge)]).is_ok());
        let several = [65_535, 0, 0, 0, 0, 255].map(u16::to_le_bytes).concat();
        assert!(read(&[(MULTIPLE_NUMBERS, &several)]).is_err());
    }

    #[test]
    fn a_truncated_end_is_accepted() {
        assert!(!read(&[(BOF, &[0; 16]), (EOF, &[])]).unwrap());
        for torn in [&[9, 8, 16][..], &[0x7E, 2, 10, 0, 1], &[]] {
            assert!(!is_encrypted(BufReader::new(Cursor::new(torn))).unwrap());
        }
    }
}
