//! Words of a result that no word of the source accounts for.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::counts::{Counts, key};
use super::{Rules, has_digit};
use crate::content::item::{Item, Place};
use crate::content::words::{Token, WordSplitter, is_reordered_when_drawn};

/// Maximum bytes of these words.
const MAX_SURPLUS: usize = 16 * 1024 * 1024;
/// Maximum number of bytes that all searches read.
const MAX_SEARCH: usize = 4 << 30;
/// Maximum number of words of a source that may differ in figures: one in so many, or this many.
const IN_FIGURES: (u64, u64) = (100, 20);
/// The start of a search counts as this many bytes.
const SEARCH_START_COST: usize = 1_000;

/// The words of a result that no word of the source accounts for, joined, because a word may be split (at the end of a line) or
/// joined with its neighbors in the result.
pub(super) struct Surplus<'c> {
    counts: &'c mut Counts,
    splitter: WordSplitter,
    text: String,
    /// Letters of the words that are reordered when they are drawn.
    letters: Letters,
    /// Letters of the words of figures and formulas, which have no certain order or borders: labels may overlap or be upright, and
    /// indexes are above each other. Empty unless the text of the source is an approximation.
    in_figures: Letters,
    /// Whether the text of the source is an approximation.
    is_approximate: bool,
    /// Number of surplus texts between white space that contain a digit.
    pub(super) figures: u64,
    /// Whether such a text is in progress.
    in_figure: bool,
    /// Which bytes of `text` a word of the source accounts for.
    used: Vec<bool>,
    /// Where the search for a word continues that was searched for before.
    next: HashMap<String, usize>,
    searched: usize,
    divided: Divided,
}

/// How often letters are there.
#[derive(Default)]
struct Letters(HashMap<char, u32>);

impl Letters {
    fn add(&mut self, word: &str) {
        for letter in word.chars() {
            *self.0.entry(letter).or_default() += 1;
        }
    }

    /// Takes the letters of a word; returns whether all are there.
    fn take(&mut self, word: &str) -> bool {
        let mut used = String::new();
        for letter in word.chars() {
            match self.0.get_mut(&letter) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    used.push(letter);
                }
                _ => {
                    self.add(&used);
                    return false;
                }
            }
        }
        true
    }
}

/// Words that the ends of lines or spaces divide: among many equal parts, the two of a word need not be next to each other in the
/// surplus.
#[derive(Default)]
struct Divided {
    /// Keys of the missing words.
    wanted: HashSet<u64>,
    /// Whether spaces divide words, too.
    by_spaces: bool,
    /// The last word of the line, and that of the line before, until the first word of this line.
    last: String,
    before: Option<String>,
    /// The two parts of each of the missing words, wherever one is divided.
    parts: HashMap<u64, Vec<[u64; 2]>>,
    /// How often a word is in the surplus and not in one of the missing words.
    spare: HashMap<u64, u32>,
}

impl Divided {
    fn word(&mut self, word: &str, is_surplus: bool) {
        if self.wanted.is_empty() {
            return;
        }
        if is_surplus {
            *self.spare.entry(key(word)).or_default() += 1;
        }
        if let Some(before) = self.before.take() {
            let parts = [key(&before), key(word)];
            let whole = key(&(before + word));
            if self.wanted.contains(&whole) {
                self.parts.entry(whole).or_default().push(parts);
            }
        }
        word.clone_into(&mut self.last);
        if self.by_spaces {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        // There may be empty lines between.
        if !self.last.is_empty() {
            self.before = Some(std::mem::take(&mut self.last));
        }
    }

    /// Takes the parts of a divided word; returns whether both are there.
    fn take(&mut self, word: &str) -> bool {
        let word = key(word);
        while let Some([one, other]) = self.parts.get_mut(&word).and_then(Vec::pop) {
            let spare = |part| self.spare.get(part).copied().unwrap_or(0);
            let needed = if one == other { 2 } else { 1 };
            if spare(&one) >= needed && spare(&other) >= 1 {
                for part in [one, other] {
                    self.spare.entry(part).and_modify(|count| *count -= 1);
                }
                return true;
            }
        }
        false
    }
}

impl<'c> Surplus<'c> {
    pub(super) fn new(counts: &'c mut Counts, rules: Rules, missing: &[(String, Place)]) -> Self {
        let divides = rules.divides_words || rules.approximate;
        let wanted = missing.iter().filter(|_| divides);
        Self {
            counts,
            splitter: WordSplitter::new(rules.figures),
            text: String::new(),
            letters: Letters::default(),
            in_figures: Letters::default(),
            is_approximate: rules.approximate,
            figures: 0,
            in_figure: false,
            used: Vec::new(),
            next: HashMap::new(),
            searched: 0,
            divided: Divided {
                wanted: wanted.map(|(word, _)| key(word)).collect(),
                by_spaces: rules.approximate,
                ..Divided::default()
            },
        }
    }

    pub(super) fn add(&mut self, item: Item<'_>) {
        let mut splitter = std::mem::take(&mut self.splitter);
        let mut take = |token: Token<'_>| self.token(&token);
        match item {
            Item::Text(text) | Item::Beyond(text) => splitter.text(text, &mut take),
            Item::Break => {
                splitter.end(&mut take);
                take(Token::Space);
                self.divided.end_line();
            }
            Item::Alternative(text) if self.is_approximate => {
                splitter.split(text, &mut |token| self.in_figure_or_formula(&token));
            }
            _ => {}
        }
        self.splitter = splitter;
    }

    fn in_figure_or_formula(&mut self, token: &Token<'_>) {
        if let Token::Word(word) = token
            && self.counts.remove_alternative(key(word))
        {
            self.in_figures.add(word);
        }
    }

    fn token(&mut self, token: &Token<'_>) {
        let Token::Word(word) = token else {
            self.in_figure = false;
            return;
        };
        let key = key(word);
        let is_surplus = self.counts.remove(key) || self.counts.remove_beyond(key);
        self.divided.word(word, is_surplus);
        if !is_surplus {
            return;
        }
        if has_digit(word) && !self.in_figure {
            self.in_figure = true;
            self.figures += 1;
        }
        if is_reordered_when_drawn(word) {
            self.letters.add(word);
        } else if self.text.len() + word.len() <= MAX_SURPLUS {
            self.text.push_str(word);
        }
    }

    /// Removes the words that are only differently divided or ordered in figures, unless they are too many.
    fn remove_in_figures(&mut self, missing: &mut Vec<(String, Place)>, words: u64) {
        let limit = (words / IN_FIGURES.0).max(IN_FIGURES.1);
        let has_number = |word: &str| word.chars().filter(|letter| letter.is_numeric()).count() > 1;
        let mut take = |word: &str| !has_number(word) && self.in_figures.take(word);
        let found: Vec<bool> = missing.iter().map(|(word, _)| take(word)).collect();
        let count = found.iter().filter(|found| **found).count();
        if count as u64 <= limit {
            let mut found = found.into_iter();
            missing.retain(|_| found.next() != Some(true));
        }
    }

    /// Removes the words that are among the surplus words or across some of them, long ones first: short ones are parts of others.
    pub(super) fn remove_from(&mut self, missing: &mut Vec<(String, Place)>, words: u64) {
        self.used = vec![false; self.text.len()];
        let mut order: Vec<usize> = (0..missing.len()).collect();
        order.sort_by_key(|index| Reverse(missing.get(*index).map(|(word, _)| word.len())));
        let mut found = vec![false; missing.len()];
        for index in order {
            if let (Some((word, _)), Some(found)) = (missing.get(index), found.get_mut(index)) {
                // Parts that are next to each other in the surplus are in both.
                let is_divided = self.divided.take(word);
                *found = self.take(word) || is_divided;
            }
        }
        let mut found = found.into_iter();
        missing.retain(|_| found.next() != Some(true));
        self.remove_in_figures(missing, words);
    }

    /// Takes the letters of a word; returns whether all are there.
    fn take(&mut self, word: &str) -> bool {
        if is_reordered_when_drawn(word) {
            return self.letters.take(word);
        }
        let mut next = self.next.get(word).copied().unwrap_or(0);
        let mut is_there = false;
        while !is_there && self.searched <= MAX_SEARCH {
            let rest = self.text.get(next..).unwrap_or_default();
            let Some(at) = rest.find(word) else {
                self.searched += rest.len();
                next = self.text.len();
                break;
            };
            self.searched += at + SEARCH_START_COST;
            let bytes = next + at..next + at + word.len();
            let used = self.used.get_mut(bytes).unwrap_or_default();
            is_there = !used.contains(&true);
            next += at;
            match is_there {
                true => {
                    used.fill(true);
                    next += word.len();
                }
                false => next += word.chars().next().map_or(1, char::len_utf8),
            }
        }
        self.next.insert(word.to_owned(), next);
        is_there
    }
}
