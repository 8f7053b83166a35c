//! Decodes text by the character set of its font or of the document.

use std::collections::HashMap;

use encoding_rs::{Encoding, MACINTOSH};

use super::destination::Destination;
use super::group::Group;
use crate::content::item::Unreadable;

/// Encodings of a document.
pub(super) struct Encodings {
    /// That of the document; `None` if this reader cannot decode it.
    document: Option<&'static Encoding>,
    fonts: HashMap<i32, FontEncoding>,
    default_font: Option<i32>,
    /// The font that is described.
    font: Option<i32>,
}

#[derive(Clone, Copy)]
enum FontEncoding {
    Document,
    /// `None` if this reader cannot decode it.
    Known(Option<&'static Encoding>),
    /// Symbols, which are no letters.
    Symbols,
}

impl Default for Encodings {
    fn default() -> Self {
        Self {
            document: code_page(Some(1252)),
            fonts: HashMap::new(),
            default_font: None,
            font: None,
        }
    }
}

impl Encodings {
    /// Applies a control word that sets an encoding.
    pub(super) fn control(&mut self, word: &str, value: Option<i32>, group: &Group) {
        match word {
            "ansicpg" => self.document = code_page(value),
            "mac" => self.document = Some(MACINTOSH),
            "pc" => self.document = code_page(Some(437)),
            "pca" => self.document = code_page(Some(850)),
            "deff" => self.default_font = value,
            _ if group.destination != Destination::FontTable => {}
            "f" => self.font = value,
            "fcharset" => self.describe(character_set(value.unwrap_or(1))),
            "cpg" => self.describe(FontEncoding::Known(code_page(value))),
            _ => {}
        }
    }

    fn describe(&mut self, encoding: FontEncoding) {
        self.fonts.extend(self.font.map(|font| (font, encoding)));
    }

    /// Decodes bytes; `None` if they are symbols.
    ///
    /// # Errors
    /// The encoding is not supported.
    pub(super) fn decode(
        &self,
        bytes: &[u8],
        font: Option<i32>,
    ) -> Result<Option<String>, Unreadable> {
        let font = font
            .or(self.default_font)
            .and_then(|font| self.fonts.get(&font));
        let encoding = match font {
            Some(FontEncoding::Symbols) => return Ok(None),
            Some(FontEncoding::Known(encoding)) => *encoding,
            Some(FontEncoding::Document) | None => self.document,
        };
        match encoding {
            Some(encoding) => {
                let (text, _) = encoding.decode_without_bom_handling(bytes);
                Ok(Some(text.into_owned()))
            }
            None if bytes.is_ascii() => Ok(Some(bytes.iter().copied().map(char::from).collect())),
            None => Err(Unreadable),
        }
    }
}

fn code_page(number: Option<i32>) -> Option<&'static Encoding> {
    codepage::to_encoding_no_replacement(number?.try_into().ok()?)
}

/// The encoding of a character set of Windows.
fn character_set(number: i32) -> FontEncoding {
    let code_page_number = match number {
        0 => 1252,
        2 => return FontEncoding::Symbols,
        77 => 10_000,
        128 => 932,
        129 => 949,
        130 => 1361,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178..=181 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        255 => 850,
        _ => return FontEncoding::Document,
    };
    FontEncoding::Known(code_page(Some(code_page_number)))
}
