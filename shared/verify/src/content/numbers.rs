//! Numbers in cells of workbooks: which formats display them, and their binary encoding.

/// A number format: which numbers it displays with digits [ECMA-376 part 1, 18.8.31].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NumberFormat {
    /// Sections for positive numbers, negative numbers and zero, or those with conditions and the one for other numbers.
    sections: [Option<Section>; 3],
    /// Whether the section for text is empty.
    pub(super) hides_text: bool,
}

#[derive(Clone, Copy, Debug)]
struct Section {
    condition: Option<Condition>,
    has_digits: bool,
    /// Whether zero has a digit: `#` and `?` display none.
    has_zero: bool,
}

#[derive(Clone, Copy, Debug)]
struct Condition {
    /// Whether numbers that are less, equal and greater meet it.
    orders: [bool; 3],
    limit: f64,
}

impl NumberFormat {
    /// Parses the sections of a format.
    pub(super) fn parse(code: &str) -> Self {
        let mut sections = split_sections(code).map(|section| {
            let bare = without_literals(section);
            Section {
                condition: Condition::parse(section),
                has_digits: bare.contains(DIGITS) || bare.contains(['#', '?']),
                has_zero: bare.contains(DIGITS),
            }
        });
        Self {
            sections: [(); 3].map(|()| sections.next()),
            hides_text: split_sections(code).nth(3).is_some_and(str::is_empty),
        }
    }

    /// Whether the format displays a number.
    pub(super) fn shows(self, number: f64) -> bool {
        let mut sections = self.sections.iter().flatten();
        let has_conditions = sections.clone().any(|section| section.condition.is_some());
        let section = match has_conditions {
            true => sections.find(|one| {
                one.condition
                    .is_none_or(|condition| condition.is_met(number))
            }),
            false => {
                let index = match number {
                    _ if number > 0.0 => 0,
                    _ if number < 0.0 => 1,
                    _ => 2,
                };
                sections.clone().nth(index).or(sections.next())
            }
        };
        section.is_none_or(|section| match number == 0.0 {
            true => section.has_zero,
            false => section.has_digits,
        })
    }
}

impl Condition {
    /// Parses the condition of a section, such as `[>=100]`.
    fn parse(section: &str) -> Option<Self> {
        const SIGNS: [(&str, [bool; 3]); 6] = [
            ("<=", [true, true, false]),
            (">=", [false, true, true]),
            ("<>", [true, false, true]),
            ("<", [true, false, false]),
            (">", [false, false, true]),
            ("=", [false, true, false]),
        ];
        let brackets = section.split('[').skip(1);
        let mut texts = brackets.filter_map(|text| Some(text.split_once(']')?.0));
        texts.find_map(|text| {
            let (sign, orders) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign))?;
            let limit = text.strip_prefix(sign)?.trim().parse().ok()?;
            Some(Self {
                orders: *orders,
                limit,
            })
        })
    }

    fn is_met(self, number: f64) -> bool {
        let [less, equal, greater] = self.orders;
        (less && number < self.limit)
            || (equal && number == self.limit)
            || (greater && number > self.limit)
    }
}

/// The sections of a format: semicolons in quotation marks and after a backslash separate none.
fn split_sections(code: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    code.split(move |character| {
        let is_literal = std::mem::take(&mut is_escaped);
        is_escaped = !is_literal && !is_quoted && character == '\\';
        is_quoted ^= character == '"' && !is_literal;
        character == ';' && !is_quoted && !is_literal
    })
}

/// The format in lower case without texts in quotation marks and brackets, characters that are literals or have the width of a
/// space, and names of days and months.
fn without_literals(code: &str) -> String {
    let (mut bare, mut end, mut is_literal) = (String::new(), None, false);
    for (at, character) in code.char_indices() {
        if std::mem::take(&mut is_literal) {
            continue;
        }
        match (end, character) {
            (Some(expected), character) if expected == character => end = None,
            (Some(_), _) => {}
            (None, '"') => end = Some('"'),
            (None, '\\' | '_' | '*') => is_literal = true,
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

/// What is always displayed with digits. The names of the general format have one of these letters.
const DIGITS: [char; 8] = ['0', 'y', 'm', 'd', 'h', 's', '@', 'e'];

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
        assert_eq!(shows("[>=0]0.00;[<0][RED]0.00;\"\""), [true; 3]);
        assert_eq!(
            shows("[=1]\"yes\";[<>-1]0;\"other;0\""),
            [false, false, true]
        );
        assert_eq!(shows("\"a;b\"0;;"), [true, false, false]);
        let hides_text = |code| NumberFormat::parse(code).hides_text;
        assert_eq!(
            [";;;", ";;;@", ";;", "0"].map(hides_text),
            [true, false, false, false]
        );
        assert_eq!(shows("[Red]0"), [true; 3]);
        assert_eq!(shows("mmmm"), [false; 3]);
        assert_eq!(shows("[h]"), [true; 3]);
        assert_eq!(shows("General"), [true; 3]);
        assert_eq!(shows("#"), [true, true, false]);
        let accounting = r#"_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-"#;
        assert_eq!(shows(accounting), [true, true, false]);
        assert_eq!(shows(r"0;\n\o\n\e;\;0"), [true, false, true]);
    }

    #[test]
    fn short_numbers_are_decoded() {
        assert_eq!([0x3ff0_0000, 0x1f, 0xffff_fffe].map(rk), [1.0, 0.07, -1.0]);
    }
}
