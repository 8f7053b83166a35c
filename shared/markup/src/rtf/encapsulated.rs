//! Reads HTML or plain text that is encapsulated in RTF [MS-OXRTFEX]: mail programs store bodies so.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::fonts::{self, Fonts};
use super::lexer::{Token, tokens};
use super::words;

/// Maximum nesting depth of groups; deeper ones are read as part of their parent.
const DEPTH: usize = 1_000;

/// What RTF has the content of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Encapsulated {
    /// HTML.
    Html(String),
    /// Plain text, or the text of RTF that was written as such.
    Text(String),
}

/// Returns the encapsulated content.
pub(crate) fn encapsulated(bytes: &[u8]) -> Encapsulated {
    let mut reader = Reader {
        groups: Vec::new(),
        group: Group::default(),
        encoding: WINDOWS_1252,
        fonts: Fonts::default(),
        is_html: false,
        bytes: Vec::new(),
        units: Vec::new(),
        text: String::new(),
    };
    for token in tokens(bytes) {
        reader.take(token);
    }
    reader.flush();
    match reader.is_html {
        true => Encapsulated::Html(reader.text),
        false => Encapsulated::Text(reader.text),
    }
}

/// The state that a group restores at its end.
#[derive(Clone, Copy, Debug)]
struct Group {
    kind: GroupKind,
    /// Whether text is only for readers of RTF (`\htmlrtf`).
    is_rtf_only: bool,
    /// Whether the next word is the name of a destination that may be ignored (`\*`).
    is_ignorable: bool,
    font: Option<i32>,
    /// Number of bytes that replace a Unicode character (`\uc`).
    replacements: usize,
    /// Number of them that are still to come.
    skipped: usize,
}

impl Default for Group {
    fn default() -> Self {
        Self {
            kind: GroupKind::Text,
            is_rtf_only: false,
            is_ignorable: false,
            font: None,
            replacements: 1,
            skipped: 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupKind {
    /// The body.
    Text,
    /// A fragment of HTML (`\htmltag`).
    Markup,
    Fonts,
    /// A destination without text of the body.
    Ignored,
}

struct Reader {
    groups: Vec<Group>,
    group: Group,
    encoding: &'static Encoding,
    fonts: Fonts,
    is_html: bool,
    /// Text that is not decoded yet: either bytes or UTF-16.
    bytes: Vec<u8>,
    units: Vec<u16>,
    text: String,
}

impl Reader {
    fn take(&mut self, token: Token<'_>) {
        match token {
            Token::Open => {
                self.flush();
                if self.groups.len() < DEPTH {
                    self.groups.push(self.group);
                }
            }
            Token::Close => {
                self.flush();
                self.group = self.groups.pop().unwrap_or_default();
            }
            Token::Word(word, number) => self.word(word, number),
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Byte(byte) => self.byte(byte),
            Token::Text(text) => text.iter().for_each(|byte| self.byte(*byte)),
            Token::Binary(_) => {}
        }
    }

    fn byte(&mut self, byte: u8) {
        self.group.is_ignorable = false;
        match self.group.skipped {
            0 => {
                self.flush_units();
                self.bytes.push(byte);
            }
            _ => self.group.skipped -= 1,
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        if word == "u" {
            self.flush_bytes();
            let unit = number.and_then(|number| u16::try_from(number & 0xffff).ok());
            self.units.extend(unit);
            self.group.skipped = self.group.replacements;
            return;
        }
        self.flush();
        self.group.skipped = 0;
        let is_ignorable = std::mem::take(&mut self.group.is_ignorable);
        match word {
            "htmltag" => self.group.kind = GroupKind::Markup,
            "fromhtml" => self.is_html = number != Some(0),
            "htmlrtf" => self.group.is_rtf_only = number != Some(0),
            "ansicpg" => {
                let encoding = fonts::of_page(number.unwrap_or(1252));
                self.encoding = encoding.unwrap_or(WINDOWS_1252);
            }
            "uc" => {
                let count = number.and_then(|number| usize::try_from(number).ok());
                self.group.replacements = count.unwrap_or(1).min(8);
            }
            "fonttbl" => self.group.kind = GroupKind::Fonts,
            "colortbl" | "stylesheet" | "info" | "pntext" | "listtext" | "pict" | "fldinst"
            | "header" | "footer" | "object" => self.group.kind = GroupKind::Ignored,
            _ if self.group.kind == GroupKind::Fonts => {
                self.fonts.word(word, number.unwrap_or(0));
            }
            "f" => self.group.font = number,
            "plain" => self.group.font = None,
            "par" | "line" | "sect" | "page" => self.add("\r\n"),
            _ if is_ignorable => self.group.kind = GroupKind::Ignored,
            _ => self.add(words::character(word).unwrap_or_default()),
        }
    }

    fn symbol(&mut self, symbol: u8) {
        if symbol == b'*' {
            self.group.is_ignorable = true;
            return;
        }
        if matches!(symbol, b'\\' | b'{' | b'}') {
            self.byte(symbol);
            return;
        }
        self.flush();
        match symbol {
            b'~' => self.add("\u{a0}"),
            b'_' => self.add("\u{2011}"),
            b'-' => self.add("\u{ad}"),
            b'\r' | b'\n' => self.add("\r\n"),
            _ => {}
        }
    }

    fn flush(&mut self) {
        self.flush_units();
        self.flush_bytes();
    }

    fn flush_units(&mut self) {
        if !self.units.is_empty() {
            let units = std::mem::take(&mut self.units);
            self.add(&String::from_utf16_lossy(&units));
        }
    }

    fn flush_bytes(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let font = self.group.font.and_then(|font| self.fonts.get(font));
        // HTML is in the encoding of the document.
        let font = font.filter(|_| self.group.kind != GroupKind::Markup);
        let encoding = font.and_then(|font| font.encoding).unwrap_or(self.encoding);
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        self.add(&text);
    }

    fn add(&mut self, text: &str) {
        match self.group.kind {
            GroupKind::Fonts => self.fonts.text(text),
            GroupKind::Text if self.group.is_rtf_only => {}
            GroupKind::Text | GroupKind::Markup => self.text.push_str(text),
            GroupKind::Ignored => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Encapsulated, encapsulated};

    fn html(body: &str) -> String {
        let rtf = format!(
            "{{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 \\deff0{{\\fonttbl{{\\f0\\fswiss Arial;}}{{\\f1\\fcharset161 A;}}}}{{\\colortbl;\\red0;}}\\uc1 {body}}}"
        );
        match encapsulated(rtf.as_bytes()) {
            Encapsulated::Html(html) => html,
            Encapsulated::Text(text) => panic!("{text}"),
        }
    }

    #[test]
    fn tags_and_text_are_joined_without_formatting_of_rtf() {
        let body = "{\\*\\htmltag64 <p style=\"a\\{b\\}\">}\\htmlrtf {\\b \\htmlrtf0 bold {\\*\\htmltag84 &lt;}\\htmlrtf <\\htmlrtf0 {\\*\\mhtmltag1 <x>}\\par}\\htmlrtf0 {\\*\\htmltag72 </p>\\par }";
        assert_eq!(html(body), "<p style=\"a{b}\">bold &lt;\r\n</p>\r\n");
    }

    #[test]
    fn text_is_decoded_by_its_font_or_its_code() {
        assert_eq!(
            html("\\'e0{\\f1 \\'e1}\\u1073?\\u-10179?\\u-8704?"),
            "аαб😀"
        );
    }

    #[test]
    fn plain_text_is_found() {
        let found = encapsulated(b"{\\rtf1\\ansi\\fromtext \\fbidis {\\info x}one\\par\r\n two\\tab {\\*\\generator g;}three}");
        assert_eq!(found, Encapsulated::Text("one\r\n two\tthree".to_owned()));
    }
}
