//! Splits text into words that are the same in every format: regardless of letter case, ligatures, accents' composition,
//! soft hyphens, and spaces of scripts without them.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'w> {
    /// A word: a run of letters or of digits, normalized. Digits are separate because raised ones (`x²`) may be.
    Word(&'w str),
    /// White space.
    Space,
}

/// Longest word; what follows is another one.
const MAX_BYTES: usize = 256;

/// How numbers with separators are split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Figures {
    /// Into runs of digits.
    #[default]
    Split,
    /// Not at all: only white space separates digits.
    Joined,
    /// Not at all, and without leading zeros: `1,234.50` and `$1.234,50` are equal, and so are `0.5` and `.5`, and `1.500` as a
    /// fraction and as thousands. Three zeros are a part of a number.
    Values,
}

/// Collects the current word across texts.
#[derive(Default)]
pub(super) struct WordSplitter {
    word: String,
    /// Whether the last character of the word is a digit.
    ends_with_digit: bool,
    figures: Figures,
    known: KnownCharacters,
}

impl WordSplitter {
    pub(super) fn new(figures: Figures) -> Self {
        Self {
            figures,
            ..Self::default()
        }
    }

    /// Splits a whole text as this splitter does.
    pub(super) fn split(&self, text: &str, take: &mut impl FnMut(Token<'_>)) {
        let mut splitter = Self::new(self.figures);
        splitter.text(text, take);
        splitter.end(take);
    }

    /// Splits a text. The last word is completed by the next text or [`WordSplitter::end`].
    pub(super) fn text(&mut self, text: &str, take: &mut impl FnMut(Token<'_>)) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let run = ascii_run(rest);
            if run.is_empty() {
                if is_spacing_accent(first) {
                    rest = rest.get(first.len_utf8()..).unwrap_or_default();
                    continue;
                }
                if let Some(known) = self.known.get(first) {
                    self.add(known, take);
                    rest = rest.get(first.len_utf8()..).unwrap_or_default();
                    continue;
                }
                // Marks are left out, so that their order does not matter.
                decompose_compatible(first, |character| {
                    if !is_ignored(character) {
                        self.character(character, take);
                    }
                });
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
                continue;
            }
            self.character(first, take);
            let others = run.get(1..).unwrap_or_default();
            let start = self.word.len();
            if start + others.len() > MAX_BYTES {
                others.chars().for_each(|other| self.character(other, take));
            } else {
                self.word.push_str(others);
                let added = self.word.get_mut(start..);
                added.unwrap_or_default().make_ascii_lowercase();
            }
            rest = rest.get(run.len()..).unwrap_or_default();
        }
    }

    /// Ends the current word.
    pub(super) fn end(&mut self, take: &mut impl FnMut(Token<'_>)) {
        let word = match self.figures {
            Figures::Values => self.value(),
            Figures::Split | Figures::Joined => &self.word,
        };
        if !word.is_empty() {
            take(Token::Word(word));
        }
        self.word.clear();
        self.ends_with_digit = false;
    }

    /// The figure without leading zeros.
    fn value(&self) -> &str {
        match (self.word.trim_start_matches('0'), self.word.as_str()) {
            ("", "" | "000") => "",
            ("", _) => "0",
            (value, _) => value,
        }
    }

    fn character(&mut self, character: char, take: &mut impl FnMut(Token<'_>)) {
        self.add(Character::of(character), take);
    }

    fn add(&mut self, character: Character, take: &mut impl FnMut(Token<'_>)) {
        let is_digit = character.kind == Kind::Digit;
        if matches!(character.kind, Kind::Space | Kind::Other) {
            let is_space = character.kind == Kind::Space;
            let is_in_figure = self.figures != Figures::Split && self.ends_with_digit;
            if is_space || !is_in_figure {
                self.end(take);
            }
            if is_space {
                take(Token::Space);
            }
            return;
        }
        let is_word = character.is_word;
        let is_other = self.ends_with_digit != is_digit;
        if is_word || is_other || self.word.len() >= MAX_BYTES {
            self.end(take);
        }
        self.ends_with_digit = is_digit;
        match character.value {
            'ß' | 'ẞ' => self.word.push_str("ss"),
            'ς' => self.word.push('σ'),
            letter => self.word.push(letter),
        }
        if is_word {
            self.end(take);
        }
    }
}

/// The properties of a character that matter for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Character {
    /// In lower case, which is one character for each decomposed one.
    value: char,
    kind: Kind,
    /// Whether a letter is a word of its own.
    is_word: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Space,
    Other,
}

impl Character {
    fn of(character: char) -> Self {
        Self {
            value: character.to_lowercase().next().unwrap_or(character),
            kind: match character {
                digit if digit.is_numeric() => Kind::Digit,
                letter if letter.is_alphabetic() => Kind::Letter,
                space if space.is_whitespace() => Kind::Space,
                _ => Kind::Other,
            },
            is_word: is_without_spaces(character),
        }
    }
}

/// Number of characters that are known at a time: more than the letters of an alphabet.
const KNOWN: usize = 256;

/// The characters that were seen last: to look up their properties takes most of the time of splitting.
#[derive(Default)]
struct KnownCharacters(Vec<Option<(char, Option<Character>)>>);

impl KnownCharacters {
    /// Returns the properties of a character that is decomposed to one, with or without marks; `None` for others.
    fn get(&mut self, character: char) -> Option<Character> {
        self.0.resize(KNOWN, None);
        let place = self.0.get_mut(character as usize % KNOWN)?;
        if let Some((last, known)) = place
            && *last == character
        {
            return *known;
        }
        let (mut first, mut count) = (None, 0);
        decompose_compatible(character, |part| {
            if !is_ignored(part) {
                first.get_or_insert(part);
                count += 1;
            }
        });
        let known = first.filter(|_| count == 1).map(Character::of);
        *place = Some((character, known));
        known
    }
}

/// Returns the number of words of a text, as verification counts them.
pub fn count_words(text: &str) -> u64 {
    let mut count = 0;
    let mut take = |token: Token<'_>| count += u64::from(matches!(token, Token::Word(_)));
    WordSplitter::default().split(text, &mut take);
    count
}

/// The ASCII letters, the digits or the other ASCII character that a text begins with.
fn ascii_run(text: &str) -> &str {
    let bytes = text.as_bytes();
    let while_all =
        |is_alike: fn(&u8) -> bool| bytes.iter().take_while(|byte| is_alike(byte)).count();
    let length = match bytes.first() {
        Some(first) if first.is_ascii_alphabetic() => while_all(u8::is_ascii_alphabetic),
        Some(first) if first.is_ascii_digit() => while_all(u8::is_ascii_digit),
        Some(first) => usize::from(first.is_ascii()),
        None => 0,
    };
    text.get(..length).unwrap_or_default()
}

/// Returns whether a character neither is part of a word nor separates words.
fn is_ignored(character: char) -> bool {
    is_combining_mark(character)
        || matches!(
            character,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{640}'
        )
}

/// Returns whether a character is an accent of its own, which some fonts draw over the letter before or after it.
fn is_spacing_accent(character: char) -> bool {
    matches!(
        character,
        '\u{a8}' | '\u{af}' | '\u{b4}' | '\u{b8}' | '\u{2c6}' | '\u{2c7}' | '\u{2d8}'..='\u{2dd}'
    )
}

/// Returns whether the script of a letter is written without spaces between words.
fn is_without_spaces(letter: char) -> bool {
    matches!(letter,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns whether text extraction from PDF may yield the letters of a word in another order: the word is written from right to
/// left, or in a script whose letters are joined, stacked or reordered when they are drawn.
pub(super) fn is_reordered_when_drawn(word: &str) -> bool {
    let is_letter = |letter| {
        matches!(letter,
            '\u{590}'..='\u{109f}' | '\u{1700}'..='\u{1cff}' | '\u{a800}'..='\u{abff}'
            | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{11fff}' | '\u{1e800}'..='\u{1efff}')
    };
    !word.is_ascii() && word.chars().any(is_letter)
}

/// Whether a word is a Roman number below 90.
pub(super) fn is_roman(word: &str) -> bool {
    let is_number = |digits: &str, [one, five, ten]: [char; 3]| {
        let ones = digits.trim_start_matches(five);
        (digits.len() - ones.len() <= 1
            && ones.len() <= 3
            && ones.chars().all(|digit| digit == one))
            || digits.chars().eq([one, five])
            || digits.chars().eq([one, ten])
    };
    let ones = word.trim_start_matches(['x', 'l']);
    let (tens, ones) = word.split_at(word.len() - ones.len());
    !word.is_empty() && is_number(tens, ['x', 'l', 'c']) && is_number(ones, ['i', 'v', 'x'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(texts: &[&str]) -> Vec<String> {
        words_of(WordSplitter::default(), texts)
    }

    fn words_of(mut splitter: WordSplitter, texts: &[&str]) -> Vec<String> {
        let mut words = Vec::new();
        let mut take = |token: Token<'_>| {
            if let Token::Word(word) = token {
                words.push(word.to_owned());
            }
        };
        for text in texts {
            splitter.text(text, &mut take);
        }
        splitter.end(&mut take);
        words
    }

    #[test]
    fn words_continue_across_texts() {
        assert_eq!(words(&["He", "llo wor", "ld"]), ["hello", "world"]);
    }

    #[test]
    fn numbers_and_ideographs_are_words_of_their_own() {
        assert_eq!(count_words("(Intel, 2023), 日本 3a"), 6);
    }

    #[test]
    fn figures_are_joined() {
        let words = |text| words_of(WordSplitter::new(Figures::Values), &[text]);
        assert_eq!(words("1,234.50 (12.5%)"), ["123450", "125"]);
        assert_eq!(words("$1.234,50; 0.125 0"), ["123450", "125", "0"]);
        assert_eq!(
            words("1 105 1,050 0.10 10 000 0.0"),
            ["1", "105", "1050", "10", "10", "0"]
        );
        assert_eq!(
            words("5-May-2024 A4, 3"),
            ["5", "may", "2024", "a", "4", "3"]
        );
    }

    #[test]
    fn spelling_is_normalized() {
        // Characters of one place in the memory of known ones.
        assert_eq!(words(&["ÉӉǉÉ"]), ["eӊlje"]);
        assert_eq!(words(&["Straße ﬁn Ａ1"]), ["strasse", "fin", "a", "1"]);
        assert_eq!(words(&["e\u{301}te\u{ad}s"]), words(&["étes"]));
        assert_eq!(words(&["日本go"]), ["日", "本", "go"]);
        assert_eq!(words(&["cafe\u{b4} ˆetre"]), words(&["café être"]));
    }
}
