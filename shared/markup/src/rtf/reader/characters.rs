//! Characters: encoded bytes, Unicode and symbols.

use super::super::state::Purpose;
use super::Reader;
use crate::symbols;
use crate::warning::Loss;

impl Reader {
    pub(super) fn symbol(&mut self, symbol: u8) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        if !matches!(symbol, b'\\' | b'{' | b'}') {
            self.flush();
        }
        match symbol {
            b'~' => self.push("\u{a0}"),
            b'_' => self.push("\u{2011}"),
            b'\\' | b'{' | b'}' => self.pending.push(symbol),
            // A backslash before a line break is a line break here; some writers mean a paragraph.
            b'\n' | b'\r' if self.state.purpose == Purpose::Body => self.push("\n"),
            _ => {}
        }
    }

    pub(super) fn byte(&mut self, byte: u8) {
        match self.skip {
            0 => self.pending.push(byte),
            _ => self.skip -= 1,
        }
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        let skipped = self.skip.min(text.len());
        self.skip -= skipped;
        let text = text.get(skipped..).unwrap_or_default();
        match self.state.purpose {
            Purpose::Nothing => {}
            Purpose::Picture => self.picture.text(text),
            _ => self.pending.extend_from_slice(text),
        }
    }

    pub(super) fn unicode(&mut self, number: i32) {
        self.flush();
        self.skip = self.state.fallback_length;
        let unit = (number & 0xffff) as u16;
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
            return;
        }
        let units = self.high.take().into_iter().chain([unit]);
        let text: String = char::decode_utf16(units)
            .map(|unit| unit.unwrap_or('\u{fffd}'))
            .collect();
        self.push(&text);
    }

    /// Decodes the pending bytes.
    pub(super) fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        let font = self.fonts.get(self.state.font);
        let encoding = font.and_then(|font| font.encoding).unwrap_or(self.encoding);
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        self.push(&text);
    }

    pub(super) fn push(&mut self, text: &str) {
        match self.state.purpose {
            Purpose::Nothing | Purpose::Picture => {}
            Purpose::Fonts => self.fonts.text(text),
            Purpose::Colors => {
                for _ in text.matches(';') {
                    let color = self.color.take();
                    self.colors.push(color);
                }
            }
            Purpose::Styles => {
                let (name, ends) = (text.trim_end_matches(';'), text.ends_with(';'));
                self.style.2.push_str(name);
                if ends {
                    self.end_style();
                }
            }
            Purpose::Body => self.push_body_text(text),
            Purpose::Title | Purpose::Marker | Purpose::Instruction | Purpose::Bookmark => {
                let shown = self.shown(text);
                self.destination_text.push_str(&shown);
            }
        }
    }

    pub(super) fn push_body_text(&mut self, text: &str) {
        if self.groups.is_empty() || self.state.deleted {
            return;
        }
        if self.state.text_style.hidden == Some(true) {
            self.losses.add(Loss::Hidden);
            return;
        }
        let text = self.state.text_style.shown(&self.shown(text));
        let style = self.state.text_style.style();
        let link = self.link().map(|(link, linked)| {
            linked.text(&text);
            link.clone()
        });
        self.story().line.push(&text, &style, link.as_deref());
    }

    /// Maps characters of symbol fonts.
    pub(super) fn shown(&self, text: &str) -> String {
        let font = self.fonts.get(self.state.font);
        let name = font.map(|font| font.name.as_str()).unwrap_or_default();
        let symbolic = font.is_some_and(|font| font.is_symbolic);
        let name = if symbolic && !name.to_ascii_lowercase().contains("dings") {
            "Symbol"
        } else {
            name
        };
        text.chars()
            .map(|character| symbols::shown(character, name))
            .collect()
    }
}
