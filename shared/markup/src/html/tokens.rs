//! The tokens of a page.

use quick_xml::escape::resolve_html5_entity;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// An element begins: its name in lower case, its attributes, and whether it says that it is empty.
    Start(String, Vec<(String, String)>, bool),
    End(String),
    Text(String),
}

/// Elements that hold nothing but text, and whether references stand for characters in it.
const RAW: [(&str, bool); 9] = [
    ("script", false),
    ("style", false),
    ("xmp", false),
    ("iframe", false),
    ("noembed", false),
    ("noframes", false),
    ("textarea", true),
    ("title", true),
    ("plaintext", false),
];

/// Most attributes of an element; no page has as many.
const ATTRIBUTES: usize = 256;

/// Goes through a page.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// The raw element that is open.
    raw: Option<(&'static str, bool)>,
    /// No element of this name ends any more, so nobody has to look for it again.
    endless: Vec<&'static str>,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            rest: text,
            raw: None,
            endless: Vec::new(),
        }
    }

    fn raw(&mut self, name: &'static str, refers: bool) -> Token {
        let end = match self.endless.contains(&name) {
            true => None,
            false => end_tag(self.rest, name),
        };
        if end.is_none() {
            self.endless.push(name);
        }
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        Token::Text(if refers {
            resolved(text, false)
        } else {
            text.to_owned()
        })
    }

    /// A token that begins with `<`; `None` if it is but text or a comment.
    fn tag(&mut self, behind: &'a str) -> Option<Token> {
        match behind.chars().next() {
            Some('!') => {
                self.rest = after_declaration(behind);
                None
            }
            Some('?') => {
                self.rest = after(behind, ">");
                None
            }
            Some('/') => {
                let behind = behind.strip_prefix('/').unwrap_or(behind);
                if !behind.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    self.rest = after(behind, ">");
                    return None;
                }
                let (name, rest) = name(behind);
                self.rest = after(rest, ">");
                Some(Token::End(name))
            }
            Some(first) if first.is_ascii_alphabetic() => Some(self.start(behind)),
            _ => {
                self.rest = behind;
                Some(Token::Text("<".to_owned()))
            }
        }
    }

    fn start(&mut self, behind: &'a str) -> Token {
        let (name, mut rest) = name(behind);
        let (mut attributes, mut empty) = (Vec::new(), false);
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
            let Some(first) = rest.chars().next() else {
                break;
            };
            match first {
                '>' => {
                    rest = rest.get(1..).unwrap_or_default();
                    break;
                }
                '/' => {
                    rest = rest.get(1..).unwrap_or_default();
                    empty = rest.starts_with('>');
                }
                _ => {
                    let (attribute, behind) = attribute(rest);
                    if attributes.len() < ATTRIBUTES {
                        attributes.push(attribute);
                    }
                    rest = behind;
                }
            }
        }
        self.rest = rest;
        self.raw = RAW.iter().find(|(raw, _)| *raw == name && !empty).copied();
        Token::Start(name, attributes, empty)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            if let Some((name, refers)) = self.raw.take() {
                return Some(self.raw(name, refers));
            }
            if self.rest.is_empty() {
                return None;
            }
            let rest = self.rest;
            if let Some(behind) = rest.strip_prefix('<') {
                match self.tag(behind) {
                    Some(token) => return Some(token),
                    None => continue,
                }
            }
            let (text, rest) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            self.rest = rest;
            return Some(Token::Text(resolved(text, false)));
        }
    }
}

/// A name in lower case, and what is behind it.
fn name(text: &str) -> (String, &str) {
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    (name.to_ascii_lowercase(), rest)
}

fn attribute(text: &str) -> ((String, String), &str) {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let behind = text.get(first..).unwrap_or_default();
    let end = behind.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/'));
    let (name, rest) = text.split_at(first + end.unwrap_or(behind.len()));
    let name = name.to_ascii_lowercase();
    let blank = |c: char| c.is_ascii_whitespace();
    let Some(value) = rest.trim_start_matches(blank).strip_prefix('=') else {
        return ((name, String::new()), rest);
    };
    let value = value.trim_start_matches(blank);
    let (value, rest) = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inside = value.get(1..).unwrap_or_default();
            inside.split_once(quote).unwrap_or((inside, ""))
        }
        _ => value.split_at(
            value
                .find(|c: char| blank(c) || c == '>')
                .unwrap_or(value.len()),
        ),
    };
    ((name, resolved(value, true)), rest)
}

/// What is behind a comment, a document type or a section of characters.
fn after_declaration(text: &str) -> &str {
    match text.strip_prefix("!--") {
        Some(comment) if comment.starts_with('>') => comment.get(1..).unwrap_or_default(),
        Some(comment) => after(comment, "-->"),
        None => after(text, ">"),
    }
}

fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).map_or("", |(_, behind)| behind)
}

/// Where the end of a raw element begins.
fn end_tag(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let place = from + text.get(from..)?.find("</")?;
        let behind = text.get(place + 2..)?;
        let found = behind
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name));
        let next = behind
            .get(name.len()..)
            .and_then(|rest| rest.chars().next());
        if found && next.is_none_or(|c| c.is_ascii_whitespace() || c == '>' || c == '/') {
            return Some(place);
        }
        from = place + 2;
    }
}

/// The longest name of a reference.
const NAME: usize = 32;
/// Names that need no semicolon behind them.
const BARE: [&str; 12] = [
    "amp", "lt", "gt", "quot", "nbsp", "copy", "reg", "AMP", "LT", "GT", "QUOT", "shy",
];

/// Text with the characters that references stand for.
fn resolved(text: &str, in_attribute: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        shown.push_str(before);
        match reference(behind, in_attribute) {
            Some((characters, length)) => {
                shown.push_str(&characters);
                rest = behind.get(length..).unwrap_or_default();
            }
            None => {
                shown.push('&');
                rest = behind;
            }
        }
    }
    shown.push_str(rest);
    shown
}

/// What a reference stands for, and how long it is.
fn reference(text: &str, in_attribute: bool) -> Option<(String, usize)> {
    if let Some(number) = text.strip_prefix('#') {
        let (radix, digits, before) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (16, digits, 2),
            None => (10, number, 1),
        };
        let count = digits
            .chars()
            .take(NAME)
            .take_while(|c| c.is_digit(radix))
            .count();
        let code = u32::from_str_radix(digits.get(..count)?, radix).ok()?;
        let semicolon = usize::from(digits.get(count..)?.starts_with(';'));
        return Some((character(code).to_string(), before + count + semicolon));
    }
    let end = text
        .chars()
        .take(NAME)
        .take_while(char::is_ascii_alphanumeric)
        .count();
    let name = text.get(..end)?;
    if text.get(end..)?.starts_with(';') {
        return resolve_html5_entity(name).map(|known| (known.to_owned(), end + 1));
    }
    let bare = BARE.iter().find(|bare| name.starts_with(**bare))?;
    // In attributes such as `?a=1&copy=2` it is none.
    if in_attribute && (name.len() > bare.len() || text.get(end..)?.starts_with('=')) {
        return None;
    }
    resolve_html5_entity(bare).map(|known| (known.to_owned(), bare.len()))
}

/// The character of a number; those that the standard takes for Windows ones are these.
fn character(code: u32) -> char {
    let windows = u8::try_from(code)
        .ok()
        .filter(|byte| (0x80..0xa0).contains(byte));
    if let Some(byte) = windows {
        let bytes = [byte];
        let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
        return text.chars().next().unwrap_or('\u{fffd}');
    }
    char::from_u32(code)
        .filter(|c| *c != '\0')
        .unwrap_or('\u{fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        Tokens::of(text).collect()
    }

    fn start(name: &str, attributes: &[(&str, &str)], empty: bool) -> Token {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Token::Start(
            name.to_owned(),
            attributes.iter().map(owned).collect(),
            empty,
        )
    }

    #[test]
    fn tokens_are_told_apart() {
        let found =
            tokens("<!DOCTYPE html><P Class=x id='a&amp;b' hidden>1 < 2<br/><!-- <b> --></p>");
        let text = |text: &str| Token::Text(text.to_owned());
        let expected = [
            start("p", &[("class", "x"), ("id", "a&b"), ("hidden", "")], false),
            text("1 "),
            text("<"),
            text(" 2"),
            start("br", &[], true),
            Token::End("p".to_owned()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn scripts_are_not_looked_into() {
        let found = tokens("<script>if (a</b) '</scripty>'</SCRIPT >x<title>a&lt;b</title>");
        assert_eq!(
            found.get(1),
            Some(&Token::Text("if (a</b) '</scripty>'".to_owned()))
        );
        assert_eq!(found.get(5), Some(&Token::Text("a<b".to_owned())));
    }

    #[test]
    fn references_stand_for_characters() {
        assert_eq!(
            resolved("&eacute;&#233;&#xE9;&hellip;&nbsp", false),
            "ééé…\u{a0}"
        );
        assert_eq!(
            resolved("&#150;&#0;&#x110000;&unknown; & &;", false),
            "–\u{fffd}\u{fffd}&unknown; & &;"
        );
        assert_eq!(resolved("?a=1&copy=2&amp;b", true), "?a=1&copy=2&b");
    }

    #[test]
    fn what_never_ends_ends_with_the_page() {
        for text in [
            "<", "</", "<a", "<a b", "<a b=", "<a b='", "<!--", "<script>", "&#", "&", "<a/", "</é",
        ] {
            assert!(tokens(text).len() < 4, "{text}");
        }
    }
}
