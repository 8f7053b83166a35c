//! Counts the words of a page that are outside its edges.

use layout::Character;

/// The words so far.
#[derive(Default)]
pub(super) struct WordsOutside {
    count: usize,
    /// Whether the current word has letters or digits, all of them outside the page.
    is_outside: bool,
    is_inside: bool,
}

impl WordsOutside {
    /// Adds a character in reading order; white space ends a word. Text that is drawn invisibly is no content.
    pub(super) fn add(&mut self, character: &Character, is_inside: bool) {
        if character.text.is_whitespace() {
            self.end_word();
        } else if character.text.is_alphanumeric() && !character.is_hidden {
            self.is_outside |= !is_inside;
            self.is_inside |= is_inside;
        }
    }

    /// Ends a word. One across an edge is in part on the page.
    pub(super) fn end_word(&mut self) {
        self.count += usize::from(self.is_outside && !self.is_inside);
        (self.is_outside, self.is_inside) = (false, false);
    }

    /// Returns the number of words.
    pub(super) fn finish(mut self) -> usize {
        self.end_word();
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::character;
    use super::*;

    #[test]
    fn words_whose_letters_are_all_outside_are_counted() {
        let mut words = WordsOutside::default();
        for (text, is_inside) in [
            ("in ", true),
            ("out, ", false),
            ("acr", true),
            ("oss ", false),
            ("- ", false),
            ("last", false),
        ] {
            for letter in text.chars() {
                words.add(&character(letter, 0.0, 0), is_inside);
            }
        }
        let mut hidden = character('h', 0.0, 0);
        hidden.is_hidden = true;
        words.end_word();
        words.add(&hidden, false);
        assert_eq!(words.finish(), 2);
    }
}
