//! Numbers in cells of binary workbooks.

/// A number format: which numbers it displays.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberFormat {
    positive: bool,
    negative: bool,
    zero: bool,
}

impl Default for NumberFormat {
    fn default() -> Self {
        Self {
            positive: true,
            negative: true,
            zero: true,
        }
    }
}

impl NumberFormat {
    /// Parses the sections of a format. Those with conditions display everything.
    pub(super) fn parse(code: &str) -> Self {
        let sections: Vec<&str> = code.split(';').collect();
        if sections.len() < 2 || code.contains(['"', '[', '\\']) {
            return Self::default();
        }
        let is_shown = |index: usize| {
            sections
                .get(index)
                .is_none_or(|text| !text.trim().is_empty())
        };
        Self {
            positive: is_shown(0),
            negative: is_shown(1),
            zero: is_shown(2),
        }
    }

    /// Whether the format displays a number.
    pub(super) fn shows(self, number: f64) -> bool {
        match number {
            _ if number > 0.0 => self.positive,
            _ if number < 0.0 => self.negative,
            _ => self.zero,
        }
    }
}

/// Decodes a number of 30 bits [MS-XLS, 2.5.217].
pub(super) fn rk(bits: u32) -> f64 {
    let number = match bits & 2 {
        0 => f64::from_bits(u64::from(bits & !3) << 32),
        _ => f64::from(bits.cast_signed() >> 2),
    };
    match bits & 1 {
        0 => number,
        _ => number / 100.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_sections_of_formats_show_nothing() {
        let shows = |code| [1.0, -1.0, 0.0].map(|number| NumberFormat::parse(code).shows(number));
        assert_eq!(shows("0.00"), [true; 3]);
        assert_eq!(shows(";;;"), [false; 3]);
        assert_eq!(shows("#,##0;-#,##0;;@"), [true, true, false]);
        assert_eq!(shows("0;"), [true, false, true]);
    }

    #[test]
    fn short_numbers_are_decoded() {
        assert_eq!([0x3ff0_0000, 0x1f, 0xffff_fffe].map(rk), [1.0, 0.07, -1.0]);
    }
}
