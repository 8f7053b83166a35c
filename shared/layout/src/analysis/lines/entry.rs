//! Entries of an index or of contents in columns: they go on at the top of the next column.

/// Number of letters that are compared.
const LETTERS: usize = 4;
/// Bits of a letter.
const BITS: u32 = 16;
/// Maximum length of a page number.
const DIGITS: usize = 5;
/// Minimum number of entries of a column, and of the last one.
const LEAST: usize = 4;
const LAST: usize = 2;
/// One in this number of entries may be out of order, and at least one in this number of lines is an entry.
const DISORDER: usize = 10;
const SHARE: usize = 3;
/// Tolerance for the left edge of entries, points. Entries below others are indented.
const EDGE: f32 = 2.0;

/// The order of a line among entries.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Entry {
    left: f32,
    /// Its first letters, which are compared as a number.
    letters: u64,
    /// The number at its end.
    number: Option<u32>,
}

impl Entry {
    /// Returns the order of a line by its characters; `left` is its left edge.
    pub(in crate::analysis) fn of(
        texts: impl DoubleEndedIterator<Item = char> + Clone,
        left: f32,
    ) -> Self {
        let first = texts.clone().filter(|text| text.is_alphabetic());
        let first = first.take(LETTERS).flat_map(char::to_lowercase);
        let letters = first.chain(std::iter::repeat('\0')).take(LETTERS);
        let mut digits: Vec<char> = texts.rev().take_while(char::is_ascii_digit).collect();
        digits.reverse();
        let number = (digits.len() <= DIGITS).then(|| digits.into_iter().collect::<String>());
        Self {
            left,
            letters: letters.fold(0, |all, letter| {
                all << BITS | u64::from(u32::from(letter).min(u16::MAX.into()))
            }),
            number: number.and_then(|number| number.parse().ok()),
        }
    }
}

/// Whether the lines of these columns are entries that go on in the next column: in alphabetical order, or by their numbers.
pub(in crate::analysis) fn go_on(columns: &[Vec<Entry>]) -> bool {
    let letters = |entry: &Entry| Some(entry.letters).filter(|letters| *letters > 0);
    let number = |entry: &Entry| letters(entry).and(entry.number.map(u64::from));
    is_sorted(columns, EDGE, letters) || is_sorted(columns, f32::INFINITY, number)
}

/// Whether the entries that begin within this distance of the edges of their columns are sorted.
fn is_sorted(columns: &[Vec<Entry>], within: f32, key: impl Fn(&Entry) -> Option<u64>) -> bool {
    let mut before = None;
    let count = columns.len();
    count > 1
        && columns.iter().zip(1..).all(|(column, place)| {
            let least = if place == count { LAST } else { LEAST };
            let Some((first, last)) = ends(column, least, within, &key) else {
                return false;
            };
            before.replace(last).is_none_or(|before| before <= first)
        })
}

/// Returns the first and the last key of the entries of a column, if they are sorted and different.
fn ends(
    column: &[Entry],
    least: usize,
    within: f32,
    key: impl Fn(&Entry) -> Option<u64>,
) -> Option<(u64, u64)> {
    let lefts = column.iter().map(|entry| entry.left);
    let edge = lefts.fold(f32::INFINITY, f32::min) + within;
    let own = column.iter().filter(|entry| entry.left <= edge);
    let keys: Vec<u64> = own.filter_map(key).collect();
    let pairs = keys.iter().zip(keys.iter().skip(1));
    let falling = pairs.filter(|(one, next)| one > next).count();
    let is_sorted =
        keys.len() >= least.max(column.len().div_ceil(SHARE)) && falling * DISORDER <= keys.len();
    let (first, last) = (*keys.first()?, *keys.last()?);
    (is_sorted && first < last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::{Entry, go_on};

    fn columns(columns: &[&[&str]]) -> bool {
        let column = |lines: &&[&str]| {
            let lines = lines.iter();
            lines
                .map(|line| Entry::of(line.trim_start().chars(), indent(line)))
                .collect()
        };
        go_on(&columns.iter().map(column).collect::<Vec<_>>())
    }

    fn indent(line: &str) -> f32 {
        if line.starts_with(' ') { 10.0 } else { 0.0 }
    }

    #[test]
    fn entries_that_are_sorted_across_columns_go_on() {
        let first = [
            "Adam, 3",
            "  work of, 17",
            "Bell, 4",
            "Crane, 5, 7",
            "dam, 2",
        ];
        assert!(columns(&[&first, &["Eagle, 44", "Falcon, 3"]]));
        assert!(!columns(&[&first, &["Anchor, 44", "Falcon, 3"]]));
        assert!(!columns(&[&first]));
        let contents = ["Of mills 3", "Rivers 7", "And lanes 9", "Barns 12"];
        assert!(columns(&[&contents, &["Ships 14", "Boats 20"]]));
        assert!(!columns(&[&contents, &["Ships 4", "Boats 20"]]));
    }

    #[test]
    fn years_and_amounts_are_no_entries() {
        let (years, amounts) = (
            ["2001", "2002", "2003", "2004"],
            ["3000", "3100", "3200", "4000"],
        );
        assert!(!columns(&[&years, &amounts]));
    }
}
