//! The tables of a font program [OpenType 1.9].

use std::collections::BTreeMap;

use skrifa::raw::tables::head::Head;
use skrifa::raw::{FontRead as _, FontRef, TableRecord};

/// The tables of a program by their names.
pub(super) type TablesByName<'a> = BTreeMap<[u8; 4], &'a [u8]>;

/// The outlines of PostScript in a program, if they are as large without the rest.
pub(super) fn bare(program: &[u8]) -> Option<&[u8]> {
    /// Units of a letter's height where outlines do not say how many.
    const UNITS: u16 = 1000;
    let all = tables(program)?;
    let head = Head::read((*all.get(b"head")?).into()).ok()?;
    (head.units_per_em() == UNITS).then_some(*all.get(b"CFF ")?)
}

/// The tables of a program by their names.
pub(super) fn tables(program: &[u8]) -> Option<TablesByName<'_>> {
    let directory = FontRef::new(program).ok()?.table_directory;
    let records = directory.table_records();
    let mut left = program.len();
    let table = |record: &TableRecord| {
        let (offset, length) = (record.offset() as usize, record.length() as usize);
        // Tables that lie in one another would be more than the program when they are written.
        left = left.checked_sub(length)?;
        let table = program.get(offset..offset.checked_add(length)?)?;
        Some((record.tag().to_be_bytes(), table))
    };
    // There are no records where they are cut off.
    let are_all = records.len() == usize::from(directory.num_tables());
    records
        .iter()
        .map(table)
        .collect::<Option<_>>()
        .filter(|_| are_all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_lie_in_one_another_are_not_written() {
        // Two tables in twice as many records.
        let mut program = vec![0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0];
        for tag in 0_u8..4 {
            program.extend([tag; 4]);
            program.extend([0, 0, 0, 0, 0, 0, 0, 76, 0, 0, 0, 40]);
        }
        program.resize(116, 0);
        assert!(tables(&program).is_none());
        // Only one of them has a length.
        for record in 1..4 {
            program[12 + record * 16 + 15] = 0;
        }
        assert_eq!(tables(&program).unwrap().len(), 4);
    }
}
