//! Pictures: bytes as they are, or two letters each.

/// A picture while it is read.
#[derive(Debug, Default)]
pub(super) struct Picture {
    /// It is in a format that others read too.
    is_known: bool,
    bytes: Vec<u8>,
    /// The first letter of a byte.
    half: Option<u8>,
}

impl Picture {
    /// Takes a word that says its format.
    pub(super) fn word(&mut self, word: &str) {
        if matches!(word, "pngblip" | "jpegblip") {
            self.is_known = true;
        }
    }

    /// Takes letters.
    pub(super) fn text(&mut self, text: &[u8]) {
        if !self.is_known {
            return;
        }
        for digit in text
            .iter()
            .filter_map(|letter| char::from(*letter).to_digit(16))
        {
            let digit = digit as u8;
            match self.half.take() {
                Some(high) => self.bytes.push(high << 4 | digit),
                None => self.half = Some(digit),
            }
        }
    }

    /// Takes bytes.
    pub(super) fn binary(&mut self, bytes: &[u8]) {
        if self.is_known {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// The bytes; `None` if only one office reads them.
    pub(super) fn finish(self) -> Option<Vec<u8>> {
        (!self.bytes.is_empty()).then_some(self.bytes)
    }
}
