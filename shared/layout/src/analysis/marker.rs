//! List markers: bullets, numbers and letters.

use crate::model::roman;

/// Characters that are bullets even without a gap before the text.
const BULLETS: &str = "•◦▪▫‣⁃●○■□◆◇▶►➢➤✓✔✗❖➔\u{2219}";
/// Characters that are bullets if a gap follows.
const DASHES: &str = "-–—*·o+»>";

/// A parsed marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// A bullet.
    Bullet,
    /// Numbered; `1.` is 1, `c)` is 3. The last value is that of letters read as a Roman numeral.
    Count(Kind, u32, Option<u32>),
    /// A label with a meaning, such as `Step 1:` or a defined term.
    Label,
}

/// The numbering of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// `1.`, with the number of components: `1.2.` has two.
    Number(usize),
    /// `a)`.
    Small,
    /// `A)`.
    Large,
}

/// Whether a word is a marker.
pub(super) fn is_marker(word: &str) -> bool {
    parse(word).is_some()
}

/// Returns a marker of right-to-left text in logical order: its punctuation is drawn before the number.
pub(super) fn from_right(word: &str) -> String {
    let mut characters = word.chars();
    let sign = match characters.next() {
        Some('.') => '.',
        Some('(' | ')') => ')',
        _ => return word.to_owned(),
    };
    let number = characters.as_str();
    let is_number = !number.is_empty()
        && number
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '.');
    match is_number {
        true => format!("{number}{sign}"),
        false => word.to_owned(),
    }
}

/// Whether a character is a bullet at the beginning of any text.
pub(super) fn is_plain_bullet(character: char) -> bool {
    BULLETS.contains(character) || ('\u{f000}'..='\u{f0ff}').contains(&character)
}

/// Parses a word as a marker; `None` if it is not one.
pub(super) fn parse(word: &str) -> Option<Marker> {
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
pub(super) fn clause(word: &str) -> Option<Marker> {
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
pub(super) fn of_label(text: &str) -> Marker {
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

impl Marker {
    /// Whether it is numbered or has a meaning, in contrast to bullets.
    pub(super) fn is_ordered(self) -> bool {
        !matches!(self, Self::Bullet)
    }

    /// Whether it is the successor of another marker.
    pub(super) fn follows(self, before: Self) -> bool {
        match (before, self) {
            (Self::Bullet, Self::Bullet) => true,
            (Self::Count(kind, value, numeral), Self::Count(own, next, other)) => {
                // Several letters can only be a Roman numeral.
                let is_numeral = numeral == Some(value) || other == Some(next);
                let counts = next == value + 1
                    && !is_numeral
                    && (numeral.is_none() || other.is_none() || next < 100);
                let numerals = numeral
                    .zip(other)
                    .is_some_and(|(value, next)| next == value + 1);
                kind == own && (counts || numerals)
            }
            _ => false,
        }
    }

    /// Whether numbering begins with it.
    pub(super) fn is_first(self) -> bool {
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
        let read = [".12", "(a", ")3", "1.", "(4)", "."].map(from_right);
        assert_eq!(read, ["12.", "a)", "3)", "1.", "(4)", "."]);
    }

    #[test]
    fn letters_continue_as_letters_or_as_roman_numerals() {
        let follows = |one, other| parse(other).unwrap().follows(parse(one).unwrap());
        assert!(follows("h)", "i)") && follows("i)", "ii)") && follows("9.", "10."));
        assert!(!follows("9.", "11.") && !follows("a)", "2)"));
        assert!(!follows("ii)", "c)") && follows("iv)", "v)"));
    }
}
