//! Measures whether the words of a source and its result are in the same order: of the words that both have once, together with the
//! word before, the longest subsequence that is in order, and the longest passage outside it.

use std::collections::HashMap;

/// Maximum number of words that are compared. Of more, some are selected by their hash.
const MAX_COMPARED: usize = 1 << 18;

/// The words of a result and a source that both have once.
#[derive(Default)]
pub(super) struct Order {
    /// Positions of words in the result.
    positions: HashMap<u64, Position>,
    /// Number of words of the result so far.
    count: u32,
    /// Bits of a hash that are zero if a word is compared.
    mask: u64,
    /// The word before, if it is in the same line.
    before: Option<u64>,
    /// Words of the source in its order.
    wanted: Vec<u64>,
}

/// Where a word is in the result, and whether the source has it, too.
struct Position {
    /// `None` if one of both has the word more than once.
    number: Option<u32>,
    is_wanted: bool,
}

/// What is in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::content) struct Measured {
    /// Number of words that are compared.
    pub(in crate::content) compared: u64,
    /// Number of words in order.
    pub(in crate::content) in_order: u64,
    /// Number of words of the longest passage that is elsewhere in the result.
    pub(in crate::content) moved: u64,
}

impl Order {
    /// Adds a word of the result.
    pub(super) fn add_found(&mut self, word: u64) {
        self.count = self.count.saturating_add(1);
        let Some(key) = self.key(word) else { return };
        let number = Some(self.count);
        let new = Position {
            number,
            is_wanted: false,
        };
        let position = self.positions.entry(key).or_insert(new);
        if position.number != number {
            position.number = None;
        }
        if self.positions.len() > MAX_COMPARED {
            self.mask = self.mask << 1 | 1;
            self.positions.retain(|key, _| key & self.mask == 0);
        }
    }

    /// Adds a word of the source, after all words of the result.
    pub(super) fn add_wanted(&mut self, word: u64) {
        let Some(key) = self.key(word) else { return };
        if let Some(position) = self.positions.get_mut(&key) {
            if std::mem::replace(&mut position.is_wanted, true) {
                position.number = None;
            } else {
                self.wanted.push(key);
            }
        }
    }

    /// Ends a line, paragraph or cell: the next word has none before it.
    pub(super) fn end_line(&mut self) {
        self.before = None;
    }

    /// The key of a word and the one before; `None` if they are not compared.
    fn key(&mut self, word: u64) -> Option<u64> {
        let before = self.before.replace(word).unwrap_or(0);
        // Multiplication by an odd number distributes the bits of a hash [Fibonacci hashing].
        let key = (before.rotate_left(32) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (key & self.mask == 0).then_some(key)
    }

    pub(super) fn measure(&self) -> Measured {
        let number = |key| self.positions.get(key).and_then(|position| position.number);
        let numbers: Vec<u32> = self.wanted.iter().filter_map(number).collect();
        let is_in_order = longest_increasing(&numbers);
        let (mut moved, mut passage, mut last) = (0, 0, 0);
        for (number, is_in_order) in numbers.iter().zip(&is_in_order) {
            passage = match *is_in_order {
                true => 0,
                false if *number > last => passage + 1,
                false => 1,
            };
            last = *number;
            moved = moved.max(passage);
        }
        Measured {
            compared: numbers.len() as u64,
            in_order: is_in_order
                .iter()
                .filter(|is_in_order| **is_in_order)
                .count() as u64,
            moved,
        }
    }
}

/// Which numbers are in the longest increasing subsequence, by patience sorting.
fn longest_increasing(numbers: &[u32]) -> Vec<bool> {
    // The index of the smallest last number of an increasing subsequence of each length, and that number.
    let mut ends: Vec<(usize, u32)> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (index, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|(_, end)| end < number);
        let previous = length.checked_sub(1).and_then(|last| ends.get(last));
        before.push(previous.map(|(index, _)| *index));
        match ends.get_mut(length) {
            Some(end) => *end = (index, *number),
            None => ends.push((index, *number)),
        }
    }
    let mut is_in_order = vec![false; numbers.len()];
    let mut next = ends.last().map(|(index, _)| *index);
    while let Some(index) = next {
        if let Some(is_in_order) = is_in_order.get_mut(index) {
            *is_in_order = true;
        }
        next = before.get(index).copied().flatten();
    }
    is_in_order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_increasing_subsequence_is_found() {
        assert!(longest_increasing(&[]).is_empty());
        assert_eq!(
            longest_increasing(&[3, 1, 2, 9, 4, 5]),
            [false, true, true, false, true, true]
        );
    }

    #[test]
    fn moved_passages_are_measured_in_words() {
        let measured = |found: &[&[u64]], wanted: &[&[u64]]| {
            let mut order = Order::default();
            for line in found {
                line.iter().for_each(|word| order.add_found(*word));
                order.end_line();
            }
            for line in wanted {
                line.iter().for_each(|word| order.add_wanted(*word));
                order.end_line();
            }
            let Measured {
                compared,
                in_order,
                moved,
            } = order.measure();
            (compared, in_order, moved)
        };
        let (one, other, third) = ([1, 2, 3, 2], [4, 2, 5], [6]);
        assert_eq!(
            measured(&[&one, &other, &third], &[&one, &other, &third]),
            (8, 8, 0)
        );
        assert_eq!(
            measured(&[&one, &other, &third], &[&other, &one, &third]),
            (8, 5, 3)
        );
        // Words that one of both has twice are not compared.
        assert_eq!(
            measured(&[&one, &third], &[&third, &one, &third]),
            (4, 4, 0)
        );
        assert_eq!(
            measured(&[&third, &one, &third], &[&third, &one]),
            (4, 4, 0)
        );
    }
}
