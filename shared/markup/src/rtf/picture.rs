//! Pictures: hexadecimal digits or binary data.

/// A picture that is being read.
#[derive(Debug, Default)]
pub(super) struct Picture {
    /// Whether the format is supported (PNG or JPEG).
    is_supported: bool,
    bytes: Vec<u8>,
    /// The first hexadecimal digit of a byte.
    half: Option<u8>,
}

impl Picture {
    /// Handles a control word for the format.
    pub(super) fn word(&mut self, word: &str) {
        if matches!(word, "pngblip" | "jpegblip") {
            self.is_supported = true;
        }
    }

    /// Appends hexadecimal digits.
    pub(super) fn text(&mut self, text: &[u8]) {
        if !self.is_supported {
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

    /// Appends binary data.
    pub(super) fn binary(&mut self, bytes: &[u8]) {
        if self.is_supported {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Returns the bytes; `None` if the format is not supported.
    pub(super) fn finish(self) -> Option<Vec<u8>> {
        (!self.bytes.is_empty()).then_some(self.bytes)
    }
}
