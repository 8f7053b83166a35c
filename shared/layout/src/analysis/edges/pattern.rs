//! What the rows at the edges of pages say, apart from a number that counts with the pages.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::analysis::line::Line;
use crate::model::roman;

/// Most numbers of a row of which one may count: a row with more of them is a header where it stays the same.
const NUMBERS: usize = 8;
/// Most digits of a number that may count.
const DIGITS: usize = 9;
/// Where the digits of other scripts begin that headers are counted in.
const ZEROS: [char; 5] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{ff10}'];

/// What a row says.
pub(super) struct Pattern {
    /// What it says with any numbers.
    pub(super) shape: u64,
    /// What it says, all of it.
    pub(super) exact: u64,
    /// What it says where one of its numbers counts with the pages, for each of its numbers.
    pub(super) counting: Vec<Counting>,
}

/// What a row says where one of its numbers counts with the pages.
pub(super) struct Counting {
    /// With where the number counts from.
    pub(super) key: u64,
    /// The same wherever it counts from, as numbers begin again after a preface.
    pub(super) family: u64,
}

impl Pattern {
    /// Of a row on the page of this number.
    pub(super) fn of(row: &[Line], page: u32) -> Self {
        let (shape, numbers) = read(row);
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
        }
    }
}

/// What a row says up to its numbers, and these; none for one that is too long to count.
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

/// What a row says up to its numbers, as a number.
pub(super) fn shape(row: &[Line]) -> u64 {
    read(row).0
}

/// A text without its numbers, which are added to the others.
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

/// Ends a number, if there is one. One that is too long to count is text.
fn end(digits: &mut String, all: &mut String, numbers: &mut Vec<Option<i64>>) {
    if digits.len() > DIGITS {
        all.push_str(digits);
    } else if !digits.is_empty() {
        all.push('#');
        numbers.push(digits.parse().ok());
    }
    digits.clear();
}

/// The Western digit of a digit.
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
