//! Formats numbers and dates by spreadsheet number format codes, such as `#,##0.00;[Red]-0` or `d mmm yyyy`.

mod clock;
mod code;
mod digits;

use std::sync::Arc;

use self::code::{Section, Token};

/// A parsed number format, cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumberFormat {
    sections: Arc<[Section]>,
}

impl NumberFormat {
    /// Parses a format code.
    pub(crate) fn parse(code: &str) -> Self {
        Self {
            sections: code::sections(code).into(),
        }
    }

    /// Returns the built-in format with this number.
    pub(crate) fn built_in(number: u32) -> Self {
        Self::parse(code::built_in(number))
    }

    /// Formats a number. `since_1904` selects the 1904 date system.
    pub(crate) fn show(&self, value: f64, since_1904: bool) -> String {
        if !value.is_finite() {
            return String::new();
        }
        let Some((section, value)) = self.section(value) else {
            return digits::general(value);
        };
        let shown = match section.is_date() {
            true => clock::show(&section.tokens, value, since_1904),
            false => digits::show(section, value),
        };
        shown
            .unwrap_or_else(|| digits::general(value))
            .trim()
            .to_owned()
    }

    /// Formats text.
    pub(crate) fn show_text(&self, text: &str) -> String {
        let section = self
            .sections
            .get(3)
            .or_else(|| self.sections.iter().find(|section| section.is_text()));
        let Some(section) = section.filter(|section| section.is_text()) else {
            return text.to_owned();
        };
        let tokens = section.tokens.iter().map(|token| match token {
            Token::Text => text,
            Token::Literal(literal) => literal,
            _ => "",
        });
        tokens.collect()
    }

    /// Returns the section that applies to a value, and the value, without its sign if the section implies it.
    fn section(&self, value: f64) -> Option<(&Section, f64)> {
        let numeric: Vec<&Section> = self
            .sections
            .iter()
            .take(3)
            .filter(|section| !section.is_text())
            .collect();
        if numeric.iter().any(|section| section.condition.is_some()) {
            let met = numeric.iter().find(|section| {
                section
                    .condition
                    .is_none_or(|condition| condition.holds(value))
            });
            return met.map(|section| (*section, value));
        }
        match numeric.as_slice() {
            [] => None,
            [only] => Some((only, value)),
            [_, negative, ..] if value < 0.0 => Some((negative, -value)),
            [_, _, zero] if value == 0.0 => Some((zero, value)),
            [positive, ..] => Some((positive, value)),
        }
    }
}

#[cfg(test)]
mod tests;
