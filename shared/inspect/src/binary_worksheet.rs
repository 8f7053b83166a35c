//! The range of cells that a sheet of xlsb uses, record by record [MS-XLSB, 2.1.4].

use std::io::{BufReader, Read};

use super::worksheet::Range;
use task::{Fault, Outcome};

const ROW: u64 = 0x0000;
/// Cells that hold something: numbers, errors, truth values, strings and results of formulas.
const CELLS: std::ops::RangeInclusive<u64> = 0x0002..=0x000B;

/// Checks the part of a sheet.
///
/// # Errors
/// [`Fault::Document`] if its range is too large, or a record is torn.
pub(super) fn check(part: &mut dyn Read) -> Outcome<()> {
    let (mut part, mut range, mut row) = (BufReader::new(part), Range::default(), 0);
    while let Some(kind) = number(&mut part, 2)? {
        let length = number(&mut part, 4)?.ok_or_else(Fault::corrupt)?;
        let mut first = [0; 4];
        let known = usize::try_from(length)
            .unwrap_or(usize::MAX)
            .min(first.len());
        let (head, _) = first.split_at_mut(known);
        part.read_exact(head).map_err(Fault::reading)?;
        let rest = length - known as u64;
        if std::io::copy(&mut (&mut part).take(rest), &mut std::io::sink())
            .map_err(Fault::reading)?
            < rest
        {
            return Err(Fault::corrupt());
        }
        let first = u64::from(u32::from_le_bytes(first));
        match kind {
            ROW => row = first,
            kind if CELLS.contains(&kind) => range.note(row + 1, first + 1)?,
            _ => {}
        }
    }
    Ok(())
}

/// A number of seven bits a byte, in at most so many bytes; `None` at the end of the part.
fn number(part: &mut impl Read, most: u32) -> Outcome<Option<u64>> {
    let mut number = 0;
    for place in 0..most {
        let mut byte = [0];
        if part.read(&mut byte).map_err(Fault::reading)? == 0 {
            return Ok(None);
        }
        let [byte] = byte;
        number |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Ok(Some(number))
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
    fn cells_that_hold_something_span_a_range() {
        let row = record(0, &[999_999, 0, 0]);
        assert!(fits(&[row.clone(), record(2, &[1, 0, 0])]));
        assert!(!fits(&[row.clone(), record(2, &[2, 0, 0])]));
        // An empty cell with a format holds nothing.
        assert!(fits(&[row, record(1, &[2, 0])]));
    }

    #[test]
    fn torn_records_are_damage() {
        assert!(fits(&[]));
        assert!(!fits(&[vec![2, 9, 0]]));
        assert!(!fits(&[vec![2]]));
    }
}
