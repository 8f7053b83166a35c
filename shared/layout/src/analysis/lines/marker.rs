//! List markers: bullets, numbers and letters.

use crate::model::roman;

/// Characters that are bullets even without a gap before the text.
const BULLETS: &str = "•◦▪▫‣⁃●○■□◆◇▶►➢➤✓✔✗❖➔\u{2219}";
/// Characters that are bullets if a gap follows.
const DASHES: &str = "-–—*·o+»>";

/// Letters that are numbers: of Hebrew, and of Arabic in both orders.
const HEBREW: &str = "אבגדהוזחטיכלמנ";
const ABJAD: &str = "ابجدهوزحطيكلمنسعفصقرشتثخذضظغ";
const ALPHABET: &str = "ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقكگلمنهوي";
/// Letters of the alphabet that Arabic does without; Persian has some of them, Urdu all.
const ADDED: &str = "پٹچڈڑژگ";
/// Value by the abjad order of letters that it lacks, beyond all others.
const NO_ABJAD: u32 = 100;
/// The name of the first letter, by which Persian counts, in logical and visual order.
const FIRST: [&str; 2] = ["الف", "فلا"];
const TEN: char = 'י';

/// A parsed marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum Marker {
    /// A bullet.
    Bullet,
    /// Numbered; `1.` is 1, `c)` is 3. The last value is that of letters read as a Roman numeral.
    Count(Kind, u32, Option<u32>),
    /// A label with a meaning, such as `Step 1:` or a defined term.
    Label,
}

/// The numbering of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::analysis) enum Kind {
    /// `1.`, with the number of components: `1.2.` has two.
    Number(usize),
    /// `a)`.
    Small,
    /// `A)`.
    Large,
    /// `א.`, or `أ.` by the abjad order; the last value is that by the alphabetical order.
    Eastern,
}

/// Whether a word is a marker.
pub(in crate::analysis) fn is_marker(word: &str) -> bool {
    parse(word).is_some()
}

/// Returns a marker of right-to-left text in logical order: its punctuation is drawn before the number.
pub(in crate::analysis) fn from_right(word: &str) -> String {
    let is_sign = |character| matches!(character, '.' | '(' | ')');
    let number = word.trim_matches(is_sign);
    let is_number = !number.is_empty()
        && number
            .chars()
            .all(|character| character.is_alphanumeric() || character == '.');
    let signs: Vec<char> = word
        .chars()
        .filter(|character| matches!(character, '(' | ')'))
        .collect();
    match signs.as_slice() {
        _ if !is_number => word.to_owned(),
        [_, _] => format!("({number})"),
        [_] => format!("{number})"),
        _ if word.starts_with('.') => format!("{number}."),
        _ => word.to_owned(),
    }
}

/// Returns a text with the digits of Arabic and Persian as those of Latin.
pub(in crate::analysis) fn latin_digits(text: &str) -> String {
    let digit = |character: char| match u32::from(character) {
        code @ 0x660..=0x669 => char::from_digit(code - 0x660, 10),
        code @ 0x6f0..=0x6f9 => char::from_digit(code - 0x6f0, 10),
        _ => None,
    };
    text.chars()
        .map(|character| digit(character).unwrap_or(character))
        .collect()
}

/// Whether a character is a bullet at the beginning of any text.
pub(in crate::analysis) fn is_plain_bullet(character: char) -> bool {
    BULLETS.contains(character) || ('\u{f000}'..='\u{f0ff}').contains(&character)
}

/// Whether a word is a sign or letter that is a bullet only if a gap follows.
pub(in crate::analysis) fn is_ambiguous_bullet(word: &str) -> bool {
    let mut characters = word.chars();
    let only = characters.next().filter(|_| characters.next().is_none());
    only.is_some_and(|only| DASHES.contains(only))
}

/// Parses a word as a marker; `None` if it is not one.
pub(in crate::analysis) fn parse(word: &str) -> Option<Marker> {
    let mut characters = word.chars();
    if let (Some(only), None) = (characters.next(), characters.next()) {
        let is_bullet = is_plain_bullet(only) || DASHES.contains(only);
        return is_bullet.then_some(Marker::Bullet);
    }
    let inner = word.strip_prefix('(').unwrap_or(word);
    let inner = match inner.strip_suffix(')') {
        Some(inner) => inner.strip_suffix('.').unwrap_or(inner),
        None if inner.len() < word.len() => return None,
        None => inner.strip_suffix('.')?,
    };
    counted(inner)
}

/// Parses an unpunctuated clause number such as `1.1` or `2`; `None` for other words.
pub(in crate::analysis) fn clause(word: &str) -> Option<Marker> {
    let word = &latin_digits(word);
    let numbers = || word.split('.');
    let is_number = |number: &str| {
        (1..=2).contains(&number.len())
            && !number.starts_with('0')
            && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_clause = numbers().all(is_number) && numbers().count() <= 6;
    is_clause.then(|| counted(word)).flatten()
}

/// Parses the label of a list item: without letters and digits it is a bullet, otherwise it has a meaning.
pub(in crate::analysis) fn of_label(text: &str) -> Marker {
    let mut characters = text.chars();
    let is_sign = match (characters.next(), characters.next()) {
        (Some(only), None) => !only.is_alphanumeric(),
        (first, _) => first.is_none(),
    };
    parse(text).unwrap_or(match is_sign {
        true => Marker::Bullet,
        false => Marker::Label,
    })
}

fn counted(inner: &str) -> Option<Marker> {
    if let Some(marker) = eastern(inner) {
        return Some(marker);
    }
    let inner = &latin_digits(inner);
    let numbers: Vec<&str> = inner.split('.').collect();
    let is_number = |number: &&str| {
        (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    if numbers.iter().all(is_number) && numbers.len() <= 6 {
        let last = numbers.last()?.parse().ok()?;
        return Some(Marker::Count(Kind::Number(numbers.len()), last, None));
    }
    let is_small = inner.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_small && !inner.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let kind = if is_small { Kind::Small } else { Kind::Large };
    let small = inner.to_ascii_lowercase();
    match (small.as_bytes(), roman::value(&small)) {
        ([letter], roman) => Some(Marker::Count(kind, u32::from(letter - b'a') + 1, roman)),
        (_, Some(roman)) => Some(Marker::Count(kind, roman, Some(roman))),
        _ => None,
    }
}

/// Parses a letter of Hebrew or Arabic as a number.
fn eastern(inner: &str) -> Option<Marker> {
    let inner = if FIRST.contains(&inner) { "ا" } else { inner };
    let plain = |letter| match letter {
        'أ' | 'إ' | 'آ' => 'ا',
        'ک' => 'ك',
        'ی' => 'ي',
        'ہ' => 'ه',
        other => other,
    };
    let letters: Vec<char> = inner
        .chars()
        .filter(|letter| *letter != 'ـ')
        .map(plain)
        .collect();
    let place = |letters: &str, letter: char| {
        let place = letters.chars().position(|other| other == letter)?;
        u32::try_from(place + 1).ok()
    };
    let (value, other) = match *letters.as_slice() {
        [letter] => match place(HEBREW, letter) {
            Some(value) => (value, None),
            None => {
                let alphabetic = place(ALPHABET, letter)?;
                let by_abjad = place(ABJAD, letter);
                (by_abjad.unwrap_or(alphabetic + NO_ABJAD), Some(alphabetic))
            }
        },
        [TEN, letter] | [letter, TEN] => {
            (10 + place(HEBREW, letter).filter(|unit| *unit < 10)?, None)
        }
        _ => return None,
    };
    Some(Marker::Count(Kind::Eastern, value, other))
}

/// Whether a letter of the alphabet follows another one in a language that may not have the letters between them.
fn is_next_letter(value: u32, next: u32) -> bool {
    let between = (1..).zip(ALPHABET.chars());
    let mut between = between.filter(|(place, _)| value < *place && *place < next);
    value < next && between.all(|(_, letter)| ADDED.contains(letter))
}

impl Marker {
    /// Whether it is numbered or has a meaning, in contrast to bullets.
    pub(in crate::analysis) fn is_ordered(self) -> bool {
        !matches!(self, Self::Bullet)
    }

    /// Whether it is the successor of another marker.
    pub(in crate::analysis) fn follows(self, before: Self) -> bool {
        match (before, self) {
            (Self::Bullet, Self::Bullet) => true,
            (Self::Count(kind, value, numeral), Self::Count(own, next, other)) => {
                // Several letters can only be a Roman numeral.
                let is_numeral =
                    kind != Kind::Eastern && (numeral == Some(value) || other == Some(next));
                let counts = next == value + 1
                    && !is_numeral
                    && (numeral.is_none() || other.is_none() || next < 100);
                let numerals = numeral.zip(other).is_some_and(|(value, next)| match kind {
                    Kind::Eastern => is_next_letter(value, next),
                    _ => next == value + 1,
                });
                kind == own && (counts || numerals)
            }
            _ => false,
        }
    }

    /// Whether numbering begins with it.
    pub(in crate::analysis) fn is_first(self) -> bool {
        matches!(self, Self::Count(_, 1, _) | Self::Count(_, _, Some(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_distinguished_from_words() {
        let counted = |word| match parse(word) {
            Some(Marker::Count(kind, value, _)) => Some((kind, value)),
            _ => None,
        };
        assert_eq!(parse("•"), Some(Marker::Bullet));
        assert_eq!(parse("\u{f0b7}"), Some(Marker::Bullet));
        assert_eq!(counted("12."), Some((Kind::Number(1), 12)));
        assert_eq!(counted("(3)"), Some((Kind::Number(1), 3)));
        assert_eq!(counted("2.10."), Some((Kind::Number(2), 10)));
        assert_eq!(counted("b)"), Some((Kind::Small, 2)));
        assert_eq!(counted("IV."), Some((Kind::Large, 4)));
        assert_eq!(counted("٣."), Some((Kind::Number(1), 3)));
        assert_eq!(counted("יב."), Some((Kind::Eastern, 12)));
        assert_eq!(counted("(ج)"), Some((Kind::Eastern, 3)));
        assert_eq!(counted("الف)"), Some((Kind::Eastern, 1)));
        assert_eq!(counted("אי)"), Some((Kind::Eastern, 11)));
        for word in [
            "1999.", "The", "(see", "3", "e.g.", "iiii.", "abc)", "", "A",
        ] {
            assert_eq!(parse(word), None, "{word}");
        }
    }

    #[test]
    fn labels_with_letters_are_not_bullets() {
        for (label, is_bullet) in [
            ("•", true),
            ("✻", true),
            ("", true),
            ("3.", false),
            ("[12]", false),
            ("Step 1:", false),
            ("1000.", false),
            ("A", false),
            ("--", false),
        ] {
            assert_eq!(of_label(label) == Marker::Bullet, is_bullet, "{label}");
            assert_eq!(of_label(label).is_ordered(), !is_bullet, "{label}");
        }
    }

    #[test]
    fn signs_after_numbers_are_drawn_before_them_in_right_to_left_text() {
        let read = [".12", "(a", ")3", "1.", ")4(", ".", ".ב"].map(from_right);
        assert_eq!(read, ["12.", "a)", "3)", "1.", "(4)", ".", "ב."]);
    }

    #[test]
    fn letters_continue_as_letters_or_as_roman_numerals() {
        let follows = |one, other| parse(other).unwrap().follows(parse(one).unwrap());
        assert!(follows("h)", "i)") && follows("i)", "ii)") && follows("9.", "10."));
        assert!(follows("ب.", "ج.") && follows("ب.", "ت.") && follows("ט)", "י)"));
        assert!(follows("الف)", "ب)") && follows("ب)", "پ)") && follows("پ)", "ت)"));
        assert!(follows("ج)", "چ)") && follows("ج)", "ح)") && !follows("ب)", "ث)"));
        assert!(!follows("9.", "11.") && !follows("a)", "2)"));
        assert!(!follows("ii)", "c)") && follows("iv)", "v)"));
    }
}
