//! File names of clients, and their use in downloads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum length of a file name in characters.
pub const MAX_LENGTH: usize = 255;

/// A file name: 1 to 255 characters, without paths and control characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 255))]
pub struct Filename(String);

impl Filename {
    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text after the last dot, in lower case; `None` if there is no text before or after it.
    #[must_use]
    pub fn extension(&self) -> Option<String> {
        let (stem, extension) = self.0.rsplit_once('.')?;
        (!stem.is_empty() && !extension.is_empty()).then(|| extension.to_lowercase())
    }

    /// Returns the name without its extension; text of more than 8 bytes after the last dot is not an extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        match self.0.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() && extension.len() <= 8 => stem,
            _ => &self.0,
        }
    }

    /// Returns the name with another extension, shortened to the maximum length.
    #[must_use]
    pub fn with_extension(&self, extension: &str) -> Self {
        let room = MAX_LENGTH.saturating_sub(extension.chars().count() + 1);
        let stem: String = self.stem().chars().take(room).collect();
        Self(format!("{stem}.{extension}"))
    }

    /// Returns `Content-Disposition` for a download: an ASCII fallback and the full name [RFC 6266, RFC 8187].
    #[must_use]
    pub fn content_disposition(&self) -> String {
        format!(
            "attachment; filename=\"{}\"; filename*=UTF-8''{}",
            ascii_fallback(&self.0),
            percent_encoded(&self.0)
        )
    }
}

impl TryFrom<String> for Filename {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.chars().count() > MAX_LENGTH {
            return Err(format!("must have at most {MAX_LENGTH} characters"));
        }
        let cleaned = clean(&text);
        if cleaned.is_empty() {
            return Err("must be a file name".to_owned());
        }
        Ok(Self(cleaned))
    }
}

impl From<Filename> for String {
    fn from(filename: Filename) -> String {
        filename.0
    }
}

/// Keeps the last path segment, without control and text-direction characters, surrounding white space, and leading and
/// trailing dots.
fn clean(text: &str) -> String {
    let last = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let visible: String = last
        .chars()
        .filter(|c| !c.is_control() && !changes_direction(*c))
        .collect();
    visible
        .trim()
        .trim_start_matches('.')
        .trim_end_matches(['.', ' '])
        .to_owned()
}

/// Control characters that disguise a name, such as `exe.fdp` displayed for `pdf.exe`.
fn changes_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn ascii_fallback(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            '"' | '\\' | '%' => '_',
            c if c.is_ascii_graphic() || c == ' ' => c,
            _ => '_',
        })
        .collect()
}

fn percent_encoded(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Filename {
        Filename::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn paths_and_control_characters_are_removed() {
        assert_eq!(name("../../etc/passwd").as_str(), "passwd");
        assert_eq!(name("C:\\Users\\me\\report.docx").as_str(), "report.docx");
        assert_eq!(
            name("a\r\nSet-Cookie: b.txt").as_str(),
            "aSet-Cookie: b.txt"
        );
        assert_eq!(name("invoice\u{202e}fdp.exe").as_str(), "invoicefdp.exe");
        for nothing in ["", "   ", "..", "/", "\u{0}"] {
            assert!(
                Filename::try_from(nothing.to_owned()).is_err(),
                "{nothing:?}"
            );
        }
    }

    #[test]
    fn length_counts_characters() {
        assert!(Filename::try_from("ä".repeat(255)).is_ok());
        assert!(Filename::try_from("a".repeat(256)).is_err());
    }

    #[test]
    fn with_extension_replaces_the_extension_within_the_limit() {
        assert_eq!(
            name("Übersicht.docx").with_extension("pdf").as_str(),
            "Übersicht.pdf"
        );
        assert_eq!(
            name("no extension").with_extension("pdf").as_str(),
            "no extension.pdf"
        );
        let long = name(&"a".repeat(255)).with_extension("pdf");
        assert_eq!(long.as_str().len(), 255);
        assert!(long.as_str().ends_with("a.pdf"));
    }

    #[test]
    fn content_disposition_keeps_the_name_and_is_injection_safe() {
        assert_eq!(
            name("Ü \"x\".pdf").content_disposition(),
            "attachment; filename=\"_ _x_.pdf\"; filename*=UTF-8''%C3%9C%20%22x%22.pdf"
        );
    }
}
