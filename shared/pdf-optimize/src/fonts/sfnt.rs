//! Table directory of an sfnt font program [OpenType 1.9].

use std::collections::BTreeMap;

use skrifa::raw::tables::head::Head;
use skrifa::raw::{FontRead as _, FontRef, TableRecord};

/// The tables of a program by tag.
pub(super) type TablesByName<'a> = BTreeMap<[u8; 4], &'a [u8]>;

/// Returns the `CFF ` table if it can be used alone, with the same scale.
pub(super) fn bare_cff(program: &[u8]) -> Option<&[u8]> {
    /// Default units per em of CFF.
    const UNITS: u16 = 1000;
    let all = tables(program)?;
    let head = Head::read((*all.get(b"head")?).into()).ok()?;
    (head.units_per_em() == UNITS).then_some(*all.get(b"CFF ")?)
}

/// Returns the tables of a program by tag.
pub(super) fn tables(program: &[u8]) -> Option<TablesByName<'_>> {
    let directory = FontRef::new(program).ok()?.table_directory;
    let records = directory.table_records();
    let mut left = program.len();
    let table = |record: &TableRecord| {
        let (offset, length) = (record.offset() as usize, record.length() as usize);
        // Overlapping tables would exceed the size of the program when written.
        left = left.checked_sub(length)?;
        let table = program.get(offset..offset.checked_add(length)?)?;
        Some((record.tag().to_be_bytes(), table))
    };
    // A truncated directory yields no records.
    let is_complete = records.len() == usize::from(directory.num_tables());
    records
        .iter()
        .map(table)
        .collect::<Option<_>>()
        .filter(|_| is_complete)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_tables_are_rejected() {
        // Four records that overlap.
        let mut program = vec![0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0];
        for tag in 0_u8..4 {
            program.extend([tag; 4]);
            program.extend([0, 0, 0, 0, 0, 0, 0, 76, 0, 0, 0, 40]);
        }
        program.resize(116, 0);
        assert!(tables(&program).is_none());
        // Now only one has a length.
        for record in 1..4 {
            program[12 + record * 16 + 15] = 0;
        }
        assert_eq!(tables(&program).unwrap().len(), 4);
    }
}
