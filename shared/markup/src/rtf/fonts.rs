//! The font table with the encodings of fonts.

use std::collections::HashMap;

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
    WINDOWS_1257, WINDOWS_1258,
};

use crate::partial_style;

/// Fonts by number.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    all: HashMap<i32, Font>,
    open: Font,
}

/// A font.
#[derive(Clone, Debug, Default)]
pub(super) struct Font {
    number: i32,
    pub(super) name: String,
    /// Character encoding, if it differs from that of the document.
    pub(super) encoding: Option<&'static Encoding>,
    /// Whether it is a symbol font.
    pub(super) is_symbolic: bool,
}

impl Fonts {
    pub(super) fn get(&self, number: i32) -> Option<&Font> {
        self.all.get(&number)
    }

    /// Handles a control word of the font table.
    pub(super) fn word(&mut self, word: &str, number: i32) {
        match word {
            "f" => self.open.number = number,
            "fcharset" => {
                self.open.encoding = of_charset(number);
                self.open.is_symbolic = number == 2;
            }
            "cpg" => self.open.encoding = of_page(number),
            _ => {}
        }
    }

    /// Handles text of the font table; a semicolon ends a font.
    pub(super) fn text(&mut self, text: &str) {
        for piece in text.split_inclusive(';') {
            self.open.name.push_str(piece.trim_end_matches(';'));
            if piece.ends_with(';') {
                let mut font = std::mem::take(&mut self.open);
                font.name = partial_style::family(&font.name);
                self.all.insert(font.number, font);
            }
        }
    }
}

fn of_charset(number: i32) -> Option<&'static Encoding> {
    Some(match number {
        77 => MACINTOSH,
        128 => SHIFT_JIS,
        129 | 130 => EUC_KR,
        134 => GBK,
        136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        _ => return None,
    })
}

/// Returns the encoding of a Windows code page.
pub(super) fn of_page(number: i32) -> Option<&'static Encoding> {
    Some(match number {
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1252 => WINDOWS_1252,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10_000 => MACINTOSH,
        65_001 => UTF_8,
        _ => return None,
    })
}
