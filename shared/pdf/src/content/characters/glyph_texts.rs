//! The text of character codes that PDFium cannot map to Unicode, from the names of their glyphs.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use read_fonts::ps::agl;

use super::font_encodings::{self, FontEncoding};
use super::{font_programs, glyph_names};
use crate::content::Source;
use crate::content::fonts::without_prefix;
use crate::content::handles::{FontHandle, Glyph};
use crate::qpdf::QpdfDocument;

/// Name of the fonts whose glyphs have names of their own [Adobe Glyph List for New Fonts, ITC Zapf Dingbats].
const DINGBATS: &str = "Dingbats";

/// The fonts of a document whose codes were looked up.
#[derive(Default)]
pub(super) struct GlyphTexts {
    /// The document; no font has texts without it.
    file: Option<PathBuf>,
    /// The encodings by font name, once they are needed; empty if the document cannot be read.
    encodings: Option<HashMap<String, Vec<FontEncoding>>>,
    /// By font name and size of the font program.
    fonts: HashMap<(String, usize), Rc<CodeTexts>>,
}

/// The texts of the codes of one font.
#[derive(Default)]
pub(super) struct CodeTexts {
    texts: HashMap<u32, Option<String>>,
    /// Characters that the Adobe Glyph List maps to its private use area, which PDFium returns.
    private: HashMap<char, char>,
}

impl GlyphTexts {
    /// No fonts yet.
    pub(super) fn of(source: Source<'_>) -> Self {
        Self {
            file: Some(source.file.to_owned()),
            ..Self::default()
        }
    }

    /// Returns the texts of the codes of a font.
    pub(super) fn font(&mut self, font: FontHandle<'_>) -> Rc<CodeTexts> {
        let name = font.description().name;
        let key = (without_prefix(&name).to_owned(), font.program_size());
        if let Some(found) = self.fonts.get(&key) {
            return found.clone();
        }
        let encodings = self.encodings.get_or_insert_with(|| {
            let fonts = self.file.as_deref().and_then(|file| {
                let document = QpdfDocument::open(file).ok()?;
                document.fonts().ok()
            });
            fonts.map_or_else(HashMap::new, |fonts| font_encodings::by_font_name(&fonts))
        });
        let texts = encodings
            .get(&key.0)
            .map(|encodings| CodeTexts::of(encodings, &font.program(), key.0.contains(DINGBATS)));
        let texts = Rc::new(texts.unwrap_or_default());
        self.fonts.insert(key, texts.clone());
        texts
    }
}

impl CodeTexts {
    fn of(encodings: &[FontEncoding], program: &[u8], is_dingbats: bool) -> Self {
        let mut found = Self::default();
        for encoding in encodings {
            match encoding {
                FontEncoding::Simple {
                    differences,
                    is_own,
                } => {
                    let mut names = match is_own {
                        true => font_programs::names_by_code(program),
                        false => HashMap::new(),
                    };
                    names.extend(differences.clone());
                    for (code, name) in names {
                        found.add_name(code, &name, is_dingbats);
                    }
                }
                FontEncoding::GlyphIndexes => {
                    for (code, text) in font_programs::texts_by_glyph(program) {
                        found.add(code, text);
                    }
                }
            }
        }
        found
    }

    fn add_name(&mut self, code: u32, name: &str, is_dingbats: bool) {
        let dingbat = glyph_names::dingbat(name).filter(|_| is_dingbats);
        let text = dingbat.map(String::from);
        if let Some(text) = text.or_else(|| glyph_names::text(name)) {
            self.add(code, text);
        }
        if let Some(character) = agl::name_to_char(name) {
            let standard = glyph_names::standard(character);
            if standard != character {
                self.private.insert(character, standard);
            }
        }
    }

    /// Adds the text of a code. Fonts of the same name may differ: then the code has no text.
    fn add(&mut self, code: u32, text: String) {
        let known = self.texts.entry(code).or_insert_with(|| Some(text.clone()));
        if known.as_ref() != Some(&text) {
            *known = None;
        }
    }

    /// Returns the text of a glyph that PDFium has no text for, or only a character of the private use area.
    pub(super) fn of_glyph(&self, glyph: &Glyph<'_>) -> Option<String> {
        match glyph.is_known && glyph.code != 0 {
            true => self.standard(char::from_u32(glyph.code)?).map(String::from),
            false => self.text(glyph.code).map(str::to_owned),
        }
    }

    fn text(&self, code: u32) -> Option<&str> {
        self.texts.get(&code)?.as_deref()
    }

    fn standard(&self, character: char) -> Option<char> {
        self.private.get(&character).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(pairs: &[(u32, &str)]) -> FontEncoding {
        let pairs = pairs.iter();
        FontEncoding::Simple {
            differences: pairs
                .map(|(code, name)| (*code, (*name).to_owned()))
                .collect(),
            is_own: true,
        }
    }

    #[test]
    fn codes_have_the_text_of_their_glyph_names() {
        let names = [
            (80, "summationtext"),
            (0, "parenleftbig"),
            (52, "a20"),
            (9, "copyrightserif"),
        ];
        let found = CodeTexts::of(&[simple(&names)], &[], true);
        assert_eq!(found.text(80), Some("∑"));
        assert_eq!(found.text(0), Some("("));
        assert_eq!(found.text(52), Some("✔"));
        assert_eq!(found.text(53), None);
        assert_eq!(found.standard('\u{f6d9}'), Some('©'));
        assert_eq!(found.standard('\u{f8ff}'), None);
        assert_eq!(CodeTexts::of(&[simple(&names)], &[], false).text(52), None);
    }

    #[test]
    fn fonts_of_the_same_name_must_agree() {
        let encodings = [simple(&[(1, "a"), (2, "b")]), simple(&[(1, "c"), (3, "d")])];
        let found = CodeTexts::of(&encodings, &[], false);
        assert_eq!(
            [1, 2, 3].map(|code| found.text(code)),
            [None, Some("b"), Some("d")]
        );
    }
}
