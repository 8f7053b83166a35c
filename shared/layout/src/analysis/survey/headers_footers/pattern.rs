//! Text of header and footer rows, independent of the page number in it.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::analysis::lines::line::Line;
use crate::model::roman;

/// Maximum number of numbers of a row that may contain a page number; a row with more is a header only if it is constant.
const NUMBERS: usize = 8;
/// Minimum number of numbers of a row without letters that are no page numbers, such as those of an axis.
const SCALE: usize = 5;
/// Maximum length of the number of a chapter.
const CHAPTER: usize = 2;
/// Maximum number of digits of a page number.
const DIGITS: usize = 9;
/// Zero digits of other scripts used for page numbers.
const ZEROS: [char; 5] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{ff10}'];

/// Hashes of the text of a row.
pub(super) struct Pattern {
    /// Hash without the values of its numbers.
    pub(super) shape: u64,
    /// Hash of the exact text.
    pub(super) exact: u64,
    /// Hashes that treat one of its numbers as the page number, for each number.
    pub(super) counting: Vec<Counting>,
    /// Offsets of the numbers at both ends of text from the page index.
    pub(super) ends: Vec<i64>,
}

/// Hashes of a row in which one number is the page number.
pub(super) struct Counting {
    /// Hash including the offset of the number from the page index.
    pub(super) key: u64,
    /// Hash independent of the offset, because numbering may restart after a preface.
    pub(super) family: u64,
}

impl Pattern {
    /// Creates the pattern of a row on the page with this number.
    pub(super) fn of(row: &[Line], page: u32) -> Self {
        let (shape, numbers) = read(row);
        if is_scale(row) {
            // Each page has an axis of its own.
            return Self {
                shape,
                exact: hash(&("scale", shape, page)),
                counting: Vec::new(),
                ends: Vec::new(),
            };
        }
        let counts = match numbers.len() {
            1..=NUMBERS => 0..numbers.len(),
            _ => 0..0,
        };
        let counting = counts.filter_map(|at| {
            let mut others = numbers.clone();
            let from = others.remove(at)?.checked_sub(i64::from(page))?;
            let family = hash(&("family", shape, at, others));
            Some(Counting {
                key: hash(&("counting", family, from)),
                family,
            })
        });
        let counting = counting.collect();
        Self {
            shape,
            exact: hash(&("exact", shape, numbers)),
            counting,
            ends: ends(row)
                .filter_map(|end| end.checked_sub(i64::from(page)))
                .collect(),
        }
    }
}

/// Whether a row consists of several numbers.
fn is_scale(row: &[Line]) -> bool {
    let glyphs = || row.iter().flat_map(Line::glyphs);
    let pieces = row.iter().flat_map(|line| &line.pieces);
    let numbers = pieces.filter(|piece| piece.glyphs.iter().any(|one| digit(one.text).is_some()));
    numbers.count() >= SCALE && !glyphs().any(|one| one.text.is_alphabetic())
}

/// Returns the numbers at the ends of a row that has other text, too.
fn ends(row: &[Line]) -> impl Iterator<Item = i64> {
    let pieces = || row.iter().flat_map(|line| &line.pieces);
    let has_text = pieces().any(|piece| piece.glyphs.iter().any(|one| one.text.is_alphabetic()));
    let ends = [pieces().next(), pieces().last()].into_iter().flatten();
    ends.filter(move |_| has_text)
        .filter_map(|piece| number(&piece.text()))
}

/// Returns the number that a text is, in digits or as a Roman numeral, or that follows a chapter in it: 12 of `A-12`.
fn number(text: &str) -> Option<i64> {
    let of_chapter = text.rsplit_once(['-', '–']);
    if let Some((_, text)) = of_chapter.filter(|(chapter, _)| is_chapter(chapter)) {
        return number(text);
    }
    if let Some(value) = roman::value(&text.to_ascii_lowercase()) {
        return Some(value.into());
    }
    let digits: Option<String> = text.chars().map(digit).collect();
    digits?.parse().ok()
}

/// Whether a text is the number of a chapter or the letter of an appendix.
fn is_chapter(text: &str) -> bool {
    (1..=CHAPTER).contains(&text.chars().count()) && text.chars().all(char::is_alphanumeric)
}

/// Returns a hash of the text without numbers, and the numbers; `None` for those with too many digits.
fn read(row: &[Line]) -> (u64, Vec<Option<i64>>) {
    let mut hasher = DefaultHasher::new();
    let mut numbers = Vec::new();
    for piece in row.iter().flat_map(|line| &line.pieces) {
        let text = piece.text();
        match roman::value(&text.to_ascii_lowercase()) {
            Some(value) => {
                "#".hash(&mut hasher);
                numbers.push(Some(i64::from(value)));
            }
            None => uncounted(&text, &mut numbers).hash(&mut hasher),
        }
    }
    (hasher.finish(), numbers)
}

/// Returns a hash of the text of a row without numbers.
pub(super) fn shape(row: &[Line]) -> u64 {
    read(row).0
}

/// Returns a text without its numbers, which are appended to `numbers`.
fn uncounted(text: &str, numbers: &mut Vec<Option<i64>>) -> String {
    let mut all = String::new();
    let mut digits = String::new();
    for character in text.chars() {
        match digit(character) {
            Some(digit) => digits.push(digit),
            None => {
                end(&mut digits, &mut all, numbers);
                all.push(character);
            }
        }
    }
    end(&mut digits, &mut all, numbers);
    all
}

/// Ends a number, if there is one. A number with too many digits is text.
fn end(digits: &mut String, all: &mut String, numbers: &mut Vec<Option<i64>>) {
    if digits.len() > DIGITS {
        all.push_str(digits);
    } else if !digits.is_empty() {
        all.push('#');
        numbers.push(digits.parse().ok());
    }
    digits.clear();
}

/// Returns the ASCII digit for a digit of any script.
fn digit(character: char) -> Option<char> {
    let value = character.to_digit(10).or_else(|| {
        let distance = |zero: &char| u32::from(character).checked_sub(u32::from(*zero));
        ZEROS.iter().filter_map(distance).find(|value| *value < 10)
    })?;
    char::from_digit(value, 10)
}

fn hash(all: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    all.hash(&mut hasher);
    hasher.finish()
}
