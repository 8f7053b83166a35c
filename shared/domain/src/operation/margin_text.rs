//! Header and footer lines of printed pages: plain text with placeholders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum length of a line in characters.
const MAX_LENGTH: usize = 200;

/// A header or footer line: plain text of 1 to 200 characters with the placeholders `{page}`, `{pages}`, `{title}`, `{date}`
/// and `{url}`. Other text is printed unchanged. Example: `Page {page} of {pages}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 200))]
pub struct MarginText(String);

/// A placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholder {
    /// The page number, from 1.
    Page,
    /// The number of pages.
    Pages,
    /// The title of the document.
    Title,
    /// The UTC date of the print, such as `2026-11-21`.
    Date,
    /// The URL of a web page; empty for an uploaded document.
    Url,
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginTextPart<'a> {
    /// Text, printed unchanged.
    Text(&'a str),
    /// A placeholder to be replaced.
    Placeholder(Placeholder),
}

impl MarginText {
    /// Splits the line into text and placeholders, in order.
    #[must_use]
    pub fn parts(&self) -> Vec<MarginTextPart<'_>> {
        let mut parts = Vec::new();
        let mut rest = self.0.as_str();
        while let Some((before, name, after)) = next_name(rest) {
            parts.push(MarginTextPart::Text(before));
            parts.extend(placeholder(name).map(MarginTextPart::Placeholder));
            rest = after;
        }
        parts.push(MarginTextPart::Text(rest));
        parts.retain(|part| *part != MarginTextPart::Text(""));
        parts
    }
}

impl TryFrom<String> for MarginText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.trim().is_empty() || text.chars().count() > MAX_LENGTH {
            return Err(format!("must have 1 to {MAX_LENGTH} characters"));
        }
        if text.chars().any(char::is_control) {
            return Err("must be one line without control characters".to_owned());
        }
        let mut rest = text.as_str();
        while let Some((_, name, after)) = next_name(rest) {
            if placeholder(name).is_none() {
                let supported = "`{page}`, `{pages}`, `{title}`, `{date}` and `{url}`";
                return Err(format!(
                    "has an unknown placeholder; supported: {supported}"
                ));
            }
            rest = after;
        }
        Ok(Self(text))
    }
}

impl From<MarginText> for String {
    fn from(text: MarginText) -> Self {
        text.0
    }
}

/// Returns the first name in braces, with the text before and after it.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let mut begin = 0;
    while let Some((_, after)) = text.get(begin..)?.split_once('{') {
        let open = text.len() - after.len() - 1;
        let name = after.split_once('}').filter(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphabetic())
        });
        if let Some((name, rest)) = name {
            return Some((text.get(..open)?, name, rest));
        }
        begin = open + 1;
    }
    None
}

fn placeholder(name: &str) -> Option<Placeholder> {
    Some(match name {
        "page" => Placeholder::Page,
        "pages" => Placeholder::Pages,
        "title" => Placeholder::Title,
        "date" => Placeholder::Date,
        "url" => Placeholder::Url,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<MarginText, String> {
        MarginText::try_from(text.to_owned())
    }

    #[test]
    fn placeholders_are_split_from_text() {
        use MarginTextPart::{Placeholder as P, Text};
        let parts = |text| {
            let line = line(text).unwrap();
            format!("{:?}", line.parts())
        };
        let expected = [
            P(Placeholder::Page),
            Text("/"),
            P(Placeholder::Pages),
            Text(" {1} {"),
            P(Placeholder::Title),
            Text("} <b>{ page }"),
        ];
        assert_eq!(
            parts("{page}/{pages} {1} {{title}} <b>{ page }"),
            format!("{expected:?}")
        );
        assert_eq!(parts("{}"), format!("{:?}", [Text("{}")]));
        assert_eq!(
            parts("{date}{url}é"),
            format!(
                "{:?}",
                [P(Placeholder::Date), P(Placeholder::Url), Text("é")]
            )
        );
    }

    #[test]
    fn invalid_lines_are_rejected() {
        for text in [
            "",
            "  ",
            "a\nb",
            "\u{0}",
            "{author}",
            "{page} {Page}",
            &"x".repeat(201),
        ] {
            assert!(line(text).is_err(), "{text}");
        }
        assert!(line(&"é".repeat(200)).is_ok());
    }
}
