//! Measures whether words are in the same order in a source and its result: of the words that both have once, the longest
//! subsequence that is in order.

use super::counts::{Counts, Occurrences};

/// Maximum number of words that are compared. More are sampled by their hash.
const MAX_SAMPLES: usize = 4_096;

/// Words that the result has once, in the order of the source.
#[derive(Default)]
pub(super) struct Order {
    samples: Vec<u64>,
    /// Bits of a hash that are zero if a word is compared.
    mask: u64,
}

impl Order {
    /// Adds a word of the source, which the result has at one position.
    pub(super) fn add(&mut self, word: u64) {
        if word & self.mask != 0 {
            return;
        }
        self.samples.push(word);
        if self.samples.len() > MAX_SAMPLES {
            self.mask = self.mask << 1 | 1;
            self.samples.retain(|word| word & self.mask == 0);
        }
    }

    /// Returns how many words are compared, and how many of them are in order.
    pub(super) fn measure(&self, found: &Counts) -> (u64, u64) {
        let position = |word| found.words.get(word).and_then(Occurrences::position);
        let positions: Vec<u32> = self.samples.iter().filter_map(position).collect();
        (positions.len() as u64, longest_increasing(&positions))
    }
}

/// The length of the longest increasing subsequence, by patience sorting.
fn longest_increasing(numbers: &[u32]) -> u64 {
    // The smallest last number of an increasing subsequence of each length.
    let mut ends: Vec<u32> = Vec::new();
    for number in numbers {
        let at = ends.partition_point(|end| end < number);
        match ends.get_mut(at) {
            Some(end) => *end = *number,
            None => ends.push(*number),
        }
    }
    ends.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_increasing_subsequence_is_found() {
        assert_eq!(longest_increasing(&[]), 0);
        assert_eq!(longest_increasing(&[3, 1, 2, 9, 4, 5]), 4);
    }
}
