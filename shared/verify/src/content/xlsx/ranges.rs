//! Ranges of cells in A1 notation.

use crate::content::grid::Range;

/// Parses a list such as `Sheet1!$A$1:$C$9,Sheet1!$E:$F`.
pub(super) fn parse_ranges(list: &str) -> Vec<Range> {
    list.split(',').filter_map(parse_range).collect()
}

/// Parses a range such as `A1:C9`, `$A:$B` or `B2`.
pub(super) fn parse_range(text: &str) -> Option<Range> {
    let range = text.rsplit_once('!').map_or(text, |(_, range)| range);
    let (first, last) = range.split_once(':').unwrap_or((range, range));
    let (first, last) = (parse_cell(first)?, parse_cell(last)?);
    Some(Range {
        rows: (first.0.unwrap_or(0), last.0.unwrap_or(u32::MAX)),
        columns: (first.1.unwrap_or(0), last.1.unwrap_or(u32::MAX)),
    })
}

/// Parses a cell such as `B7`, `$B` or `$7` into row and column, from 0.
pub(super) fn parse_cell(text: &str) -> Option<(Option<u32>, Option<u32>)> {
    let (mut row, mut column) = (None::<u32>, None::<u32>);
    for byte in text.trim().bytes().filter(|byte| *byte != b'$') {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' => {
                let digit = u32::from(byte.to_ascii_uppercase() - b'A') + 1;
                column = Some(column.unwrap_or(0).checked_mul(26)?.checked_add(digit)?);
            }
            b'0'..=b'9' => {
                let digit = u32::from(byte - b'0');
                row = Some(row.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
            }
            _ => return None,
        }
    }
    let from_zero = |number: Option<u32>| number.map(|number| number.saturating_sub(1));
    (row.is_some() || column.is_some()).then_some((from_zero(row), from_zero(column)))
}

/// The name of a cell, such as `B7`.
pub(crate) fn cell_name(row: u32, column: u32) -> String {
    let (mut letters, mut left) = (Vec::new(), column + 1);
    while left > 0 {
        let digit = u8::try_from((left - 1) % 26).unwrap_or(0);
        letters.push(char::from(b'A' + digit));
        left = (left - 1) / 26;
    }
    letters.iter().rev().collect::<String>() + &(row + 1).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed() {
        let ranges = parse_ranges("'A,b'!$B$2:$C$3,Sheet1!$E:$F");
        let last = ranges.last().unwrap();
        assert!(last.contains(99_999, 4) && !last.contains(0, 3));
        let range = parse_range("Sheet1!$B$2:$C$3").unwrap();
        assert!(range.contains(2, 1) && !range.contains(3, 1));
        assert_eq!(parse_range("#REF!"), None);
    }

    #[test]
    fn cells_are_named() {
        let names = [(0, 0), (6, 25), (0, 26), (9, 701), (0, 702)].map(|(r, c)| cell_name(r, c));
        assert_eq!(names, ["A1", "Z7", "AA1", "ZZ10", "AAA1"]);
        for name in names {
            let (row, column) = parse_cell(&name).unwrap();
            assert_eq!(cell_name(row.unwrap(), column.unwrap()), name);
        }
    }
}
