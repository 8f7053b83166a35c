//! The table of OCR languages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One row of the table of OCR languages.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// The Tesseract code, which is the name of the model.
    pub code: &'static str,
    /// BCP 47 language tags that select this row.
    pub tags: &'static [&'static str],
}

/// Every language; English is first.
pub const LANGUAGES: &[Language] = &[
    language("eng", &["en"]),
    language("ara", &["ar"]),
    language("ces", &["cs"]),
    language("chi_sim", &["zh"]),
    language("chi_tra", &["zh-hant", "zh-tw", "zh-hk", "zh-mo"]),
    language("dan", &["da"]),
    language("deu", &["de"]),
    language("ell", &["el"]),
    language("fin", &["fi"]),
    language("fra", &["fr"]),
    language("ita", &["it"]),
    language("jpn", &["ja"]),
    language("kor", &["ko"]),
    language("nld", &["nl"]),
    language("nor", &["no", "nb", "nn"]),
    language("pol", &["pl"]),
    language("por", &["pt"]),
    language("rus", &["ru"]),
    language("spa", &["es"]),
    language("swe", &["sv"]),
    language("tur", &["tr"]),
    language("ukr", &["uk"]),
];

const fn language(code: &'static str, tags: &'static [&'static str]) -> Language {
    Language { code, tags }
}

/// Maximum number of languages per document.
const MAX_LANGUAGES: usize = 5;

/// OCR languages: one to five, joined by `+`, as Tesseract codes such as `eng` or BCP 47 tags such as `de`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 100, "examples" = ["de", "eng+deu"]))]
pub struct Languages(String);

impl Languages {
    /// Returns the Tesseract codes, joined by `+`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the Tesseract codes.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.0.split('+')
    }
}

impl Default for Languages {
    fn default() -> Self {
        Self("eng".to_owned())
    }
}

impl TryFrom<String> for Languages {
    type Error = String;

    /// Parses BCP 47 tags and Tesseract codes, ignoring case.
    fn try_from(text: String) -> Result<Self, String> {
        let mut codes: Vec<&str> = Vec::new();
        for name in text.split('+') {
            let code = code(name).ok_or_else(unsupported)?;
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        match codes.len() {
            1..=MAX_LANGUAGES => Ok(Self(codes.join("+"))),
            _ => Err(format!("must name at most {MAX_LANGUAGES} languages")),
        }
    }
}

impl From<Languages> for String {
    fn from(languages: Languages) -> String {
        languages.0
    }
}

/// Returns the Tesseract code of `name`: a code itself, or a BCP 47 tag, from whose end subtags are removed until a row matches
/// [RFC 4647, section 3.4].
fn code(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    let exact = |row: &&Language| row.code.replace('_', "-") == name.replace('_', "-");
    let row = LANGUAGES.iter().find(exact).or_else(|| {
        let mut tag = name.replace('_', "-");
        loop {
            if let Some(row) = LANGUAGES.iter().find(|row| row.tags.contains(&&*tag)) {
                return Some(row);
            }
            tag.truncate(tag.rfind('-')?);
        }
    });
    row.map(|row| row.code)
}

fn unsupported() -> String {
    let codes: Vec<_> = LANGUAGES.iter().map(|row| row.code).collect();
    format!(
        "is not an installed language; installed: {}",
        codes.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        Languages::try_from(text.to_owned()).map(String::from)
    }

    #[test]
    fn tags_and_codes_name_the_same_models() {
        for (text, codes) in [
            ("de", "deu"),
            ("pt-BR", "por"),
            ("ENG", "eng"),
            ("zh", "chi_sim"),
            ("zh-Hans-CN", "chi_sim"),
            ("zh-Hant-TW", "chi_tra"),
            ("zh_TW", "chi_tra"),
            ("chi-sim", "chi_sim"),
            ("eng+de+deu", "eng+deu"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(codes), "{text}");
        }
    }

    #[test]
    fn the_error_for_an_unknown_language_lists_the_installed_ones() {
        for text in ["", "xx", "eng+", "klingon", "../eng", "eng,deu"] {
            assert!(read(text).unwrap_err().contains("eng, ara, ces"), "{text}");
        }
        assert!(read("eng+deu+fra+spa+ita+por").is_err());
    }
}
