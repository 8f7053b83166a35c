//! Finds the pages of two versions that correspond to each other: those that share the most words, in order.

/// Number of consecutive words that a page of the earlier and a page of the later version have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MatchedPages {
    before: u32,
    after: u32,
    words: u64,
}

impl MatchedPages {
    /// Counts the pages of matched words, which are in order in both versions.
    pub(super) fn of(words: impl Iterator<Item = (u32, u32)>) -> Vec<Self> {
        let mut matched: Vec<Self> = Vec::new();
        for (before, after) in words {
            match matched.last_mut() {
                Some(last) if (last.before, last.after) == (before, after) => last.words += 1,
                _ => matched.push(Self {
                    before,
                    after,
                    words: 1,
                }),
            }
        }
        matched
    }
}

/// A page of the earlier and of the later version, from 1.
pub(super) type Pair = (Option<u32>, Option<u32>);

/// Pairs the pages of documents with these numbers of pages. Pages between pairs that share no words are paired in order.
pub(super) fn pairs(matched: &[MatchedPages], (before, after): (u32, u32)) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut next = (1, 1);
    for MatchedPages { before, after, .. } in heaviest(matched) {
        fill(&mut pairs, next, (before, after));
        pairs.push((Some(before), Some(after)));
        next = (before + 1, after + 1);
    }
    fill(&mut pairs, next, (before + 1, after + 1));
    pairs
}

/// Pairs the pages from `from` to before `to`.
fn fill(pairs: &mut Vec<Pair>, from: (u32, u32), to: (u32, u32)) {
    let (mut before, mut after) = (from.0..to.0, from.1..to.1);
    loop {
        match (before.next(), after.next()) {
            (None, None) => return,
            pair => pairs.push(pair),
        }
    }
}

/// The pairs with the most words in total of which each page is in one pair only. As matched words are in order, the
/// pairs that can precede a pair are the first ones, up to the first that shares a page with it.
fn heaviest(matched: &[MatchedPages]) -> Vec<MatchedPages> {
    /// The best choice among the first pairs.
    #[derive(Clone, Copy, Default)]
    struct Best {
        words: u64,
        /// Index of its last pair.
        last: Option<usize>,
    }
    let mut best = vec![Best::default()];
    let mut compatible = Vec::with_capacity(matched.len());
    let mut first = 0;
    for (index, pair) in matched.iter().enumerate() {
        let precedes =
            |other: &MatchedPages| other.before < pair.before && other.after < pair.after;
        while first < index && matched.get(first).is_some_and(precedes) {
            first += 1;
        }
        compatible.push(first);
        let without = best.last().copied().unwrap_or_default();
        let words = best.get(first).map_or(0, |best| best.words) + pair.words;
        best.push(match words > without.words {
            true => Best {
                words,
                last: Some(index),
            },
            false => without,
        });
    }
    let mut chosen = Vec::new();
    let mut last = best.last().and_then(|best| best.last);
    while let Some(index) = last {
        chosen.extend(matched.get(index).copied());
        let first = compatible.get(index).and_then(|first| best.get(*first));
        last = first.and_then(|best| best.last);
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(words: &[(u32, u32, usize)], counts: (u32, u32)) -> Vec<(u32, u32)> {
        let words = words
            .iter()
            .flat_map(|(before, after, words)| std::iter::repeat_n((*before, *after), *words));
        let pairs = pairs(&MatchedPages::of(words), counts).into_iter();
        pairs
            .map(|(before, after)| (before.unwrap_or(0), after.unwrap_or(0)))
            .collect()
    }

    #[test]
    fn pages_with_the_most_common_words_are_paired() {
        let inserted = [(1, 1, 9), (2, 3, 9)];
        assert_eq!(paired(&inserted, (2, 3)), [(1, 1), (0, 2), (2, 3)]);
        let deleted = [(1, 1, 9), (3, 2, 9)];
        assert_eq!(paired(&deleted, (3, 2)), [(1, 1), (2, 0), (3, 2)]);
        // Text that moves to the next pages.
        let moved = [(1, 1, 9), (1, 2, 1), (2, 2, 8), (2, 3, 2)];
        assert_eq!(paired(&moved, (2, 3)), [(1, 1), (2, 2), (0, 3)]);
        let moved = [(1, 1, 1), (1, 2, 9), (2, 2, 1), (2, 3, 9)];
        assert_eq!(paired(&moved, (2, 3)), [(0, 1), (1, 2), (2, 3)]);
    }

    #[test]
    fn pages_without_common_words_are_paired_in_order() {
        assert_eq!(paired(&[], (2, 3)), [(1, 1), (2, 2), (0, 3)]);
        let replaced = [(1, 1, 9), (3, 3, 9)];
        assert_eq!(paired(&replaced, (3, 3)), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(paired(&[], (0, 0)), []);
    }
}
