//! Compares the words of a source with those of a result, in bounded memory: one pass over each, and a second one over the
//! result if words are missing.

mod counts;
mod order;
mod surplus;

use task::Shortfall;

use self::counts::{Counts, MAX_DISTINCT, key};
use self::order::Order;
use self::surplus::Surplus;
use super::item::{Item, Place, Take, Unreadable};
use super::words::{Figures, Token, WordSplitter};

/// Reads a document, from its beginning at each call.
pub(super) type ReadItems<'a> = &'a dyn Fn(Take<'_>) -> Result<(), Unreadable>;

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
    /// How numbers in text are compared: as a whole if some of them are in typed cells.
    pub(super) figures: Figures,
}

/// What a result misses.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) words: Shortfall,
    pub(super) numbers: Shortfall,
    pub(super) images: Shortfall,
    /// Number of charts of the source.
    pub(super) charts: u64,
    /// Words that both have once, those in another order as missing.
    pub(super) order: Shortfall,
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
    let mut found = Counts::new(rules);
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
        charts,
        order,
        ..
    } = wanted;
    let (compared, in_order) = order.measure(&found);
    if !missing.is_empty() || (rules.numbers && numbers > found.numbers) {
        let mut surplus = Surplus::new(&mut found, rules);
        result(&mut |item, _| surplus.add(item))?;
        surplus.add(Item::Break);
        missing.retain(|(word, _)| !surplus.has(word));
        let figures = surplus.figures;
        found.numbers += figures;
        missing.retain(|(word, _)| !found.accounts_for_marker(word));
        if rules.approximate {
            missing.retain(|(word, _)| word.len() > 1);
            let is_tolerated = missing.len() as u64 <= tolerated(words);
            missing.retain(|_| !is_tolerated);
        }
    }
    let mut places: Vec<Place> = missing.iter().map(|(_, place)| *place).collect();
    places.dedup();
    let shortfall = |wanted: u64, found: u64| Shortfall {
        missing: wanted.saturating_sub(found),
        of: wanted,
    };
    Ok(Difference {
        words: Shortfall {
            missing: missing.len() as u64 + unsearched,
            of: words,
        },
        charts,
        order: shortfall(compared, in_order),
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

/// Looks up the items of a source among those of its result.
struct Wanted<'c> {
    found: &'c mut Counts,
    rules: Rules,
    splitter: WordSplitter,
    /// The words since the last break.
    cell: Vec<String>,
    place: Place,
    /// Whether the words may be elsewhere in the result.
    is_aside: bool,
    missing: Vec<(String, Place)>,
    /// Number of missing words beyond the maximum of `missing`.
    unsearched: u64,
    words: u64,
    numbers: u64,
    images: u64,
    charts: u64,
    order: Order,
}

impl<'c> Wanted<'c> {
    fn new(found: &'c mut Counts, rules: Rules) -> Self {
        Self {
            found,
            rules,
            splitter: WordSplitter::new(rules.figures),
            cell: Vec::new(),
            place: Place::default(),
            is_aside: false,
            missing: Vec::new(),
            unsearched: 0,
            words: 0,
            numbers: 0,
            images: 0,
            charts: 0,
            order: Order::default(),
        }
    }

    fn add(&mut self, item: Item<'_>, place: Place) {
        let cell = &mut self.cell;
        let mut take = |token: Token<'_>| {
            if let Token::Word(word) = token {
                cell.push(word.to_owned());
            }
        };
        let mut next_aside = self.is_aside;
        match item {
            Item::Text(text) => {
                self.splitter.text(text, &mut take);
                self.place = place;
            }
            Item::Break => self.splitter.end(&mut take),
            Item::Number => self.numbers += 1,
            Item::Image => self.images += 1,
            Item::Chart => self.charts += 1,
            Item::Aside(begins) => next_aside = begins,
            Item::Marker => {}
        }
        let ends = item == Item::Break || next_aside != self.is_aside;
        if ends || self.cell.len() > self.max_words() {
            self.look_up();
        }
        self.is_aside = next_aside;
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
            keys.all(|word| {
                self.found
                    .words
                    .get(&word)
                    .is_some_and(|word| word.count > 0)
            })
        };
        let has_digit = words.iter().any(|word| has_digit(word));
        if self.rules.texts_become_numbers && has_digit && !are_there(&words) {
            self.numbers += 1;
            return;
        }
        for word in words {
            self.words += 1;
            let key = key(&word);
            if self.found.remove(key) {
                if !self.is_aside && !self::has_digit(&word) && self.found.has_once(key) {
                    self.order.add(key);
                }
                continue;
            }
            match self.missing.len() < MAX_SEARCHED {
                true => self.missing.push((word, self.place)),
                false => self.unsearched += 1,
            }
        }
    }
}

/// How many words an approximate text may have more than a complete result.
fn tolerated(words: u64) -> u64 {
    (words / 100).max(2)
}

fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
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
    fn numbers_are_compared_by_value() {
        let rules = Rules {
            approximate: true,
            figures: Figures::Values,
            ..Rules::default()
        };
        let result = items(&["apples", "1200.5", "0.125", "figs", "37", "48", "59"]);
        let compared = |source: &[&str]| compare(&items(source), &result, rules).unwrap().words;
        let complete = ["apples 1,200.50 12.5 %", "figs 37 48 59"];
        assert_eq!(compared(&complete), Shortfall { missing: 0, of: 7 });
        let longer = [
            "apples 1,200.50 12.5 %",
            "figs 37 48 59",
            "plums 371 482 593",
        ];
        assert_eq!(compared(&longer), Shortfall { missing: 4, of: 11 });
    }

    #[test]
    fn words_in_another_order_are_counted() {
        let order =
            |result: &[&str]| difference(&["one two one three", "four", "five"], result).order;
        assert_eq!(order(&["one two one three", "four five"]).missing, 0);
        let swapped = order(&["one four five", "two one three"]);
        assert_eq!(swapped, Shortfall { missing: 2, of: 4 });
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
