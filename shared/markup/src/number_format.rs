//! Formats numbers and dates by spreadsheet number format codes, such as `#,##0.00;[Red]-0` or `d mmm yyyy`.

mod clock;
mod code;
pub(crate) mod conventions;
mod digits;

use std::sync::Arc;

use self::code::{Section, Token};
use self::conventions::{Conventions, LONG_DATE, LONG_TIME};

/// A parsed number format, cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumberFormat {
    sections: Arc<[Section]>,
    conventions: &'static Conventions,
}

impl NumberFormat {
    /// Parses a format code for a locale, unless the code names another one.
    pub(crate) fn parse(code: &str, conventions: &'static Conventions) -> Self {
        let starts = |start: &str| {
            let head = code.get(..start.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(start))
        };
        let long = match () {
            () if starts("[$-F800]") || starts("[$-x-sysdate]") => conventions.built_in(LONG_DATE),
            () if starts("[$-F400]") || starts("[$-x-systime]") => conventions.built_in(LONG_TIME),
            () => None,
        };
        Self {
            sections: code::sections(long.unwrap_or(code)).into(),
            conventions,
        }
    }

    /// Returns the built-in format with this number.
    pub(crate) fn built_in(number: u32, conventions: &'static Conventions) -> Self {
        let code = conventions.built_in(number);
        let code = code.unwrap_or_else(|| code::built_in(number));
        Self::parse(code, conventions)
    }

    /// Formats a number. `since_1904` selects the 1904 date system.
    pub(crate) fn show(&self, value: f64, since_1904: bool) -> String {
        if !value.is_finite() {
            return String::new();
        }
        let Some((section, value)) = self.section(value) else {
            return digits::general(value, self.conventions);
        };
        let conventions = section.conventions.unwrap_or(self.conventions);
        let shown = match section.is_date() {
            true => clock::show(&section.tokens, value, since_1904, conventions),
            false => digits::show(section, value, conventions),
        };
        shown
            .unwrap_or_else(|| digits::general(value, conventions))
            .trim()
            .to_owned()
    }

    /// Whether it shows dates or times.
    pub(crate) fn is_date(&self) -> bool {
        self.sections.iter().any(Section::is_date)
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
