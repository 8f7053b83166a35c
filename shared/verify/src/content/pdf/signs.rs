//! Recognizes letters and digits that are codes of signs: TeX's symbol fonts have no Unicode map, or one that writers made of
//! their codes.

use std::path::Path;

use pdf::qpdf::QpdfDocument;
use pdfium_render::prelude::PdfPageTextChar;

/// Fonts whose small letters and digits are signs, and whose capitals are letters, by the beginnings of their names
/// [Computer Modern, Latin Modern, TX and PX fonts].
const SYMBOLS: [&str; 5] = ["cmsy", "cmbsy", "lmmathsymbols", "txsy", "pxsy"];
/// Fonts all of whose letters are signs, such as parts of brackets.
const OTHERS: [&str; 9] = [
    "cmex",
    "lmmathextension",
    "txex",
    "pxex",
    "msam",
    "txsya",
    "pxsya",
    "stmary",
    "wasy",
];

/// Whether a document has symbol fonts.
pub(super) struct Signs {
    are_used: bool,
}

impl Signs {
    /// Those of the document in this file; none if it cannot be read.
    pub(super) fn of(file: &Path) -> Self {
        let fonts = QpdfDocument::open(file).and_then(|document| document.fonts());
        let are_used = fonts.is_ok_and(|fonts| {
            fonts.objects.values().any(|object| {
                let name = object
                    .as_dict()
                    .and_then(|font| font.get(b"BaseFont")?.as_name());
                name.is_ok_and(|name| Kind::of(&String::from_utf8_lossy(name)).is_some())
            })
        });
        Self { are_used }
    }

    /// Those of a result of the engines, which have no such fonts.
    pub(super) fn none() -> Self {
        Self { are_used: false }
    }

    /// Whether a character is the code of a sign.
    pub(super) fn has(&self, character: &PdfPageTextChar<'_>) -> bool {
        let text = character.unicode_char();
        let Some(text) = text.filter(|text| self.are_used && text.is_ascii_alphanumeric()) else {
            return false;
        };
        Kind::of(&character.font_name()).is_some_and(|kind| kind.is_sign(text))
    }
}

/// Which codes of a font are signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    All,
    NotCapitals,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        let name = match name.split_once('+') {
            Some((tag, rest)) if tag.len() == 6 => rest,
            _ => name,
        };
        let name = name.to_ascii_lowercase();
        let is_any = |known: &[&str]| known.iter().any(|begin| name.starts_with(begin));
        match (is_any(&OTHERS), is_any(&SYMBOLS)) {
            (true, _) => Some(Self::All),
            (_, true) => Some(Self::NotCapitals),
            _ => None,
        }
    }

    fn is_sign(self, text: char) -> bool {
        self == Self::All || !text.is_ascii_uppercase()
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn codes_of_symbol_fonts_are_signs() {
        let is_sign = |name: &str, text| Kind::of(name).is_some_and(|kind| kind.is_sign(text));
        assert!(is_sign("ABCDEF+CMSY10", 'h') && is_sign("CMEX10", 'P'));
        assert!(
            !is_sign("ABCDEF+CMSY10", 'A'),
            "calligraphic letters are letters"
        );
        assert!(!is_sign("CMR10", 'h') && !is_sign("CMSS10", 'h'));
    }
}
