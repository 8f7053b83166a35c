//! Standalone numbers in headers and footers: digits, and Roman numerals at the ends of texts.

use crate::model::roman;
use crate::writers::docx::page_numbering::PageNumbering;
use crate::writers::marker::Numerals;
use crate::writers::plain;
use crate::{Block, Content, Run};

/// A standalone number.
pub(super) struct Number {
    numerals: Numerals,
    pub(super) value: u32,
    /// Whether it closely follows the number before, as in `1 of 2`, without a tab between them.
    pub(super) is_near: bool,
}

impl Number {
    /// Returns the numbering in which it is the number of the page at this place.
    pub(super) fn numbering(&self, place: u32) -> Option<PageNumbering> {
        PageNumbering::of(self.numerals, self.value, place)
    }
}

/// Maximum bytes between the page number and the number of pages.
const NEAR: usize = 6;

/// Returns the numbers in blocks, in order.
pub(super) fn numbers(blocks: &[Block]) -> Vec<Number> {
    let mut numbers = Vec::new();
    for runs in blocks.iter().filter_map(runs_of) {
        let mut since = usize::MAX;
        for piece in runs.iter().flat_map(|run| text_parts(&run.text)) {
            match piece {
                TextPart::Number(_, numerals, value) => {
                    numbers.push(Number {
                        numerals,
                        value,
                        is_near: since <= NEAR,
                    });
                    since = 0;
                }
                TextPart::Text(text) if text.contains('\t') => since = usize::MAX,
                TextPart::Text(text) => since = since.saturating_add(text.len()),
            }
        }
    }
    numbers
}

/// Returns the text of blocks with a placeholder for each number.
pub(super) fn text_without_numbers(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match runs_of(block) {
            Some(runs) => text.extend(runs.iter().flat_map(|run| text_parts(&run.text)).map(
                |piece| match piece {
                    TextPart::Number(..) => "#",
                    TextPart::Text(text) => text,
                },
            )),
            None => text.push_str(&plain::of_block(block)),
        }
        text.push('\n');
    }
    text
}

pub(super) fn runs_of(block: &Block) -> Option<&Vec<Run>> {
    match &block.content {
        Content::Paragraph { runs, .. } | Content::Heading { runs, .. } => Some(runs),
        _ => None,
    }
}

/// A part of a text.
pub(super) enum TextPart<'a> {
    /// A standalone number with its value.
    Number(&'a str, Numerals, u32),
    /// Text between numbers.
    Text(&'a str),
}

/// Splits a text into numbers and the text between them.
pub(super) fn text_parts(text: &str) -> Vec<TextPart<'_>> {
    let (mut pieces, mut rest, mut before) = (Vec::new(), text, "");
    while let Some(first) = rest.chars().next() {
        let class = CharClass::of(first);
        let end = rest.find(|character| CharClass::of(character) != class);
        let (piece, behind) = rest
            .split_at_checked(end.unwrap_or(rest.len()))
            .unwrap_or((rest, ""));
        let is_alone = !before.ends_with(joins) && !behind.starts_with(joins);
        let number = match class {
            CharClass::Digit if is_alone => {
                // Numbers that overflow cannot be page numbers.
                let value = piece.parse().unwrap_or(u32::MAX);
                Some((Numerals::Decimal, value))
            }
            CharClass::Letter if is_alone => roman_number(before, piece, behind),
            _ => None,
        };
        pieces.push(match number {
            Some((numerals, value)) => TextPart::Number(piece, numerals, value),
            None => TextPart::Text(piece),
        });
        before = text.get(..text.len() - behind.len()).unwrap_or_default();
        rest = behind;
    }
    pieces
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Digit,
    Letter,
    Other,
}

impl CharClass {
    fn of(character: char) -> Self {
        match character {
            '0'..='9' => Self::Digit,
            _ if character.is_alphabetic() => Self::Letter,
            _ => Self::Other,
        }
    }
}

fn joins(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | ',')
}

/// Parses a word as a Roman page number between the text before and behind it. Lowercase numerals are at one end of the text,
/// as in `iv Preface`. Uppercase ones are the whole text, because titles end with them, too: `Part II`.
fn roman_number(before: &str, word: &str, behind: &str) -> Option<(Numerals, u32)> {
    let is_dash = |character: char| matches!(character, ' ' | '-' | '–' | '—' | '|' | '[' | ']');
    let (before, behind) = (
        before.trim_end_matches(is_dash),
        behind.trim_start_matches(is_dash),
    );
    let is_first = before.is_empty() || before.ends_with('\t');
    let is_last = behind.is_empty() || behind.starts_with('\t');
    let is_lower = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_upper = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let numerals = match () {
        () if is_lower && (is_first || is_last) => Numerals::LowerRoman,
        () if is_upper && is_first && is_last => Numerals::UpperRoman,
        () => return None,
    };
    let value = roman::value(&word.to_ascii_lowercase())?;
    Some((numerals, value))
}

#[cfg(test)]
mod tests {
    use super::{TextPart, text_parts};

    /// Returns a text with its numbers in brackets.
    fn bracketed(text: &str) -> String {
        let parts = text_parts(text).into_iter();
        parts
            .map(|part| match part {
                TextPart::Number(_, _, value) => format!("[{value}]"),
                TextPart::Text(text) => text.to_owned(),
            })
            .collect()
    }

    #[test]
    fn roman_numerals_at_the_ends_of_texts_are_numbers() {
        for (text, expected) in [
            ("iv", "[4]"),
            ("– XII –", "– [12] –"),
            ("x Preface", "[10] Preface"),
            ("Preface\tix", "Preface\t[9]"),
            ("Preface\tVI", "Preface\t[6]"),
            ("Page iv", "Page [4]"),
            ("Part II", "Part II"),
            ("1.5 in i of c", "1.5 in i of [100]"),
            ("see v. 12", "see v. [12]"),
            ("a mix", "a mix"),
        ] {
            assert_eq!(bracketed(text), expected);
        }
    }
}
