//! The words of a document in the order of its text, with their places.

use imara_diff::{Interner, Token};
use pdfium_render::prelude::{PdfDocument, PdfPageTextChar};
use task::comparison::Area;
use task::{TaskError, TaskResult};
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script, UnicodeScript as _};

use super::view::View;
use crate::content::MAX_CHARACTERS;
use crate::pdfium;

/// Maximum number of words of a document.
const MAX_WORDS: usize = 4_000_000;

/// The words of a document.
#[derive(Default)]
pub(super) struct Words {
    pub(super) tokens: Vec<Token>,
    /// Of each word.
    pub(super) places: Vec<Place>,
}

/// Where a word is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Number of the page, from 1.
    pub(super) page: u32,
    pub(super) area: Area,
}

impl Words {
    /// Reads the words of all pages. Letters of scripts without spaces between words are words of their own.
    pub(super) fn of(
        document: &PdfDocument<'_>,
        interner: &mut Interner<String>,
    ) -> TaskResult<Self> {
        let mut words = Self::default();
        for page in 1..=pdfium::pages(document) {
            words.read_page(&View::of(document, page)?, page, interner)?;
            if words.tokens.len() > MAX_WORDS {
                return Err(TaskError::too_large("The document has too many words."));
            }
        }
        Ok(words)
    }

    fn read_page(
        &mut self,
        view: &View<'_>,
        page: u32,
        interner: &mut Interner<String>,
    ) -> TaskResult<()> {
        let text = view.page.text().map_err(pdfium::load_error)?;
        let mut word: Option<(String, Area)> = None;
        let mut end = |word: &mut Option<(String, Area)>| {
            if let Some((text, area)) = word.take() {
                self.tokens.push(interner.intern(text.nfkc().collect()));
                self.places.push(Place { page, area });
            }
        };
        let characters = text.chars();
        let most = usize::try_from(MAX_CHARACTERS).unwrap_or(usize::MAX);
        if characters.len() > most {
            return Err(TaskError::too_large("A page has too many characters."));
        }
        let mut characters = characters.iter().peekable();
        while let Some(character) = characters.next() {
            let code = character.unicode_value();
            let next = characters.peek().map(PdfPageTextChar::unicode_value);
            let pair = next.and_then(|next| pdfium::surrogate_pair(code, next));
            if pair.is_some() {
                characters.next();
            }
            let letter = pair.or_else(|| char::from_u32(code));
            let Some(letter) = letter.filter(|letter| is_shown(*letter)) else {
                end(&mut word);
                continue;
            };
            let bounds = character.loose_bounds().ok();
            let area = bounds.and_then(|bounds| view.area(&bounds));
            let area = area.or_else(|| Some(word.as_ref()?.1));
            let area = area.unwrap_or_default();
            if is_word(letter) {
                end(&mut word);
            }
            match &mut word {
                Some((text, whole)) => {
                    text.push(letter);
                    *whole = union(*whole, area);
                }
                None => word = Some((letter.to_string(), area)),
            }
            if is_word(letter) {
                end(&mut word);
            }
        }
        end(&mut word);
        Ok(())
    }
}

/// The smallest rectangle around both.
pub(super) fn union(one: Area, other: Area) -> Area {
    Area {
        left: one.left.min(other.left),
        top: one.top.min(other.top),
        right: one.right.max(other.right),
        bottom: one.bottom.max(other.bottom),
    }
}

fn is_shown(letter: char) -> bool {
    // PDFium returns U+FFFE for a hyphen at the end of a line.
    !letter.is_whitespace() && !letter.is_control() && letter != '\u{fffe}'
}

/// Whether a letter is of a script that separates no words, and is compared by itself.
pub(super) fn is_word(letter: char) -> bool {
    matches!(
        letter.script(),
        Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Thai
            | Script::Lao
            | Script::Khmer
    )
}
