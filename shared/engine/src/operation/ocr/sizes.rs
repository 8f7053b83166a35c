//! How large recognised letters are: lines tell it roughly, and all that is about as large is as large.

use super::layout::{Line, Rectangle, Word};

/// How high capitals, digits and tall letters are, and small letters, in parts of the size.
const TALL: f64 = 0.7;
const SMALL: f64 = 0.49;
/// By how much two lines of the text itself may differ, and two of other texts.
const BODY: f64 = 1.1;
const OTHERS: f64 = 1.08;
/// By how much sizes differ that are counted together.
const NEAR: f64 = 1.05;
/// Most sizes of a document.
const MOST: usize = 24;

/// The size of the letters of a line by how high its words reach above what they stand on, in what its places are counted in;
/// none where no word tells it. `slope` is by how much lines fall.
pub(super) fn rough(line: &Line, slope: f64) -> Option<f64> {
    let [x, y, u, v] = line.baseline?;
    let fall = if u > x { (v - y) / (u - x) } else { slope };
    let told = |is_told: fn(&str) -> bool, part: f64| {
        let words = line.words.iter().filter(|word| is_told(&word.text));
        let mut heights: Vec<f64> = words
            .map(|word| {
                word.above
                    .unwrap_or_else(|| above(word, (x, y), fall, slope))
                    / part
            })
            .collect();
        heights.sort_by(f64::total_cmp);
        // The last word of a line may be told higher than it is.
        heights.get(heights.len().saturating_sub(1) / 2).copied()
    };
    let size = told(is_tall, TALL).or_else(|| told(is_small, SMALL));
    size.filter(|size| *size > 0.0)
}

/// How far a word reaches above its line, which begins at a point and falls.
fn above(word: &Word, (x, y): (f64, f64), fall: f64, slope: f64) -> f64 {
    let Rectangle {
        left, top, right, ..
    } = word.rectangle;
    let middle = f64::midpoint(left, right);
    y + fall * (middle - x) - top - 0.5 * slope.abs() * (right - left)
}

/// Whether the highest letters of a word are as high as capitals.
fn is_tall(word: &str) -> bool {
    let is_tall = |letter: char| {
        letter.is_ascii_digit() || letter.is_ascii_uppercase() || "bdfhklßäöü".contains(letter)
    };
    let is_higher = |letter: char| !letter.is_ascii() && letter.is_uppercase();
    word.chars().any(is_tall) && !word.chars().any(is_higher)
}

/// Whether no letter of a word is higher than the small ones.
fn is_small(word: &str) -> bool {
    word.chars()
        .all(|letter| "acegmnopqrsuvwxyz.,".contains(letter))
        && word.chars().any(char::is_alphabetic)
}

/// The sizes of a document's letters.
pub(super) struct Sizes {
    /// Those that are met, in points, those of most letters first.
    met: Vec<f64>,
}

impl Sizes {
    /// Of rough sizes of lines, each with how many letters have it.
    pub(super) fn of(mut rough: Vec<(f64, usize)>) -> Self {
        rough.retain(|(size, _)| size.is_finite() && *size > 0.0);
        rough.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut met = Vec::new();
        while let Some(size) = most(&rough).filter(|_| met.len() < MOST) {
            let alike = if met.is_empty() { BODY } else { OTHERS };
            rough.retain(|(other, _)| !is_like(*other, size, alike));
            met.push(size);
        }
        Self { met }
    }

    /// The size that a rough one stands for, in halves of points, and which of them it is: 0 is that of most letters.
    pub(super) fn of_rough(&self, rough: f64) -> (f64, usize) {
        let is_body = |size: &&f64| is_like(rough, **size, BODY);
        let body = self.met.first().filter(is_body).map(|size| (size, 0));
        let nearest = || {
            let off = |size: f64| (rough / size).ln().abs();
            let others = self.met.iter().zip(0..);
            others.min_by(|one, other| off(*one.0).total_cmp(&off(*other.0)))
        };
        let found = body.or_else(nearest);
        found.map_or((rough, 0), |(size, index)| {
            ((size * 2.0).round().max(2.0) / 2.0, index)
        })
    }
}

fn is_like(one: f64, other: f64, factor: f64) -> bool {
    (other / factor..=other * factor).contains(&one)
}

/// The size about which most letters are, the middle one of those; sizes are in their order.
fn most(rough: &[(f64, usize)]) -> Option<f64> {
    let mut sums = vec![0];
    for (_, letters) in rough {
        sums.push(sums.last().unwrap_or(&0) + letters);
    }
    let before = |size: f64| {
        let count = rough.partition_point(|(other, _)| *other < size);
        sums.get(count).copied().unwrap_or(0)
    };
    let near = |size: f64| before(size * NEAR) - before(size / NEAR);
    let (about, _) = rough.iter().max_by_key(|(size, _)| near(*size))?;
    let middle = before(about / NEAR) + near(*about) / 2;
    let count = sums.partition_point(|sum| *sum <= middle);
    rough.get(count.saturating_sub(1)).map(|(size, _)| *size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_one_size_and_headings_have_theirs() {
        let body = [10.6, 11.2, 10.9, 11.0, 11.4, 10.3].map(|size| (size, 60));
        let sizes =
            Sizes::of([&body[..], &[(16.3, 20), (15.8, 12), (8.1, 30), (22.0, 9)]].concat());
        let found = [10.3, 11.4, 15.8, 16.3, 8.1, 22.0].map(|size| sizes.of_rough(size).0);
        assert_eq!(found, [11.0, 11.0, 16.5, 16.5, 8.0, 22.0]);
        assert_eq!(sizes.of_rough(10.5).1, 0);
    }
}
