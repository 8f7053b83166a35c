//! How large recognised letters are: lines tell it roughly, and all that is about as large is as large.

use super::layout::{Line, Word};

/// How high capitals, digits and tall letters are, and small letters, in parts of the size.
const TALL: f64 = 0.7;
const SMALL: f64 = 0.49;
/// By how much two lines of the text itself may differ, and two of the other texts.
const ALIKE: f64 = 1.16;
const OTHERS: f64 = 1.09;
/// By how much sizes differ that are counted together.
const NEAR: f64 = 1.05;

/// The size of the letters of a line by how high its words reach above what they stand on, in what its places are counted in;
/// none where no word tells it. `slope` is by how much lines fall.
pub(super) fn rough(line: &Line, slope: f64) -> Option<f64> {
    let [x, y, u, v] = line.baseline?;
    let fall = if u > x { (v - y) / (u - x) } else { slope };
    let told = |is_told: fn(&str) -> bool, part: f64| {
        let words = line.words.iter().filter(|word| is_told(&word.text));
        let mut heights: Vec<f64> = words
            .map(|word| (above(word, (x, y), fall) - 0.5 * slope.abs() * width(word)) / part)
            .collect();
        heights.sort_by(f64::total_cmp);
        heights.get(heights.len() / 2).copied()
    };
    let size = told(is_tall, TALL).or_else(|| told(is_small, SMALL));
    size.filter(|size| *size > 0.0)
}

fn width(word: &Word) -> f64 {
    word.rectangle.right - word.rectangle.left
}

/// How far a word reaches above its line, which begins at a point and falls.
fn above(word: &Word, (x, y): (f64, f64), fall: f64) -> f64 {
    let middle = f64::midpoint(word.rectangle.left, word.rectangle.right);
    y + fall * (middle - x) - word.rectangle.top
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
    /// What is rounded to what, the largest first one that is not smaller counts.
    steps: Vec<(f64, f64)>,
}

impl Sizes {
    /// Of rough sizes of lines, each with how many letters have it.
    pub(super) fn of(mut rough: Vec<(f64, usize)>) -> Self {
        rough.retain(|(size, _)| size.is_finite() && *size > 0.0);
        rough.sort_by(|one, other| one.0.total_cmp(&other.0));
        let body = most(&rough);
        let mut steps: Vec<(f64, f64)> = Vec::new();
        let mut group: Vec<(f64, usize)> = Vec::new();
        for (size, letters) in rough {
            let is_body = |size: f64| (body / ALIKE..=body * ALIKE).contains(&size);
            let belongs = group.first().is_none_or(|(first, _)| {
                let both = is_body(size) && is_body(*first);
                both || (is_body(size) == is_body(*first) && size <= first * OTHERS * OTHERS)
            });
            if !belongs {
                steps.extend(step(&group));
                group.clear();
            }
            group.push((size, letters));
        }
        steps.extend(step(&group));
        Self { steps }
    }

    /// The size that a rough one stands for: halves of points.
    pub(super) fn of_rough(&self, rough: f64) -> f64 {
        let mut steps = self.steps.iter();
        let found = steps.find(|(most, _)| rough <= *most + 1e-6);
        let found = found.or(self.steps.last());
        found.map_or(rough, |(_, size)| *size)
    }
}

/// The size about which most letters are; sizes are in their order.
fn most(rough: &[(f64, usize)]) -> f64 {
    let mut sums = vec![0];
    for (_, letters) in rough {
        sums.push(sums.last().unwrap_or(&0) + letters);
    }
    let before = |size: f64| {
        let count = rough.partition_point(|(other, _)| *other < size);
        sums.get(count).copied().unwrap_or(0)
    };
    let near = |size: f64| before(size * NEAR) - before(size / NEAR);
    let most = rough.iter().max_by_key(|(size, _)| near(*size));
    most.map_or(0.0, |(size, _)| *size)
}

/// The largest of sizes that are alike, and what they stand for: the middle one of all letters.
fn step(group: &[(f64, usize)]) -> Option<(f64, f64)> {
    let all: usize = group.iter().map(|(_, letters)| letters).sum();
    let mut before = 0;
    let middle = group.iter().find(|(_, letters)| {
        before += letters;
        before * 2 >= all
    });
    let (largest, _) = group.last()?;
    middle.map(|(size, _)| (*largest, (size * 2.0).round().max(2.0) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_one_size_and_headings_have_theirs() {
        let body = [10.6, 11.2, 10.9, 11.0, 11.4, 10.3].map(|size| (size, 60));
        let sizes =
            Sizes::of([&body[..], &[(16.3, 20), (15.8, 12), (8.1, 30), (22.0, 9)]].concat());
        let found = [10.3, 11.4, 15.8, 16.3, 8.1, 22.0].map(|size| sizes.of_rough(size));
        assert_eq!(found, [11.0, 11.0, 16.5, 16.5, 8.0, 22.0]);
    }
}
