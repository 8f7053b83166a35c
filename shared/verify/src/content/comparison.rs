//! Compares the words of a source with those of a result, in bounded memory: one pass over each, and a second one over the
//! result if words are missing.

mod surplus;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use task::Shortfall;

use self::surplus::Surplus;
use super::item::{Item, Place, Take, Unreadable};
use super::words::{Token, WordSplitter, is_right_to_left};

/// Reads a document, from its beginning at each call.
pub(super) type ReadItems<'a> = &'a dyn Fn(Take<'_>) -> Result<(), Unreadable>;

/// Maximum number of distinct words of a result.
const MAX_DISTINCT: usize = 4_000_000;
/// Maximum number of missing words that are searched for among the parts of words.
const MAX_SEARCHED: usize = 100_000;

/// How a source and its result are compared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rules {
    /// Whether a cell of text may become a number in the result.
    pub(super) texts_become_numbers: bool,
    /// Whether the result keeps images.
    pub(super) images: bool,
    /// Whether the text of the source is an approximation itself: that of a PDF, where symbols may be encoded as letters, and bold
    /// letters drawn twice.
    pub(super) approximate: bool,
    /// Whether the result keeps numbers.
    pub(super) numbers: bool,
    /// Whether only words of letters are compared, because numbers and dates may have become typed cells.
    pub(super) letters_only: bool,
    /// Number of words that a conversion of approximate text leaves out on purpose.
    pub(super) left_out: u64,
}

/// What a result misses.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) words: Shortfall,
    pub(super) numbers: Shortfall,
    pub(super) images: Shortfall,
    /// Places of missing words, without repetitions in a row.
    pub(super) places: Vec<Place>,
}

/// Returns what the result misses.
///
/// # Errors
/// [`Unreadable`] if one of the documents cannot be read or is too large to be compared.
pub(super) fn compare(
    source: ReadItems<'_>,
    result: ReadItems<'_>,
    rules: Rules,
) -> Result<Difference, Unreadable> {
    let mut found = Counts::default();
    result(&mut |item, _| found.add(item))?;
    found.add(Item::Break);
    if found.words.len() > MAX_DISTINCT {
        return Err(Unreadable);
    }
    let mut wanted = Wanted::new(&mut found, rules);
    source(&mut |item, place| wanted.add(item, place))?;
    wanted.end();
    let Wanted {
        mut missing,
        unsearched,
        words,
        numbers,
        images,
        ..
    } = wanted;
    let mut expected = 0;
    if !missing.is_empty() || (rules.numbers && numbers > found.numbers) {
        let mut surplus = Surplus::new(&mut found);
        result(&mut |item, _| surplus.add(item))?;
        surplus.add(Item::Break);
        missing.retain(|(word, _)| !surplus.has(word));
        let figures = surplus.figures;
        found.numbers += figures;
        missing.retain(|(word, _)| !found.accounts_for_marker(word));
        if rules.approximate {
            missing.retain(|(word, _)| word.len() > 1);
            // A typed date may have the name of a month.
            let dates = if rules.letters_only { found.numbers } else { 0 };
            expected = rules.left_out + dates;
            let is_tolerated = missing.len() as u64 <= expected + tolerated(words);
            missing.retain(|_| !is_tolerated);
        }
    }
    // Which of the missing words were left out on purpose is not known.
    let placed = missing.iter().filter(|_| expected == 0);
    let mut places: Vec<Place> = placed.map(|(_, place)| *place).collect();
    places.dedup();
    let shortfall = |wanted: u64, found: u64| Shortfall {
        missing: wanted.saturating_sub(found),
        of: wanted,
    };
    Ok(Difference {
        words: Shortfall {
            missing: (missing.len() as u64 + unsearched).saturating_sub(expected),
            of: words.saturating_sub(rules.left_out),
        },
        numbers: match rules.numbers {
            true => shortfall(numbers, found.numbers),
            false => Shortfall::default(),
        },
        images: match rules.images {
            true => shortfall(images, found.images),
            false => Shortfall::default(),
        },
        places,
    })
}

/// Counts of a result.
#[derive(Default)]
struct Counts {
    words: HashMap<u64, u32>,
    numbers: u64,
    images: u64,
    /// Number of markers that missing words may account for.
    markers: u64,
    splitter: WordSplitter,
}

impl Counts {
    fn add(&mut self, item: Item<'_>) {
        let Self {
            words, splitter, ..
        } = self;
        let mut take = |token: Token<'_>| {
            if let Token::Word(word) = token
                && words.len() <= MAX_DISTINCT
            {
                *words.entry(key(word)).or_default() += 1;
            }
        };
        match item {
            Item::Text(text) => splitter.text(text, &mut take),
            Item::Break => splitter.end(&mut take),
            Item::Number => self.numbers += 1,
            Item::Image => self.images += 1,
            Item::Marker => self.markers += 1,
        }
    }

    /// Returns whether a missing word may be drawn as a marker, and uses up one.
    fn accounts_for_marker(&mut self, word: &str) -> bool {
        let is_marker = is_marker(word) && self.markers > 0;
        self.markers -= u64::from(is_marker);
        is_marker
    }

    /// Removes one occurrence of a word; returns whether there was one.
    fn remove(&mut self, word: u64) -> bool {
        match self.words.get_mut(&word) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// Looks up the items of a source among those of its result.
struct Wanted<'c> {
    found: &'c mut Counts,
    rules: Rules,
    splitter: WordSplitter,
    /// The words since the last break.
    cell: Vec<String>,
    place: Place,
    missing: Vec<(String, Place)>,
    /// Number of missing words beyond the maximum of `missing`.
    unsearched: u64,
    words: u64,
    numbers: u64,
    images: u64,
}

impl<'c> Wanted<'c> {
    fn new(found: &'c mut Counts, rules: Rules) -> Self {
        Self {
            found,
            rules,
            splitter: WordSplitter::default(),
            cell: Vec::new(),
            place: Place::default(),
            missing: Vec::new(),
            unsearched: 0,
            words: 0,
            numbers: 0,
            images: 0,
        }
    }

    fn add(&mut self, item: Item<'_>, place: Place) {
        let cell = &mut self.cell;
        let mut take = |token: Token<'_>| {
            if let Token::Word(word) = token {
                cell.push(word.to_owned());
            }
        };
        match item {
            Item::Text(text) => {
                self.splitter.text(text, &mut take);
                self.place = place;
            }
            Item::Break => self.splitter.end(&mut take),
            Item::Number => self.numbers += 1,
            Item::Image => self.images += 1,
            Item::Marker => {}
        }
        if item == Item::Break || self.cell.len() > self.max_words() {
            self.look_up();
        }
    }

    /// Number of words after which they are looked up without a break. Only those of a cell have to be known together.
    fn max_words(&self) -> usize {
        match self.rules.texts_become_numbers {
            true => 4096,
            false => 64,
        }
    }

    fn end(&mut self) {
        self.add(Item::Break, self.place);
    }

    fn look_up(&mut self) {
        let words = std::mem::take(&mut self.cell);
        let are_there = |words: &[String]| {
            let mut keys = words.iter().map(|word| key(word));
            keys.all(|word| self.found.words.get(&word).is_some_and(|count| *count > 0))
        };
        let has_digit = words.iter().any(|word| has_digit(word));
        let words: Vec<String> = match self.rules.letters_only {
            true => words
                .into_iter()
                .filter(|word| !self::has_digit(word))
                .collect(),
            false => words,
        };
        if self.rules.texts_become_numbers && has_digit && !are_there(&words) {
            self.numbers += 1;
            return;
        }
        for word in words {
            self.words += 1;
            if self.found.remove(key(&word)) {
                continue;
            }
            match self.missing.len() < MAX_SEARCHED {
                true => self.missing.push((word, self.place)),
                false => self.unsearched += 1,
            }
        }
    }
}

/// Whether a word may be the number or letter of a list item: `12`, `b`, `xiv`.
fn is_marker(word: &str) -> bool {
    let is_roman = |letter| matches!(letter, 'i' | 'v' | 'x' | 'l' | 'c');
    word.chars().count() == 1
        || (word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit()))
        || (word.len() <= 6 && word.chars().all(is_roman))
}

/// How many words an approximate text may have more than a complete result.
fn tolerated(words: u64) -> u64 {
    (words / 100).max(2)
}

fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

/// The key of a word. The order of letters does not matter in right-to-left words.
fn key(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    match is_right_to_left(word) {
        true => {
            let mut letters: Vec<char> = word.chars().collect();
            letters.sort_unstable();
            letters.hash(&mut hasher);
        }
        false => word.hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paragraphs as items.
    fn items(paragraphs: &[&str]) -> impl Fn(Take<'_>) -> Result<(), Unreadable> {
        let paragraphs: Vec<String> = paragraphs.iter().map(|text| (*text).to_owned()).collect();
        move |take: Take<'_>| {
            for (number, text) in (1..).zip(&paragraphs) {
                let place = Place { number, cell: None };
                match text.as_str() {
                    "<number>" => take(Item::Number, place),
                    "<image>" => take(Item::Image, place),
                    text => take(Item::Text(text), place),
                }
                take(Item::Break, place);
            }
            Ok(())
        }
    }

    fn difference(source: &[&str], result: &[&str]) -> Difference {
        let rules = Rules {
            images: true,
            numbers: true,
            ..Rules::default()
        };
        compare(&items(source), &items(result), rules).unwrap()
    }

    fn missing(source: &[&str], result: &[&str]) -> u64 {
        difference(source, result).words.missing
    }

    #[test]
    fn each_missing_word_is_counted_with_its_place() {
        let found = difference(&["one two", "two three", "four"], &["four one", "two"]);
        assert_eq!(found.words, Shortfall { missing: 2, of: 5 });
        assert_eq!(
            found.places,
            [Place {
                number: 2,
                cell: None
            }]
        );
    }

    #[test]
    fn split_and_joined_words_are_found() {
        assert_eq!(
            missing(&["documents in order"], &["docu-", "ments inorder"]),
            0
        );
        assert_eq!(
            missing(&["documents in order"], &["docu-", "mints inorder"]),
            1
        );
        assert_eq!(missing(&["שלום עולם"], &["םולש םלוע"]), 0);
        assert_eq!(missing(&["שלום"], &["שלון"]), 1);
    }

    #[test]
    fn numbers_and_images_are_counted() {
        let found = difference(
            &["<number>", "<number>", "a", "<image>"],
            &["a 1,234.50 12"],
        );
        assert_eq!(found.numbers.missing, 0);
        assert_eq!(found.images, Shortfall { missing: 1, of: 1 });
        let found = difference(&["<number>", "<number>", "a"], &["a 1,234.50 ###"]);
        assert_eq!(found.numbers, Shortfall { missing: 1, of: 2 });
    }

    #[test]
    fn text_outside_the_tables_of_a_pdf_is_expected_to_be_missing() {
        let rules = Rules {
            approximate: true,
            letters_only: true,
            left_out: 3,
            ..Rules::default()
        };
        let compared = |source: &[&str]| {
            let result = items(&["apples pears", "<number>"]);
            compare(&items(source), &result, rules).unwrap().words
        };
        let complete = compared(&["An outer text", "apples pears 12 May 2024 1,200.50"]);
        assert_eq!(complete.missing, 0);
        let lines = [
            "An outer text",
            "apples pears",
            "plums grapes cherries melons figs",
        ];
        assert_eq!(compared(&lines), Shortfall { missing: 4, of: 7 });
    }

    #[test]
    fn cells_may_become_numbers() {
        let rules = Rules {
            texts_become_numbers: true,
            numbers: true,
            ..Rules::default()
        };
        let source = items(&["12 May 2024", "Berlin 7"]);
        let compared = |result: &[&str]| compare(&source, &items(result), rules).unwrap();
        assert_eq!(compared(&["<number>", "Berlin 7"]).numbers.missing, 0);
        assert_eq!(compared(&["Berlin 7"]).numbers.missing, 1);
    }
}
