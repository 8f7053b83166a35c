//! Looks up the words of a source in its result.

use task::HiddenContent;

use super::counts::{Counts, key};
use super::passages::Passages;
use super::{HiddenShapes, Rules, has_digit};
use crate::content::MAX_PLACES;
use crate::content::decimal::Decimal;
use crate::content::item::{Item, Place};
use crate::content::words::{Token, WordSplitter, count_words};

/// Maximum number of missing words that are searched for among the parts of words.
const MAX_SEARCHED: usize = 100_000;

/// Looks up the items of a source among those of its result.
pub(super) struct Wanted<'c> {
    found: &'c mut Counts,
    rules: Rules,
    splitter: WordSplitter,
    cell: Cell,
    place: Place,
    /// Whether the words may be elsewhere in the result.
    is_aside: bool,
    /// Whether the words have to be in the result only once.
    is_once: bool,
    pub(super) missing: Vec<(String, Place)>,
    /// Number of missing words beyond the maximum of `missing`.
    pub(super) unsearched: u64,
    pub(super) words: u64,
    pub(super) numbers: u64,
    /// Number of them whose value is not known.
    pub(super) unknown: u64,
    /// Places of the first numbers whose value the result does not have, and how many there are.
    pub(super) changed_at: Vec<Place>,
    pub(super) changed: u64,
    pub(super) images: u64,
    pub(super) tables: u64,
    pub(super) parts: u64,
    pub(super) charts: u64,
    /// Content that slides do not show: hidden shapes, and words that the result has beyond the edges of its slides only.
    pub(super) hidden: HiddenContent,
    pub(super) passages: Passages,
}

impl<'c> Wanted<'c> {
    pub(super) fn new(found: &'c mut Counts, rules: Rules) -> Self {
        Self {
            found,
            rules,
            splitter: WordSplitter::new(rules.figures),
            cell: Cell::default(),
            place: Place::default(),
            is_aside: false,
            is_once: false,
            missing: Vec::new(),
            unsearched: 0,
            words: 0,
            numbers: 0,
            unknown: 0,
            changed_at: Vec::new(),
            changed: 0,
            images: 0,
            tables: 0,
            parts: 0,
            charts: 0,
            hidden: HiddenContent::default(),
            passages: Passages::default(),
        }
    }

    pub(super) fn add(&mut self, item: Item<'_>, place: Place) {
        let cell = &mut self.cell;
        let mut take = |token: Token<'_>| {
            if let Token::Word(word) = token {
                cell.push(word);
            }
        };
        let (mut next_aside, mut next_once) = (self.is_aside, self.is_once);
        match item {
            Item::Text(text) => {
                self.splitter.text(text, &mut take);
                self.place = place;
            }
            Item::Break | Item::Once(_) => self.splitter.end(&mut take),
            Item::Number(value) if !self.is_once => self.number(value, place),
            Item::Image => self.images += u64::from(!self.is_once),
            Item::Table => self.tables += u64::from(!self.is_once),
            Item::Part => self.parts += 1,
            Item::Chart => self.charts += 1,
            Item::Aside(begins) => next_aside = begins,
            Item::Repetition(text) => self.repeat(text),
            Item::Hidden { text, images } => match self.rules.hidden_shapes {
                HiddenShapes::Counted => self.hide(count_words(text), images, place),
                HiddenShapes::Wanted => {
                    self.splitter.end(&mut take);
                    self.splitter.text(text, &mut take);
                    self.splitter.end(&mut take);
                    self.place = place;
                    self.images += u64::from(images);
                }
                HiddenShapes::Ignored => {}
            },
            Item::Number(_) | Item::Marker | Item::Alternative(_) | Item::Beyond(_) => {}
        }
        if let Item::Once(begins) = item {
            next_once = begins;
        }
        let ends = item == Item::Break || next_aside != self.is_aside || next_once != self.is_once;
        if ends || self.cell.ends.len() > self.max_words() {
            self.look_up();
        }
        if ends {
            self.found.order.end_line();
            if self.rules.approximate {
                self.passages.end_line();
            }
        }
        (self.is_aside, self.is_once) = (next_aside, next_once);
    }

    /// Adds a header or footer that the source repeats.
    fn repeat(&mut self, text: &str) {
        let mut row = Vec::new();
        self.splitter.split(text, &mut |token| match token {
            Token::Word(word) if has_digit(word) => self.passages.repeat(std::mem::take(&mut row)),
            Token::Word(word) => row.push(key(word)),
            Token::Space => {}
        });
        self.passages.repeat(row);
    }

    /// Adds words and images that a slide does not show.
    fn hide(&mut self, words: u64, images: u32, place: Place) {
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        self.hidden.words = self.hidden.words.saturating_add(words);
        self.hidden.images = self.hidden.images.saturating_add(images);
        let is_known = self.hidden.slides.last() == Some(&place.number);
        if words.saturating_add(images) > 0 && !is_known {
            self.hidden.slides.push(place.number);
        }
    }

    /// Number of words after which they are looked up without a break. Only those of a cell have to be known together.
    fn max_words(&self) -> usize {
        match self.rules.texts_become_numbers {
            true => 4096,
            false => 64,
        }
    }

    pub(super) fn end(&mut self) {
        self.add(Item::Break, self.place);
    }

    /// Looks up the number of a cell.
    fn number(&mut self, value: Option<Decimal>, place: Place) {
        self.numbers += 1;
        self.unknown += u64::from(value.is_none());
        let Some(value) = value.filter(|_| self.rules.values) else {
            return;
        };
        let mut keys = value.keys().into_iter();
        let taken = keys.find(|key| self.found.remove(*key));
        match taken {
            Some(key) if !self.is_aside => self.found.order.add_wanted(key),
            Some(_) => {}
            None => {
                self.changed += 1;
                if self.changed_at.len() < MAX_PLACES {
                    self.changed_at.push(place);
                }
            }
        }
    }

    fn look_up(&mut self) {
        let mut cell = std::mem::take(&mut self.cell);
        let is_there = |word: &str| {
            let count = self.found.words.get(&key(word));
            count.is_some_and(|count| *count > 0)
        };
        if self.rules.texts_become_numbers
            && cell.words().any(has_digit)
            && !cell.words().all(is_there)
        {
            self.numbers += 1;
            return;
        }
        cell.words().for_each(|word| self.look_up_word(word));
        cell.clear();
        self.cell = cell;
    }

    fn look_up_word(&mut self, word: &str) {
        self.words += 1;
        let key = key(word);
        if self.is_once && self.found.words.contains_key(&key) {
            return;
        }
        if self.rules.approximate {
            self.passages.add(key, self.place);
        }
        let is_inside = self.found.remove(key) || self.found.remove_alternative(key);
        if is_inside || self.found.remove_beyond(key) {
            self.hide(u64::from(!is_inside), 0, self.place);
            if !self.is_aside && !has_digit(word) {
                self.found.order.add_wanted(key);
            }
            return;
        }
        match self.missing.len() < MAX_SEARCHED {
            true => self.missing.push((word.to_owned(), self.place)),
            false => self.unsearched += 1,
        }
    }
}

/// The words since the last break.
#[derive(Default)]
struct Cell {
    text: String,
    ends: Vec<usize>,
}

impl Cell {
    fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.ends.push(self.text.len());
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let word = self.text.get(start..*end);
            start = *end;
            word.unwrap_or_default()
        })
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}
