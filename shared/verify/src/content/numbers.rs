//! Numbers in cells of workbooks: which formats display them, and their binary encoding.

/// A number format: which numbers it displays with digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberFormat {
    positive: bool,
    negative: bool,
    zero: bool,
}

impl Default for NumberFormat {
    fn default() -> Self {
        Self::all(true)
    }
}

impl NumberFormat {
    fn all(is_shown: bool) -> Self {
        Self {
            positive: is_shown,
            negative: is_shown,
            zero: is_shown,
        }
    }

    /// Parses the sections of a format. Which one of those with conditions applies is not known.
    pub(super) fn parse(code: &str) -> Self {
        let bare = without_literals(code);
        let sections: Vec<bool> = bare.split(';').map(has_digits).collect();
        if ["[<", "[>", "[="].iter().any(|sign| code.contains(sign)) {
            return Self::all(!sections.contains(&false));
        }
        let section = |index| sections.get(index).or(sections.first()).copied();
        let is_shown = |index| section(index).unwrap_or(true);
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

/// The format in lower case without texts in quotation marks and brackets, and without names of days and months.
fn without_literals(code: &str) -> String {
    let (mut bare, mut end) = (String::new(), None);
    for (at, character) in code.char_indices() {
        match (end, character) {
            (Some(expected), character) if expected == character => end = None,
            (Some(_), _) => {}
            (None, '"') => end = Some('"'),
            (None, '[') if !is_duration(code, at) => end = Some(']'),
            (None, character) => bare.push(character.to_ascii_lowercase()),
        }
    }
    let names = ["dddd", "ddd", "mmmmm", "mmmm", "mmm"];
    names.iter().fold(bare, |bare, name| bare.replace(name, ""))
}

/// Whether the bracket at this position begins a duration, as in `[h]:mm`.
fn is_duration(code: &str, at: usize) -> bool {
    let inside = code.get(at + 1..).and_then(|rest| rest.split_once(']'));
    inside.is_some_and(|(letters, _)| {
        letters
            .trim_matches(['h', 'm', 's', 'H', 'M', 'S'])
            .is_empty()
    })
}

/// Whether a section has a place for digits. The names of the general format have one of these letters.
fn has_digits(section: &str) -> bool {
    section.contains(['0', '#', '?', 'y', 'm', 'd', 'h', 's', '@', 'e'])
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
        assert_eq!(shows("\"none\""), [false; 3]);
        assert_eq!(shows("0;-0;\"-\""), [true, true, false]);
        assert_eq!(shows("[>5]0;\"few\""), [false; 3]);
        assert_eq!(shows("[Red]0"), [true; 3]);
        assert_eq!(shows("mmmm"), [false; 3]);
        assert_eq!(shows("[h]"), [true; 3]);
        assert_eq!(shows("General"), [true; 3]);
    }

    #[test]
    fn short_numbers_are_decoded() {
        assert_eq!([0x3ff0_0000, 0x1f, 0xffff_fffe].map(rk), [1.0, 0.07, -1.0]);
    }
}
