//! Spaces between recognized words: Tesseract returns single characters of Korean, Thai and some other scripts as words, and
//! only the text of their line shows where spaces are.

use super::ocr_page::Word;

/// The text of a line, read along with its words.
#[derive(Default)]
pub(super) struct Spacing {
    text: String,
    /// Bytes of the text up to the end of the last word.
    read: usize,
}

impl Spacing {
    /// Creates it from the text of a line.
    pub(super) fn of(text: String) -> Self {
        Self { text, read: 0 }
    }

    /// Returns whether `next` is a part of the same word as `last`, the one before it, if any. Must be called for every word
    /// of the line.
    pub(super) fn joins(&mut self, last: Option<&Word>, next: &Word) -> bool {
        let rest = self.text.get(self.read..).unwrap_or_default();
        let Some(at) = rest.find(&next.text) else {
            return false;
        };
        self.read += at + next.text.len();
        at == 0
            && last.is_some_and(|last| {
                last.text.ends_with(is_split) || next.text.starts_with(is_split)
            })
    }
}

/// Returns whether a character is of a script whose words Tesseract splits: Thai, Lao, Tibetan, Burmese, Khmer or Korean.
fn is_split(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::Rectangle;
    use super::*;

    #[test]
    fn characters_without_a_space_between_them_are_one_word() {
        let mut spacing = Spacing::of("세계 인권 선언, 2024년 คน a b".to_owned());
        let mut words: Vec<Word> = Vec::new();
        let parts = [
            "세", "계", "인", "권", "선", "언", ",", "2024", "년", "ค", "น", "a", "b",
        ];
        for text in parts {
            let word = Word::new(text, Rectangle::default(), Some(90.0)).unwrap();
            match spacing.joins(words.last(), &word).then(|| words.last_mut()) {
                Some(Some(last)) => last.append(&word),
                _ => words.push(word),
            }
        }
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["세계", "인권", "선언,", "2024년", "คน", "a", "b"]);
    }
}
