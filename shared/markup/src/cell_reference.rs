//! Parses cell references such as `B7` and `A1:C3`.

use crate::worksheet::{COLUMNS, CellPosition, ROWS};

/// Parses the reference of a cell.
pub(crate) fn place(text: &str) -> Option<CellPosition> {
    let text = text.trim().replace('$', "");
    let letters = text.find(|c: char| c.is_ascii_digit())?;
    let (column, row) = text.split_at(letters);
    let row: usize = row.parse().ok()?;
    let mut number = 0_usize;
    for letter in column.chars() {
        let value = u32::from(letter.to_ascii_uppercase()).checked_sub(u32::from('@'))?;
        number = number
            .checked_mul(26)?
            .checked_add(usize::try_from(value).ok().filter(|value| *value <= 26)?)?;
    }
    ((1..=ROWS).contains(&row) && (1..=COLUMNS).contains(&number)).then(|| (row - 1, number - 1))
}

/// Parses a range into its first and last cell.
pub(crate) fn range(text: &str) -> Option<(CellPosition, CellPosition)> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let (first, last) = (place(first)?, place(last)?);
    (first.0 <= last.0 && first.1 <= last.1).then_some((first, last))
}

/// Returns the number of rows from the top in print titles such as `Sheet1!$A:$B,Sheet1!$1:$2`.
pub(crate) fn title_rows(text: &str) -> Option<usize> {
    text.split(',').find_map(|part| {
        let range = part.rsplit('!').next()?.replace('$', "");
        let (first, last) = range.split_once(':')?;
        (first == "1").then(|| last.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_parsed() {
        assert_eq!(place("A1"), Some((0, 0)));
        assert_eq!(place("$AA$10"), Some((9, 26)));
        assert_eq!(place("XFD1048576"), Some((ROWS - 1, COLUMNS - 1)));
        for wrong in [
            "",
            "A",
            "1",
            "A0",
            "XFE1",
            "A1048577",
            "é1",
            "ZZZZZZZZZZZZZZ1",
        ] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
        assert_eq!(range("A1:C3"), Some(((0, 0), (2, 2))));
        assert_eq!(range("C3:A1"), None);
        assert_eq!(title_rows("'A,b'!$A:$B,'A,b'!$1:$2"), Some(2));
        assert_eq!(title_rows("Sheet!$2:$3"), None);
    }
}
