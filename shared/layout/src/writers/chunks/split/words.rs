//! The words of a text, between which it can be split.

use crate::Run;
use crate::writers::chunks::tokens::tokens;

/// A word with the white space after it, or a part of a long word.
pub(super) struct Word<'a> {
    /// Index of its run.
    run: usize,
    text: &'a str,
    /// Number of tokens, at least 1.
    pub(super) tokens: usize,
}

/// Returns the words of runs; words of more than `max` tokens, such as text without spaces, are cut every `max` characters.
pub(super) fn words(runs: &[Run], max: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for (run, text) in runs.iter().map(|run| &run.text).enumerate() {
        for word in split(text) {
            let length = if tokens(word) > max { max } else { word.len() };
            words.extend(cut(word, length).map(|text| Word {
                run,
                text,
                tokens: tokens(text).max(1),
            }));
        }
    }
    words
}

/// Splits a text after white space, lines and ideographic full stops.
fn split(text: &str) -> Vec<&str> {
    let (mut words, mut begin, mut before) = (Vec::new(), 0, None);
    for (at, character) in text.char_indices() {
        let begins = match before {
            Some('\n') => true,
            Some('。' | '！' | '？') => character.is_alphanumeric(),
            before => before.is_some_and(char::is_whitespace) && !character.is_whitespace(),
        };
        if begins {
            words.extend(text.get(begin..at));
            begin = at;
        }
        before = Some(character);
    }
    words.extend(text.get(begin..).filter(|word| !word.is_empty()));
    words
}

/// Cuts a word every `length` characters.
fn cut(word: &str, length: usize) -> impl Iterator<Item = &str> {
    let begins = word.char_indices().map(|(at, _)| at);
    let begins = begins.step_by(length.max(1));
    let ends = begins.clone().skip(1).chain([word.len()]);
    begins
        .zip(ends)
        .filter_map(|(begin, end)| word.get(begin..end))
}

/// Returns the number of words up to the last sentence or line that ends in their second half.
pub(super) fn sentence_end(words: &[Word<'_>]) -> Option<usize> {
    let all: usize = words.iter().map(|word| word.tokens).sum();
    let mut count = 0;
    let ends = words.iter().enumerate().filter_map(|(index, word)| {
        count += word.tokens;
        let stops = ['.', '!', '?', '。', '！', '？', '؟'];
        let ends = word.text.ends_with('\n') || word.text.trim_end().ends_with(stops);
        (ends && count * 2 > all).then_some(index + 1)
    });
    ends.last()
}

/// Returns the runs of consecutive words.
pub(super) fn joined(runs: &[Run], words: &[Word<'_>]) -> Vec<Run> {
    let same = words.chunk_by(|one, other| one.run == other.run);
    let run = |words: &[Word<'_>]| {
        let run = runs.get(words.first()?.run)?;
        Some(Run {
            text: words.iter().map(|word| word.text).collect(),
            style: run.style.clone(),
            link: run.link.clone(),
        })
    };
    same.filter_map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::{cut, split};

    #[test]
    fn words_keep_the_white_space_after_them() {
        let text = "One  two.\n\n  three 好。「吧」。好";
        let words = split(text);
        assert_eq!(
            words,
            [
                "One  ",
                "two.\n",
                "\n",
                "  ",
                "three ",
                "好。「吧」。",
                "好"
            ]
        );
        assert_eq!(words.concat(), text);
        assert!(split("").is_empty());
    }

    #[test]
    fn long_words_are_cut() {
        assert_eq!(
            cut("一二三四五", 2).collect::<Vec<_>>(),
            ["一二", "三四", "五"]
        );
    }
}
