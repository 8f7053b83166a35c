//! What is written above or below each page of a print: a line of plain text with placeholders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most characters of a line.
const LONGEST: usize = 200;

/// A line for the margin of each page: plain text, in which `{page}`, `{pages}`, `{title}`, `{date}` and `{url}` stand for
/// what they say. Whatever else it holds is printed as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 200))]
pub struct MarginText(String);

/// What a placeholder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholder {
    /// The number of the page, from 1.
    Page,
    /// How many pages there are.
    Pages,
    /// The document's title.
    Title,
    /// The UTC day of the print, such as `2026-11-21`.
    Date,
    /// Where a page from the web is; nothing for an uploaded document.
    Url,
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginPiece<'a> {
    /// Text that is printed as it is.
    Text(&'a str),
    /// What something else takes the place of.
    Placeholder(Placeholder),
}

impl MarginText {
    /// The line in pieces, in order.
    #[must_use]
    pub fn pieces(&self) -> Vec<MarginPiece<'_>> {
        let mut pieces = Vec::new();
        let mut rest = self.0.as_str();
        while let Some((before, name, after)) = next_name(rest) {
            pieces.push(MarginPiece::Text(before));
            pieces.extend(placeholder(name).map(MarginPiece::Placeholder));
            rest = after;
        }
        pieces.push(MarginPiece::Text(rest));
        pieces.retain(|piece| *piece != MarginPiece::Text(""));
        pieces
    }
}

impl TryFrom<String> for MarginText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.trim().is_empty() || text.chars().count() > LONGEST {
            return Err(format!("must have 1 to {LONGEST} characters"));
        }
        if text.chars().any(char::is_control) {
            return Err("must be one line without control characters".to_owned());
        }
        let mut rest = text.as_str();
        while let Some((_, name, after)) = next_name(rest) {
            if placeholder(name).is_none() {
                let known = "`{page}`, `{pages}`, `{title}`, `{date}` and `{url}`";
                return Err(format!("knows no other placeholders than {known}"));
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

/// The first letters in braces, with what stands before and after them.
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
    fn placeholders_are_found_and_everything_else_is_text() {
        use MarginPiece::{Placeholder as P, Text};
        let pieces = |text| {
            let line = line(text).unwrap();
            format!("{:?}", line.pieces())
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
            pieces("{page}/{pages} {1} {{title}} <b>{ page }"),
            format!("{expected:?}")
        );
        assert_eq!(pieces("{}"), format!("{:?}", [Text("{}")]));
        assert_eq!(
            pieces("{date}{url}é"),
            format!(
                "{:?}",
                [P(Placeholder::Date), P(Placeholder::Url), Text("é")]
            )
        );
    }

    #[test]
    fn what_cannot_be_one_line_is_refused() {
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
