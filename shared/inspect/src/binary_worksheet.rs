//! Used cell range of an XLSB worksheet.

use std::io::{BufReader, Read};

use markup::RecordReader;

use super::worksheet::Range;
use task::{TaskError, TaskResult};

/// Checks a worksheet part.
///
/// # Errors
/// [`TaskError::Document`] if its range is too large, or a record is truncated.
pub(super) fn check(part: &mut dyn Read) -> TaskResult<()> {
    let mut records = RecordReader::new(BufReader::new(part));
    // Row and column, from 1.
    let (mut range, mut row, mut column) = (Range::default(), 0, 0);
    while let Some((kind, record)) = records.next_record().map_err(TaskError::from_read_error)? {
        let number = record
            .first_chunk()
            .map_or(0, |bytes| u32::from_le_bytes(*bytes));
        match kind {
            // BrtRowHdr
            0x0000 => (row, column) = (u64::from(number) + 1, 0),
            // BrtCellBlank to BrtFmlaError, and BrtCellRString
            0x0001..=0x000B | 0x003E => column = u64::from(number) + 1,
            // BrtShortBlank to BrtShortIsst: in the column after the previous cell
            0x000C..=0x0012 => column += 1,
            _ => continue,
        }
        // The remaining records other than blank ones have a value.
        if !matches!(kind, 0x0000 | 0x0001 | 0x000C) {
            range.note(row, column)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u8, numbers: &[u32]) -> Vec<u8> {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        let bytes: Vec<u8> = bytes.collect();
        [&[kind, bytes.len() as u8], bytes.as_slice()].concat()
    }

    fn fits(records: &[Vec<u8>]) -> bool {
        check(&mut records.concat().as_slice()).is_ok()
    }

    #[test]
    fn cells_with_values_span_a_range() {
        let row = record(0, &[999_999, 0, 0]);
        assert!(fits(&[row.clone(), record(2, &[1, 0, 0])]));
        assert!(!fits(&[row.clone(), record(2, &[2, 0, 0])]));
        // A blank cell with formatting has no value.
        assert!(fits(&[row.clone(), record(1, &[2, 0])]));
        // A rich string, and a short cell after another one
        assert!(!fits(&[row.clone(), record(0x3E, &[2, 0])]));
        let short = record(0x0D, &[0, 0]);
        assert!(fits(&[row.clone(), record(1, &[0, 0]), short.clone()]));
        assert!(!fits(&[row, record(1, &[1, 0]), short]));
    }

    #[test]
    fn truncated_records_are_corrupt() {
        assert!(fits(&[]));
        assert!(!fits(&[vec![2, 9, 0]]));
        assert!(!fits(&[vec![2]]));
        assert!(!fits(&[vec![0x80]]));
    }
}
